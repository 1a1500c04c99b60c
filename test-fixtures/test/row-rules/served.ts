/** An application with users, roles and rules in memory, and the models of `world.ts` on a store. */
import type { Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { auth, installAuthModels } from '@fastback/auth'
import { acl, installAclModels } from '@fastback/acl'
import { rowPolicies } from '@fastback/acl/review'
import { rest } from '@fastback/rest'
import { store, type Stores } from '../agreement-stores.js'
import { definitions, type Person, type Rows, type Rule } from './world.js'

type Loose = any

export interface Served {
  readonly models: Record<string, Loose>
  readonly registry: ModelRegistry
  /** Puts rows, people and rules in the place of all that there are. */
  prepare (rows: Rows, people: readonly Person[], rules: readonly Rule[]): Promise<void>
  /** Makes the policies of the database those of the rules; what that took. */
  secure (): Promise<readonly Loose[]>
  send (
    userId: number | undefined, method: string, url: string, payload?: object
  ): Promise<{ status: number, body: Loose }>
}

const silent = Object.fromEntries(['info', 'debug', 'error', 'trace', 'fatal', 'warn'].map(name => [name, () => {}]))

export async function serve ({ main, other }: Stores, t: Test): Promise<Served> {
  const registry = new ModelRegistry({ log: silent as Loose })
  registry.defineDataSource('db', main as never)
  registry.defineDataSource('people', { connector: memoryConnector })
  if (other !== undefined) registry.defineDataSource('other', other as never)
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels(definitions.map(input => ({ input: { relatedConditions: true, ...input } as never })))
  for (const { name } of definitions) {
    const isElsewhere = other !== undefined && (name === 'Team' || name === 'Member')
    registry.attach(name, isElsewhere ? 'other' : 'db', { public: true })
  }
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) registry.attach(name, 'people')
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  await registry.start()
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const models = registry.models as Record<string, Loose>
  const { User, AccessToken, ACL, Role, RoleMapping } = models
  const tokens: string[] = []
  for (const id of [1, 2, 3]) {
    // A ready-made hash: hashing is not what is tested here.
    await User.create({ email: `u${id}@x.test`, username: `u${id}`, password: `$2b$04$${'a'.repeat(53)}` })
    tokens[id] = (await AccessToken.create({ userId: id, ttl: 100_000 })).id
  }
  const roles: Record<string, Loose> = {}
  for (const name of ['editor', 'writer']) roles[name] = await Role.create({ name })
  const secure = async (): Promise<readonly Loose[]> => {
    const known = definitions.map(({ name }) => registry.getModel(name))
    const { policies, unsaid } = await rowPolicies(registry, known)
    if (unsaid.length > 0) throw new Error(JSON.stringify(unsaid))
    const support = registry.dataSources.db?.connector.policies as Loose
    const models = known.map(({ compiled }) => compiled)
    const { changes, unsaid: inSql } = await support.plan(models, policies)
    if (inSql.length > 0) throw new Error(JSON.stringify(inSql))
    await support.apply(models, changes)
    return changes
  }
  return {
    models,
    registry,
    async prepare ({ Team, Member, Note }, people, rules) {
      await store(models, { Team, Member, Note, Deed: Note })
      await RoleMapping.destroyAll({})
      for (const { id, realm, roles: names } of people) {
        if (id === undefined) continue
        await User.updateAll({ id }, { realm })
        for (const name of names) {
          await RoleMapping.create({ roleId: roles[name].id, principalType: 'USER', principalId: String(id) })
        }
      }
      await ACL.destroyAll({})
      for (const model of ['Note', 'Deed']) {
        for (const rule of rules) await ACL.create({ model, principalType: 'ROLE', ...rule })
      }
      if ((main as Loose).rowSecurity !== undefined) await secure()
    },
    secure,
    async send (userId, method, url, payload) {
      const response = await app.inject({
        method: method as 'GET',
        url: `/api${url}`,
        ...(payload === undefined ? {} : { payload }),
        headers: userId === undefined ? {} : { authorization: tokens[userId] as string }
      })
      return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() }
    }
  }
}
