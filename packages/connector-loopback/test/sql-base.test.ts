/** A connector of an application's own, over the class `SqlConnector` of the package loopback-connector. */
import { createRequire } from 'node:module'
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { loopbackConnector, type LoopbackConnector, type LoopbackConnectorModule } from '@fastback/connector-loopback'
import { connectorSuite } from '@fastback/connector-tests'
import { DatabaseSync } from '@photostructure/sqlite'
import { context } from './support/context.js'
import { withoutNulls } from './support/without-nulls.js'

type Loose = any

const { SqlConnector } = createRequire(import.meta.url)('loopback-connector') as Loose

const columnTypes: Record<string, string> = { Number: 'REAL', Boolean: 'INTEGER', Date: 'INTEGER', Buffer: 'BLOB' }

/** SQLite, as one would write it in a folder's `server/connectors`. */
class Sqlite extends SqlConnector {
  declare client: Loose
  declare dataSource: Loose

  constructor (settings: Loose) {
    super('sqlite', settings)
    this.client = new DatabaseSync(settings.file)
  }

  connect (done: Loose): void { setImmediate(done) }
  ping (done: Loose): void { this.execute('SELECT 1', [], done) }

  executeSQL (sql: string, params: Loose[], _options: Loose, done: Loose): void {
    const values = params.map(value => typeof value === 'boolean' ? Number(value) : value ?? null)
    let result: unknown
    try {
      const statement = this.client.prepare(sql)
      if (sql.startsWith('SELECT')) result = statement.all(...values)
      else {
        const { changes, lastInsertRowid } = statement.run(...values)
        result = { count: Number(changes), id: Number(lastInsertRowid) }
      }
    } catch (error) {
      setImmediate(done, Object.assign(error as Error, { code: /constraint/i.test(String(error)) ? 'SQLITE_CONSTRAINT' : 'SQLITE' }))
      return
    }
    setImmediate(done, null, result)
  }

  escapeName (name: string): string { return `"${name}"` }
  getPlaceholderForValue (): string { return '?' }
  buildInsertDefaultValues (): string { return 'DEFAULT VALUES' }
  getInsertedId (_model: string, info: Loose): number { return info.id }
  getCountForAffectedRows (_model: string, info: Loose): number { return info?.count }

  toColumnValue ({ type }: Loose, value: Loose): unknown {
    if (value === null || value === undefined) return null
    if (value instanceof Date) return value.getTime()
    return type.name === 'GeoPoint' || (typeof value === 'object' && !Buffer.isBuffer(value)) ? JSON.stringify(value) : value
  }

  fromColumnValue ({ type }: Loose, value: Loose): unknown {
    if (value === null || value === undefined) return value
    return type === Date ? new Date(value) : type === Buffer ? Buffer.from(value) : value
  }

  applyPagination (_model: string, statement: Loose, { limit = -1, offset = 0 }: Loose): unknown {
    return statement.merge(`LIMIT ${Number(limit)} OFFSET ${Number(offset)}`)
  }

  buildColumnDefinitions (model: string): string {
    const { properties } = this.getModelDefinition(model)
    return Object.keys(properties).map(name => {
      const { type, id } = properties[name]
      const isKey = id === undefined ? '' : type === Number ? ' INTEGER PRIMARY KEY AUTOINCREMENT' : ' TEXT PRIMARY KEY'
      return `${this.columnEscaped(model, name)}${isKey === '' ? ` ${columnTypes[type.name] ?? 'TEXT'}` : isKey}`
    }).join(', ')
  }

  createTable (model: string, done: Loose): void {
    const { settings: { indexes = {} }, properties } = this.getModelDefinition(model)
    const unique = [
      ...Object.values<Loose>(indexes).filter(({ options }) => options?.unique).map(({ keys }) => Object.keys(keys)),
      ...Object.keys(properties).filter(name => properties[name].index?.unique === true).map(name => [name])
    ]
    this.execute(`CREATE TABLE ${this.tableEscaped(model)} (${this.buildColumnDefinitions(model)})`, [], (error: unknown) => {
      if (error !== null && error !== undefined) return done(error)
      for (const columns of unique) {
        this.client.exec(`CREATE UNIQUE INDEX "${model}_${columns.join('_')}" ON "${model}" (${columns.map(name => `"${name}"`).join(', ')})`)
      }
      done()
    })
  }

  beginTransaction (_level: string, done: Loose): void { this.execute('BEGIN', [], (error: unknown) => done(error, { begun: true })) }
  commit (_connection: Loose, done: Loose): void { this.execute('COMMIT', [], done) }
  rollback (_connection: Loose, done: Loose): void { this.execute('ROLLBACK', [], done) }
}

const sqlite: LoopbackConnectorModule = {
  initialize (dataSource: Loose, callback) {
    dataSource.connector = new Sqlite(dataSource.settings)
    dataSource.connector.dataSource = dataSource
    dataSource.connector.connect(callback)
  }
}

t.test('suite', async t => {
  const asText = 'values of type "any" are text in a table'
  const noNulls = 'a table cannot tell null from a value that was never set'
  const noAlter = 'this connector adds no columns'
  await connectorSuite(t, {
    name: 'SqlConnector',
    make: () => withoutNulls(
      loopbackConnector(sqlite)({ connector: 'sqlite', file: ':memory:', exactQueries: true }, context)
    ),
    claims: ['rows', 'transactions'],
    lacks: ['open', 'compound ids', 'savepoints'],
    skip: {
      'nobody outside sees what is not committed': 'the driver of this test has one connection, on which nobody waits',
      'every type comes back as it was stored': 'the driver of this test cuts text at NUL',
      'numbers at the ends of their range': 'the driver of this test reads 5e-324 as 0',
      eq: asText,
      'neq and nin match what is missing': asText,
      ranges: asText,
      'values of free-form properties keep their type': asText,
      'undefined takes a value away, null is a value': noNulls,
      'null, empty and zero are different values': noNulls,
      'a property that is defined late can be used after autoupdate': noAlter,
      'autoupdate keeps the rows and leaves nothing to do': noAlter
    }
  })
})

t.test('code of applications has the connector itself', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: loopbackConnector(sqlite), file: ':memory:' })
  const Note = registry.defineModel({
    name: 'Note', base: 'PersistedModel', properties: { title: 'string' }, settings: { sqlite: { table: 'notes' } }
  }) as Loose
  registry.attach(Note, 'db')
  await registry.start()
  t.teardown(async () => { await registry.stop() })
  const { connector } = Note.dataSource as { connector: LoopbackConnector & Loose }
  await connector.automigrate([Note.compiled])

  const statements: string[] = []
  connector.observe('before execute', (asked: Loose, next: Loose) => {
    statements.push(asked.req.sql)
    next()
  })
  await Note.create({ title: 'first' })
  const rows = await new Promise<Loose>((resolve, reject) => {
    connector.execute('SELECT title FROM notes WHERE id = ?', [1], (error: unknown, found: unknown) => {
      if (error === null || error === undefined) resolve(found)
      else reject(error)
    })
  })
  t.strictSame(rows.map((row: Loose) => ({ ...row })), [{ title: 'first' }])
  t.equal(statements.length, 2)
  t.match(statements[0], /^INSERT INTO "notes"/)
  t.ok(connector.legacy instanceof Sqlite)
  t.equal(connector.tableEscaped('Note'), '"notes"')
})
