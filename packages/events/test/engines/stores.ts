/** The engines on the stores that can be reached, for tests that hold for each of them. */
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { mongodbConnector } from '@fastback/connector-mongodb'
import { sqlConnector } from '@fastback/connector-sql'
import { ModelRegistry } from '@fastback/core'
import { execute, makeScratch, servers, whyLeftOut } from '../../../../test-fixtures/scratch.mjs'
import { testDatabase } from '../../../connector-mongodb/test/support/database.js'
import { createEngine } from '../../src/engines/create-engine.js'
import type { EngineKind, JobEngine } from '../../src/engines/engine.js'
import { settingsOf, type EventsOptions } from '../../src/options.js'

export interface Logged { readonly level: string, readonly message: string, readonly details: object }

/** A store and its engines: each that is opened is a process of its own, as far as the store sees it. */
export interface EngineStore {
  readonly kind: EngineKind
  /** How long an engine may take to see what another one did, in milliseconds. */
  readonly patience: number
  readonly logged: Logged[]
  readonly registry: ModelRegistry
  open (options?: EventsOptions): Promise<JobEngine>
}

export interface NamedStore {
  readonly name: string
  readonly skip: string | false
  readonly make: (t: Test) => Promise<EngineStore>
}

export const redisUrl = process.env.FASTBACK_TEST_REDIS ?? 'redis://127.0.0.1:6379'

export async function isRedisReachable (): Promise<boolean> {
  const client = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if (process.env.FASTBACK_TEST_REDIS !== undefined) throw error
    return false
  } finally {
    client.disconnect()
  }
}

export async function removeKeys (prefix: string): Promise<void> {
  const client = new Redis(redisUrl)
  const keys = await client.keys(`${prefix}:*`)
  if (keys.length > 0) await client.del(...keys)
  client.disconnect()
}

const plain = { warn () {}, info () {}, debug () {} }

async function storeOf (
  t: Test, kind: EngineKind, settings: Record<string, unknown>, given: EventsOptions, patience: number
): Promise<EngineStore> {
  const registry = new ModelRegistry({ log: plain })
  const dataSource = registry.defineDataSource('db', settings as never)
  const logged: Logged[] = []
  const at = (level: string) => (details: object, message: string): void => { logged.push({ level, message, details }) }
  const log = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
  const opened: JobEngine[] = []
  t.teardown(async () => {
    for (const engine of opened) await engine.stop({ timeout: 0 })
    await registry.stop()
  })
  return {
    kind,
    patience,
    logged,
    registry,
    async open (more = {}) {
      const options: EventsOptions = { engine: kind, pollInterval: 50, lease: 3000, ...given, ...more }
      const engine = await createEngine({ registry, dataSource, settings: settingsOf(options), log })
      await registry.start()
      await engine.start()
      opened.push(engine)
      return engine
    }
  }
}

const onServer = async (t: Test, server: 'postgres' | 'mysql'): Promise<{ url: string, name: string }> => {
  const scratch = await makeScratch(server)
  t.teardown(scratch.remove)
  return scratch
}

export const stores: readonly NamedStore[] = [
  {
    name: 'embedded, memory',
    skip: false,
    make: async t => await storeOf(t, 'embedded', { connector: memoryConnector }, {}, 300)
  },
  {
    name: 'embedded, SQLite',
    skip: false,
    make: async t =>
      await storeOf(t, 'embedded', { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }, {}, 300)
  },
  ...await Promise.all((['postgres', 'mysql'] as const).map(async server => ({
    name: `embedded, ${server}`,
    skip: await whyLeftOut(server),
    make: async (t: Test) => {
      const { url } = await onServer(t, server)
      return await storeOf(t, 'embedded', { connector: sqlConnector, url, migrate: 'update' }, {}, 300)
    }
  }))),
  {
    name: 'embedded, MongoDB',
    skip: false,
    make: async t => {
      const { settings } = await testDatabase(t)
      return await storeOf(t, 'embedded', { ...settings, connector: mongodbConnector }, {}, 500)
    }
  },
  {
    name: 'pg-boss',
    skip: await whyLeftOut('postgres'),
    make: async t => {
      const schema = `fastback_test_${process.pid}_${randomBytes(6).toString('hex')}`
      t.teardown(async () => { await execute(servers.postgres.url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`) })
      const settings = { connector: sqlConnector, url: servers.postgres.url, migrate: 'safe' }
      return await storeOf(t, 'pg-boss', settings, { schema }, 2500)
    }
  },
  {
    name: 'BullMQ',
    skip: await isRedisReachable() ? false : 'no Redis server answers',
    make: async t => {
      const prefix = `fastback-test-${process.pid}-${randomBytes(6).toString('hex')}`
      t.teardown(async () => { await removeKeys(prefix) })
      const settings = { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }
      return await storeOf(t, 'bullmq', settings, { redis: redisUrl, prefix }, 1500)
    }
  }
]

export const storeNamed = (wanted: string): NamedStore => stores.find(({ name }) => name === wanted) as NamedStore
