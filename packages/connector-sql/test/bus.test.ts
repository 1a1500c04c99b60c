// FASTBACK_TEST_FULL: a database server, in real time.
/** The bus over SQL databases: LISTEN and NOTIFY of PostgreSQL, and a table elsewhere. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ModelRegistry, type DataSource } from '@fastback/core'
import { outboxBus, postgresBus, sqlConnector } from '@fastback/connector-sql'
import { busSuite } from '@fastback/connector-tests'
import { scratchUrl } from './support/scratch.js'

type Execute = (sql: string, values?: unknown[]) => Promise<Array<Record<string, unknown>>>

function registryOf (url: string, bus: unknown): ModelRegistry {
  const registry = new ModelRegistry({ settings: { bus } })
  registry.busDrivers.set('postgres', postgresBus)
  registry.busDrivers.set('outbox', outboxBus)
  registry.defineDataSource('db', { connector: sqlConnector, url, poolSize: 2 })
  return registry
}

const executeOf = (dataSource: DataSource | undefined): Execute => {
  const connector = dataSource?.connector as unknown as { execute: Execute }
  return (...given) => connector.execute(...given)
}

/** A data source beside those of the members, for what an operator does. */
async function operator (t: Test, url: string): Promise<Execute> {
  const registry = registryOf(url, false)
  await registry.start()
  t.teardown(() => registry.stop())
  return executeOf(registry.dataSources.db)
}

t.test('PostgreSQL', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  const execute = await operator(t, url)
  const cut = async (): Promise<void> => {
    await execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'fastback-bus' AND datname = current_database()`)
  }
  await busSuite(t, {
    name: 'LISTEN and NOTIFY',
    registry: namespace => registryOf(url, { postgres: 'db', namespace }),
    cut
  })
  await busSuite(t, {
    name: 'outbox in PostgreSQL', registry: namespace => registryOf(url, { outbox: 'db', namespace }), resumes: true
  })

  t.test('chosen by itself; a URL is as good as a data source; a server that is not there is said', async t => {
    const chosen = registryOf(url, 'auto')
    await chosen.start()
    t.equal(chosen.bus.driver, 'postgres')
    await chosen.stop()
    const named = registryOf('sqlite::memory:', { postgres: url })
    await named.start()
    t.equal(named.bus.driver, 'postgres')
    await named.stop()
    const away = registryOf('sqlite::memory:', { postgres: 'postgres://nobody@127.0.0.1:1/none' })
    await t.rejects(away.start(), { code: 'ECONNREFUSED' })
    await away.stop()
  })
})

t.test('MySQL', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url === undefined) return
  const execute = await operator(t, url)
  const cut = async (): Promise<void> => {
    const rows = await execute(
      'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()')
    for (const row of rows) await execute(`KILL ${Number(row.id ?? row.ID)}`).catch(() => {})
  }
  await busSuite(t, {
    name: 'outbox in MySQL', registry: namespace => registryOf(url, { outbox: 'db', namespace }), cut, resumes: true
  })
})

t.test('SQLite', async t => {
  const url = `sqlite:${join(t.testdir({}), 'app.db')}`
  await busSuite(t, {
    name: 'outbox in a file', registry: namespace => registryOf(url, { outbox: 'db', namespace }), resumes: true
  })

  t.test('a file is chosen where everything may be, a database in memory never', async t => {
    const auto = registryOf(url, 'auto')
    await auto.start()
    t.equal(auto.bus.driver, undefined)
    await auto.stop()
    const any = registryOf(url, true)
    await any.start()
    t.equal(any.bus.driver, 'outbox')
    await any.stop()
    await t.rejects(registryOf('sqlite::memory:', true).start(), { code: 'FBK_CORE_BUS_SETTINGS' })
  })

  t.test('messages that are kept no longer are a gap that is said', async t => {
    const small = (interval: number): ModelRegistry =>
      registryOf(url, { outbox: { dataSource: 'db', keep: 100, interval }, namespace: 'gap' })
    const [one, two] = [small(20), small(20)]
    t.teardown(() => Promise.all([one.stop(), two.stop()]))
    await one.start()
    await two.start()
    const heard: unknown[] = []
    let isReset = false
    two.bus.subscribe('news', {
      message: payload => { heard.push(payload) },
      reset: () => { isReset = true }
    })
    for (let i = 0; i < 1000; i++) one.bus.publish('news', i)
    while (!heard.includes(999)) await new Promise(resolve => setTimeout(resolve, 5))
    t.ok(isReset || heard.length === 1000)
    const [rows] = await executeOf(one.dataSources.db)('SELECT COUNT(*) AS c FROM fastback_bus')
    t.ok(Number(rows?.c) > 0)
  })

  t.test('settings that cannot be', async t => {
    for (const [bus, message] of [
      [{ outbox: 'other' }, /no data source in a SQL database/],
      [{ outbox: 7 }, /must name a data source/],
      [{ outbox: { dataSource: 'db', keep: 1 } }, /from 100/],
      [{ outbox: { dataSource: 'db', every: 1 } }, /no setting "every"/],
      [{ postgres: 'db' }, /not in PostgreSQL/],
      [{ postgres: true }, /a data source or a URL/]
    ] as const) {
      const registry = registryOf(url, bus)
      await t.rejects(registry.start(), { code: 'FBK_CORE_BUS_SETTINGS', message })
      await registry.stop()
    }
  })
})
