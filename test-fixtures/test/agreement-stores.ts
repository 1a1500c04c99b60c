/** The stores that must agree with a plain model in JavaScript, those that can be reached. */
import type { Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { mongodbConnector } from '@fastback/connector-mongodb'
import { sqlConnector } from '@fastback/connector-sql'
import { testDatabase } from '../../packages/connector-mongodb/test/support/database.js'
import { isReachable, makeScratch } from '../scratch.mjs'

type Loose = any
type Store = Record<string, unknown>

/** Settings of the data sources, and what is to be done at the end. */
export interface Stores {
  readonly main: Store
  readonly other?: Store
  readonly done?: () => Promise<void>
}

const memory: Store = { connector: memoryConnector }

/** Each with how it is opened; undefined where there is no such server. */
export const stores: ReadonlyArray<readonly [string, (t: Test) => Promise<Stores | undefined>]> = [
  ['memory', async () => ({ main: memory })],
  ['sqlite', async () => ({ main: sqlite() })],
  ['sqlite beside memory', async () => ({ main: sqlite(), other: memory })],
  ...(['postgres', 'mysql'] as const).map(server => [server, async () => {
    if (!await isReachable(server)) return undefined
    const { url, remove } = await makeScratch(server)
    return { main: { connector: sqlConnector, url, migrate: 'reset' }, done: remove }
  }] as const),
  ['mongodb', async t => ({ main: { ...(await testDatabase(t)).settings, connector: mongodbConnector } })]
]

function sqlite (): Store {
  return { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'reset' }
}

/**
 * Models on a store.
 * @param elsewhere names of models that are in the other data source, where there is one
 */
export async function modelsOn (
  { main, other }: Stores, t: Test, definitions: readonly object[], attached: readonly string[],
  elsewhere: readonly string[] = []
): Promise<Record<string, Loose>> {
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } as Loose })
  registry.defineDataSource('db', main as never)
  if (other !== undefined) registry.defineDataSource('other', other as never)
  for (const definition of definitions) registry.defineModel({ strict: true, ...definition } as never)
  for (const name of attached) {
    registry.attach(name, other !== undefined && elsewhere.includes(name) ? 'other' : 'db')
  }
  const app = Fastify()
  await app.register(core, { registry })
  await app.ready()
  t.teardown(async () => { await app.close() })
  return registry.models as Record<string, Loose>
}

/** Puts rows in the place of all that there are. */
export async function store (
  models: Record<string, Loose>, rows: Readonly<Record<string, ReadonlyArray<Record<string, unknown>>>>
): Promise<void> {
  for (const [name, each] of Object.entries(rows)) {
    await models[name].destroyAll({})
    if (each.length > 0) await models[name].create(each)
  }
}
