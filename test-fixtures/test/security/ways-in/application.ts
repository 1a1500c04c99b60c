/** An application with one family of models for each way to narrow what a caller sees. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import type { Test } from 'tap'
import { acl } from '@fastback/acl'
import { admin } from '@fastback/admin'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { core, type HookContext } from '@fastback/core'
import { rest } from '@fastback/rest'
import { storageConnector } from '@fastback/storage'
import { sync } from '@fastback/sync'
import type { Narrowing } from './narrowings.js'

/** Models, whose types do not matter here. */
export type Loose = any

export const stores: Readonly<Record<string, object>> = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }
}

export interface Answer { readonly status: number, readonly text: string, readonly body: Loose }

export interface Asked {
  readonly narrowing: Narrowing
  readonly models: Loose
  readonly origin: string
  /** Paths of the letters, the boxes and so on, below the origin. */
  readonly letters: string
  readonly boxes: string
  readonly shelves: string
  readonly stamps: string
  readonly token: string
  /** GET routes of the admin page, without parameters. */
  readonly adminPages: readonly string[]
  ask (verb: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** A row as the store has it, whatever is hidden. */
  stored (id: string): Promise<Loose>
  /** Brings the two rows back to what they were. */
  reset (): Promise<void>
}

export type Which = 'seen' | 'gone'

const definitions = ({ name, letter = {} }: Narrowing): Array<Record<string, unknown> & { name: string }> => [
  {
    name: `${name}Letter`,
    forceId: false,
    trackChanges: true,
    properties: {
      id: { type: 'string', id: true },
      text: 'string',
      userId: 'number',
      state: 'string',
      boxId: 'number',
      seal: { type: 'string', hidden: true },
      image: { type: 'file', storage: 'files' }
    },
    ...letter
  },
  {
    name: `${name}Box`,
    plural: `${name}Boxes`,
    forceId: false,
    properties: { id: { type: 'number', id: true }, shelfId: 'number', letterIds: ['string'] },
    relations: {
      letters: { type: 'hasMany', model: `${name}Letter`, foreignKey: 'boxId', options: { nestRemoting: true } },
      only: { type: 'hasOne', model: `${name}Letter`, foreignKey: 'boxId' },
      posted: {
        type: 'hasMany', model: `${name}Letter`, through: `${name}Posting`, foreignKey: 'boxId', keyThrough: 'letterId'
      },
      picked: { type: 'referencesMany', model: `${name}Letter`, foreignKey: 'letterIds' }
    }
  },
  {
    name: `${name}Posting`,
    relations: {
      box: { type: 'belongsTo', model: `${name}Box`, foreignKey: 'boxId' },
      letter: { type: 'belongsTo', model: `${name}Letter`, foreignKey: 'letterId' }
    }
  },
  {
    name: `${name}Shelf`,
    plural: `${name}Shelves`,
    forceId: false,
    properties: { id: { type: 'number', id: true } },
    relations: {
      boxes: { type: 'hasMany', model: `${name}Box`, foreignKey: 'shelfId', options: { nestRemoting: true } }
    }
  },
  {
    name: `${name}Stamp`,
    forceId: false,
    properties: { id: { type: 'number', id: true } },
    relations: { letter: { type: 'belongsTo', model: `${name}Letter`, foreignKey: 'letterId' } }
  }
]

/** Starts the application, with a row that its caller sees and one that is out of sight. */
export async function start (t: Test, narrowing: Narrowing, store: object): Promise<Asked> {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-ways-'))
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await rm(root, { recursive: true, force: true })
  })
  const all = definitions(narrowing)
  await app.register(core, {
    dataSources: { db: store as { connector: never }, files: { connector: storageConnector, root } },
    definitions: all,
    models: Object.fromEntries(all.map(({ name }) => [name, { dataSource: 'db', public: true }])),
    settings: { relatedAccess: 'related', live: true }
  })
  await app.register(auth, { dataSource: 'db' })
  await app.register(acl, { dataSource: 'db' })
  await app.register(sync)
  const models: Loose = app.models
  const [Letter, Box, Posting, Shelf, Stamp] = all.map(({ name }) => models[name])
  if (narrowing.access !== undefined) {
    const { access } = narrowing
    Letter.observe('access', async (context: HookContext & { query: Loose }) => { access(context) })
  }
  const pages: string[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if ([method].flat().includes('GET') && url.startsWith('/admin') && !url.includes(':')) pages.push(url)
  })
  await app.register(rest, { prefix: '/api', remoting: { rest: { xml: true } } })
  await app.register(admin, { prefix: '/admin' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })

  const me = { email: 'me@x.test', password: 'correct horse' }
  const { id: userId } = await models.User.create(me)
  const { id: otherId } = await models.User.create({ ...me, email: 'other@x.test' })
  const token = String((await models.User.login(me)).id)
  const rows = {
    seen: { id: 'seen', text: 'seen text', userId, state: 'here', boxId: 1 },
    gone: { id: 'gone', text: 'gone text', userId: otherId, state: 'gone', boxId: 2 }
  }
  for (const [i, row] of Object.values(rows).entries()) {
    const image = new File([`the image of the ${row.id} row`], 'image.txt', { type: 'text/plain' })
    await Letter.create({ ...row, seal: 'wax', image })
    await Shelf.create({ id: i + 1 })
    await Box.create({ id: i + 1, shelfId: i + 1, letterIds: [row.id] })
    await Posting.create({ boxId: i + 1, letterId: row.id })
    await Stamp.create({ id: i + 1, letterId: row.id })
  }
  // Below hooks, scopes, files and change lists.
  const { compiled, dataSource: { connector } } = Letter
  const stored = async (id: string): Promise<Loose> => await connector.findById(compiled, id, compiled.selectAll, {})
  const first: Record<Which, Loose> = { seen: { ...await stored('seen') }, gone: { ...await stored('gone') } }
  const paths = Object.fromEntries(['Letters', 'Boxes', 'Shelves', 'Stamps'].map(plural =>
    [plural.toLowerCase(), `/api/${narrowing.name}${plural}`])) as Pick<Asked, 'letters'>
  return {
    ...paths as Pick<Asked, 'letters' | 'boxes' | 'shelves' | 'stamps'>,
    narrowing,
    models: { Letter, Box, Posting, Shelf, Stamp, userId, otherId },
    origin,
    token,
    adminPages: pages,
    stored,
    async ask (verb, url, body, headers = {}) {
      const answer = await fetch(origin + url, {
        method: verb,
        headers: {
          authorization: token,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== ''
      return { status: answer.status, text, body: isJson ? JSON.parse(text) : undefined }
    },
    async reset () {
      for (const [id, row] of Object.entries(first)) {
        if (await stored(id) === undefined) await connector.create(compiled, { ...row }, {})
        else await connector.replaceById(compiled, id, { ...row }, {})
      }
    }
  }
}
