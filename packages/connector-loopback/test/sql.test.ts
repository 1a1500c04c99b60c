// FASTBACK_TEST_FULL: a connector of LoopBack's on database servers.
/** The suite on LoopBack's own connectors of databases. Without a server its part is skipped. */
import { createRequire } from 'node:module'
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { loopbackConnector, type LoopbackConnector, type LoopbackConnectorModule } from '@fastback/connector-loopback'
import { connectorSuite, type SuiteStore } from '@fastback/connector-tests'
import { execute, isReachable, makeScratch, servers, type Server } from '../../../test-fixtures/scratch.mjs'
import { context } from './support/context.js'
import { mapped } from './support/mapped.js'
import { withoutNulls } from './support/without-nulls.js'

const require = createRequire(import.meta.url)
const postgresql = require('loopback-connector-postgresql') as LoopbackConnectorModule
const mysql = require('loopback-connector-mysql') as LoopbackConnectorModule

async function scratch (t: Test, server: Server): Promise<{ url: URL, name: string } | undefined> {
  if (!await isReachable(server)) {
    t.comment(`no ${server} server: set ${servers[server].variable}`)
    return undefined
  }
  const { url, name, remove } = await makeScratch(server)
  t.teardown(remove)
  return { url: new URL(url), name }
}

const settingsOf = (url: URL) => ({
  host: url.hostname,
  port: Number(url.port),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1)
})

type Loose = any

const isActual = 'isActual of loopback-connector-mysql says no where a column has a dataType'

/** Properties of type `any` are columns of text: LoopBack's connectors write 7 and '7' alike. */
const asText = 'values of type "any" are text in a table'
const noNulls = 'a table cannot tell null from a value that was never set'
const skipped = {
  eq: asText,
  'neq and nin match what is missing': asText,
  ranges: asText,
  'values of free-form properties keep their type': asText,
  'undefined takes a value away, null is a value': noNulls,
  'null, empty and zero are different values': noNulls
}

/** Empties the tables by a statement that only the connector itself knows. */
const truncate = (text: (table: string) => string) => async ({ connector, registry }: SuiteStore) => {
  for (const { name } of registry.dataSources.store?.storedModels() ?? []) {
    const { legacy } = connector as LoopbackConnector
    const table = (legacy.tableEscaped as (name: string) => string).call(legacy, name)
    await new Promise<void>((resolve, reject) => {
      (connector as Loose).execute(text(table), [], (error: unknown) => {
        if (error === null || error === undefined) resolve()
        else reject(error)
      })
    })
  }
}

t.test('loopback-connector-postgresql', async t => {
  const made = await scratch(t, 'postgres')
  if (made === undefined) return
  const module = mapped(postgresql, 'postgresql', { Number: { dataType: 'double precision' } })
  const settings = { connector: 'postgresql', ...settingsOf(made.url), schema: made.name, exactQueries: true }
  await connectorSuite(t, {
    name: 'postgresql',
    make: () => withoutNulls(loopbackConnector(module)(settings, context)),
    claims: ['rows', 'transactions', 'persistence'],
    lacks: ['open', 'savepoints'],
    empty: truncate(table => `TRUNCATE TABLE ${table} RESTART IDENTITY`),
    skip: {
      ...skipped,
      'an id that is given is kept, and later ones are above it': 'the sequence does not learn of ids that were given',
      'every type comes back as it was stored': 'text cannot hold NUL',
      'what a row shows finds it, and ranges begin and end there': 'bytes are kept as text',
      'a row that was read can be put back, and is as it was': 'bytes are kept as text',
      'rows are there after a restart, every value with its type': 'text cannot hold NUL'
    }
  })
})

t.test('loopback-connector-mysql', async t => {
  const made = await scratch(t, 'mysql')
  if (made === undefined) return
  await execute(servers.mysql.url, `ALTER DATABASE ${made.name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
  const module = mapped(mysql, 'mysql', {
    Number: { dataType: 'double' },
    Date: { dataType: 'datetime', dataPrecision: 3 },
    String: { dataType: 'longtext' },
    Object: { dataType: 'longtext' },
    Buffer: { dataType: 'longblob' }
  })
  const settings = {
    connector: 'mysql',
    ...settingsOf(made.url),
    charset: 'utf8mb4',
    collation: 'utf8mb4_bin',
    timezone: 'Z',
    dateStrings: false,
    exactQueries: true
  }
  await connectorSuite(t, {
    name: 'mysql',
    make: () => withoutNulls(loopbackConnector(module)(settings, context)),
    claims: ['rows', 'transactions', 'persistence'],
    lacks: ['open', 'savepoints'],
    empty: truncate(table => `TRUNCATE TABLE ${table}`),
    skip: {
      ...skipped,
      'rows are changed and removed by conditions, also those that JavaScript tests': 'a collation compares the text of the id',
      'dates outside the usual years': 'the driver reads the year 1 as 2001',
      'autoupdate keeps the rows and leaves nothing to do': isActual,
      'a property that is defined late can be used after autoupdate': isActual,
      'tables are up to date after a restart': isActual
    }
  })
})

t.test('a server that is not there', async t => {
  for (const module of [postgresql, mysql]) {
    const registry = new ModelRegistry()
    registry.defineDataSource('db', { connector: loopbackConnector(module), host: '127.0.0.1', port: 1, database: 'x' })
    await t.rejects(registry.start(), { code: 'FBK_CONNECTOR_NOT_REACHABLE', message: /"db".*ECONNREFUSED/ })
  }
})

t.test('rows are locked in transactions', async t => {
  for (const [server, module] of [['postgres', postgresql], ['mysql', mysql]] as const) {
    const made = await scratch(t, server)
    if (made === undefined) continue
    const registry = new ModelRegistry()
    const schema = server === 'postgres' ? { schema: made.name } : {}
    const dataSource = registry.defineDataSource('db', {
      connector: loopbackConnector(module), ...settingsOf(made.url), ...schema
    })
    const Sum = registry.defineModel({ name: 'Sum', base: 'PersistedModel', properties: { n: 'number' } }) as Loose
    registry.attach(Sum, 'db')
    await registry.start()
    await dataSource.automigrate()
    const { id } = await Sum.create({ n: 0 })
    const { connector } = dataSource
    await Promise.all(Array.from({ length: 5 }, async () => {
      const transaction = await dataSource.transactions().begin({})
      const model = Sum.compiled
      const row = await connector.findById(model, id, model.selectAll, { transaction, lock: true })
      await connector.updateById(model, id, { n: Number(row?.n) + 1 }, { transaction })
      await dataSource.transactions().commit(transaction)
    }))
    t.equal((await Sum.findById(id)).n, 5, server)
    await registry.stop()
  }
})
