/** Folders with several user models, for the tests of tokens and their owners. */
import type { Test } from 'tap'
import { join } from './clients.js'
import { temporaryApp } from './folders.js'
import { attack, type Attacked } from './harness.js'

export type Files = Readonly<Record<string, unknown>>

export const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
export const owner = (property: unknown = '*'): object => ({
  principalType: 'ROLE',
  principalId: '$owner',
  permission: 'ALLOW',
  property
})
export const tokenRoutes = ['get', 'create', 'delete', 'findById', 'updateById', 'destroyById', 'count'].map(
  verb => `__${verb}__accessTokens`
)
export const userModel = (name: string, extra: object = {}): object => ({
  name,
  base: 'User',
  acls: [owner([...tokenRoutes, '__get__notes'])],
  ...extra
})
export const polymorphic = { foreignKey: 'userId', discriminator: 'principalType' }
export const typedTokens = (model: string, more: object = {}): object => ({
  type: 'hasMany',
  model,
  polymorphic: { ...polymorphic, ...more },
  options: { disableInclude: true }
})
export const typedUser = (more: object = {}): object => ({
  type: 'belongsTo',
  idName: 'id',
  polymorphic: { ...polymorphic, idType: 'number', ...more }
})

/** A folder with these models (definitions by name) and these entries of model-config.json. */
export function folder (
  t: Test,
  models: Readonly<Record<string, object>>,
  config: Readonly<Record<string, object>>,
  settings: object = {},
  files: Files = {}
): string {
  return temporaryApp(t, {
    'server/config.json': { host: '127.0.0.1', port: 0, remoting: { errorHandler: { log: false } }, ...settings },
    'server/boot/access.js': 'export default app => { app.enableAuth() }\n',
    ...Object.fromEntries(
      Object.entries(models).map(([name, definition]) => [`server/models/${name.toLowerCase()}.json`, definition])
    ),
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', './models'] },
      ...Object.fromEntries(Object.entries(config).map(([name, entry]) => [name, { dataSource: 'db', ...entry }]))
    },
    ...files
  })
}

export const open = { public: true }
export const closed = { public: false }
export const users = { Customer: userModel('Customer'), Seller: userModel('Seller') }
export const both = {
  Customer: open,
  Seller: open,
  AccessToken: closed,
  Role: closed,
  RoleMapping: closed,
  ACL: closed
}
export const limits = { account: { max: 100_000, timeWindow: 60_000 }, address: { max: 100_000, timeWindow: 60_000 } }

export const shop = {
  ...users,
  Customer: userModel('Customer', {
    relations: {
      notes: { type: 'hasMany', model: 'Note', polymorphic: { foreignKey: 'writerId', discriminator: 'writerType' } }
    }
  }),
  Seller: userModel('Seller', {
    relations: {
      notes: { type: 'hasMany', model: 'Note', polymorphic: { foreignKey: 'writerId', discriminator: 'writerType' } }
    }
  }),
  Note: {
    name: 'Note',
    properties: { text: 'string' },
    relations: {
      writer: {
        type: 'belongsTo',
        polymorphic: { idType: 'number', foreignKey: 'writerId', discriminator: 'writerType' }
      }
    },
    acls: [deny, owner()]
  },
  Bill: { name: 'Bill', properties: { userId: 'number' }, acls: [deny, owner()] },
  Offer: {
    name: 'Offer',
    properties: { userId: 'number' },
    relations: { seller: { type: 'belongsTo', model: 'Seller', foreignKey: 'userId' } },
    acls: [deny, owner()]
  },
  Draft: {
    name: 'Draft',
    properties: { userId: 'number' },
    settings: { ownerFromToken: true },
    acls: [
      deny,
      owner(),
      { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: 'create' }
    ]
  },
  Room: {
    name: 'Room',
    properties: { text: 'string' },
    acls: [deny, { principalType: 'ROLE', principalId: 'chief', permission: 'ALLOW' }]
  }
}
export const shopConfig = { ...both, User: closed, Note: open, Bill: open, Offer: open, Draft: open, Room: open }

/** A shop on a store, with customer 1 and seller 1. `untypedTokens` null: the folder says nothing. */
export async function openShop (
  t: Test,
  store: string,
  untypedTokens: string | false | null = 'Customer'
): Promise<{ server: Attacked; customer: string; seller: string; id: number }> {
  const named = untypedTokens === null ? {} : { untypedTokens }
  const auth = { rateLimit: limits, currentUserLiteral: 'me', ...named }
  const server = await attack(t, folder(t, shop, shopConfig, { auth }), store)
  const customer = await join(server, 'sam', 'Customers')
  const seller = await join(server, 'sam', 'Sellers')
  t.equal(customer.id, seller.id)
  return { server, customer: customer.token, seller: seller.token, id: seller.id }
}
