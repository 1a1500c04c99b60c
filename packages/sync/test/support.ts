/** An application with tracked models, asked over REST. */
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'
import { mongodbConnector } from '@fastback/connector-mongodb'
import { testDatabase } from '../../connector-mongodb/test/support/database.js'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'

export type Loose = any

export const noteProperties = {
  id: { type: 'string', id: true, defaultFn: 'guid' },
  title: { type: 'string', required: true },
  rank: 'number',
  pin: 'string'
}

export interface Asked { readonly status: number, readonly body: Loose, readonly text: string }

export interface Served {
  readonly app: FastifyInstance
  readonly models: Loose
  /** What the log was told. */
  readonly warnings: readonly string[]
  get (url: string): Promise<Asked>
  post (url: string, body: unknown, headers?: Record<string, string>): Promise<Asked>
  /** All pages since a cursor. */
  pull (path: string, after?: string, query?: Record<string, unknown>): Promise<{ changes: Loose[], cursor: string }>
  push (path: string, changes: unknown[], extra?: object): Promise<Loose[]>
}

/** The data source of a store. */
export const dataSourceOf = ({ url, settings }: Partial<Scratch> = {}): Loose => settings ?? (url === undefined
  ? { connector: memoryConnector }
  : { connector: sqlConnector, url, migrate: 'update' })

/** @param scratch a database; undefined: in memory */
export async function serve (
  t: Pick<Test, 'teardown'>, definitions: Loose[], scratch?: Scratch, options: object = {}
): Promise<Served> {
  const warnings: string[] = []
  const registry = new ModelRegistry({
    log: { warn (_: unknown, message: string) { warnings.push(message) }, info () {}, debug () {} } as never
  })
  registry.defineDataSource('db', dataSourceOf(scratch))
  for (const definition of definitions) {
    const { properties = noteProperties } = definition
    const hidden = 'pin' in properties ? ['pin'] : []
    registry.defineModel({ trackChanges: true, strict: true, hidden, ...definition, properties })
    registry.attach(definition.name, 'db', { public: true })
  }
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(sync, options)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const ask = async (request: Loose): Promise<Asked> => {
    const { statusCode, payload } = await app.inject(request)
    return { status: statusCode, text: payload, body: payload === '' ? undefined : JSON.parse(payload) }
  }
  const get = async (path: string): Promise<Asked> => await ask({ method: 'GET', url: `/api${path}` })
  const post: Served['post'] = async (path, payload, headers = {}) =>
    await ask({ method: 'POST', url: `/api${path}`, payload: payload as object, headers })
  return {
    app,
    warnings,
    models: registry.models,
    get,
    post,
    async pull (path, after, query = {}) {
      const changes: Loose[] = []
      for (let cursor = after; ;) {
        const given = { ...query, ...(cursor === undefined ? {} : { after: cursor }) }
        const text = Object.entries(given).map(([name, value]) =>
          `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
        const { status, body, text: answer } = await get(`${path}/sync/pull?${text.join('&')}`)
        if (status !== 200) throw new Error(answer)
        changes.push(...body.changes)
        cursor = body.cursor as string
        if (body.more !== true) return { changes, cursor }
      }
    },
    async push (path, changes, extra = {}) {
      const { status, body, text } = await post(`${path}/sync/push`, { changes, ...extra })
      if (status !== 200) throw new Error(text)
      return body.results
    }
  }
}

/** A database to work in; undefined where the server does not answer. */
export interface Scratch {
  readonly url: string | undefined
  /** Those of the data source, where the URL does not say all. */
  readonly settings?: object
  remove (): Promise<void>
}

type Open = (t: Test) => Promise<Scratch | undefined>

/** A MongoDB, or a server that speaks its protocol (`connector-mongodb/test/support/database.ts`). */
const mongodb = (replicaSet?: string): Open => async t => {
  const { settings, isReplicated } = await testDatabase(t, replicaSet)
  if (isReplicated !== (replicaSet !== undefined)) return undefined
  // It goes with the test.
  return { url: undefined, settings: { ...settings, connector: mongodbConnector }, async remove () {} }
}

const all: ReadonlyArray<readonly [string, Open]> = [
  ['memory', async () => ({ url: undefined, async remove () {} })],
  ['sqlite', async () => ({ url: 'sqlite::memory:', async remove () {} })],
  ...(['postgres', 'mysql'] as const).map(server =>
    [server, async () => await isReachable(server) ? await makeScratch(server) : undefined] as const),
  ['mongodb', mongodb()],
  ['mongodb with transactions', mongodb('set')]
]

/** Without FASTBACK_TEST_FULL not MySQL, and MongoDB with transactions alone. */
export const stores = process.env.FASTBACK_TEST_FULL === undefined
  ? all.filter(([name]) => !['mysql', 'mongodb'].includes(name))
  : all
