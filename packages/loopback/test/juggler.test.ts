/** `loopback-datasource-juggler` by another name: data sources and models without an application. */
import { EventEmitter, once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import {
  DataSource, DateString, Memory, ModelBaseClass, ModelBuilder, ModelDefinition, Transaction
} from '@fastback/loopback/juggler'

type Call = (...args: unknown[]) => Promise<any>
const call = (Model: unknown, name: string, ...args: unknown[]): Promise<any> =>
  (Model as Record<string, Call>)[name]!.call(Model, ...args)

t.test('models are usable as soon as they are defined, on every kind of data source', async t => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'juggler-')), 'notes.db')
  for (const db of [
    new DataSource('memory'),
    new DataSource({ connector: Memory }),
    new DataSource('db', { connector: 'sqlite3', file })
  ]) {
    const Note = db.define('Note', { title: String, tags: [String], at: Date })
    const made = await call(Note, 'create', { title: 'hello', tags: ['a'] })
    t.equal(db.connected, true)
    t.match(await call(Note, 'findById', made.id), { title: 'hello' })
    Note.defineProperty('stars', Number)
    if (db.name === 'db') await db.autoupdate('Note')
    await call(Note, 'create', { title: 'late', stars: '3' })
    t.match(await call(Note, 'find', { where: { stars: 3 } }), [{ title: 'late' }])
    if (db.name !== 'db') {
      const migrated = db.automigrate('Note')
      await Promise.all([migrated, call(Note, 'create', { title: 'after' })])
      t.match(await call(Note, 'find'), [{ title: 'after' }], 'rows that are made after automigrate() was called stay')
    }
    t.ok((db.connector as { settings?: object }).settings, 'connectors have their settings')
    await db.disconnect()
  }
})

t.test('a definition of the same name replaces the earlier one; who holds the class keeps it', async t => {
  const db = new DataSource('memory')
  const First = db.define('Note', { title: String })
  const Second = db.define('Note', { text: String })
  t.equal(db.models.Note, Second)
  t.strictSame(Object.keys(db.models), ['Note'], 'and no model that code did not define')
  await call(First, 'create', { title: 'x' })
  t.equal(await call(Second, 'count'), 1, 'the rows are those of the name')
})

t.test('classes need no new, and are extended the old way', t => {
  const Note = new ModelBuilder().define('Note', { title: String }) as unknown as Function
  t.equal((Note as unknown as (data: object) => { title: string })({ title: 'x' }).title, 'x')
  function Special (this: object, data: object): void { Note.call(this, data) }
  Special.prototype = Object.create(Note.prototype as object)
  Object.setPrototypeOf(Special, Note)
  const made = Reflect.construct(Special, [{ title: 'y' }]) as { title: string }
  t.equal(made.title, 'y')
  t.ok(made instanceof Note && made instanceof ModelBaseClass)
  t.end()
})

t.test('Model.definition has constructors for types', t => {
  const builder = new ModelBuilder()
  const Address = builder.define('Address', { street: 'string' })
  const Note = builder.define('Note', {
    key: { type: 'string', id: true, mysql: { columnName: 'note_key' } },
    title: 'string', text: ModelBuilder.Text, at: 'date', any: 'any', home: 'Address', tags: ['number'],
    inner: { w: Number }
  }, { mysql: { table: 'notes' }, indexes: { byTitle: { title: 1 } } })
  const { properties } = Note.definition
  t.equal(properties.title!.type, String)
  t.equal(properties.text!.type, ModelBuilder.Text)
  t.equal(properties.at!.type, Date)
  t.equal(properties.home!.type, Address)
  t.strictSame(properties.tags!.type, [Number])
  t.equal((properties.inner!.type as { definition: typeof Note.definition }).definition.properties.w!.type, Number)
  t.equal(Note.definition.idName(), 'key')
  t.equal(Note.definition.hasPK(), true)
  t.equal(Note.definition.tableName('mysql'), 'notes')
  t.equal(Note.definition.columnName('mysql', 'key'), 'note_key')
  t.strictSame(Object.keys(Note.definition.indexes()), ['byTitle'])
  t.match(Note.definition.toJSON(), { name: 'Note', properties: { title: { type: 'String' }, inner: { type: { w: {} } } } })
  Note.definition.defineProperty('late', Boolean)
  t.equal(Note.definition.properties.late!.type, Boolean)
  t.equal(new ModelDefinition(builder, 'Free', { n: 'number' }).build().n!.type, Number)
  t.end()
})

t.test('data sources say names of tables and columns, copy models, and forget them', async t => {
  const db = new DataSource('memory')
  const Note = db.define('Note', { title: { type: String, memory: { columnName: 'T' } } })
  t.equal(db.idName('Note'), 'id')
  t.equal(db.columnName('Note', 'title'), 'T')
  t.ok(db.supportTypes(['db', 'memory']))
  t.equal(db.isRelational(), false)
  t.equal(db.getMaxOfflineRequests(), 16)
  const other = new DataSource('memory')
  const Copy = other.copyModel(Note)
  await call(Copy, 'create', { title: 'there' })
  t.equal(await call(Note, 'count'), 0)
  t.equal(await call(Copy, 'count'), 1)
  db.deleteModelByName('Note')
  t.equal(db.getModel('Note'), undefined)
  const Built = db.buildModelFromInstance('Built', { name: 'Ada', born: new Date(), inner: { w: 1 } })
  t.equal(Built.definition.properties.born!.type, Date)
})

t.test('tables are discovered where the connector can, else a typed error says so', async t => {
  const db = new DataSource('memory')
  await t.rejects(db.discoverModelDefinitions() as Promise<unknown>, { code: 'FBK_DISCOVERY_UNSUPPORTED' })
  t.throws(() => db.discoverSchemasSync('LINES'), { code: 'FBK_DISCOVERY_UNSUPPORTED' })
  Object.assign(db.connector, {
    discoverModelProperties: (table: string, _options: object, done: Function) => done(null, table === 'ORDER_LINES'
      ? [{ owner: 'SHOP', columnName: 'LINE_NO', type: 'Number', nullable: 'N' }, { columnName: 'SKU', type: 'String' }]
      : []),
    discoverPrimaryKeys: (_table: string, _options: object, done: Function) =>
      done(null, [{ columnName: 'LINE_NO', keySeq: 1 }])
  })
  const schemas = await db.discoverSchemas('ORDER_LINES')
  t.match(schemas, { 'SHOP.ORDER_LINES': { name: 'OrderLines', properties: { lineNo: { id: 1, required: true } } } })
  const { OrderLines } = await db.discoverAndBuildModels('ORDER_LINES') as Record<string, { modelName: string }>
  t.equal(OrderLines!.modelName, 'OrderLines')
  await t.rejects(db.discoverSchema('NONE') as Promise<unknown>, { code: 'FBK_CORE_NO_TABLE' })
})

t.test('transactions: classes of their own, observers, time', async t => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'juggler-')), 'tx.db')
  const db = new DataSource('db', { connector: 'sqlite3', file })
  const Note = db.define('Note', { title: String })
  await db.transaction(async models => { await call(models.Note, 'create', { title: 'kept' }) })
  await t.rejects(db.transaction(async models => {
    await call(models.Note, 'create', { title: 'gone' })
    throw new Error('no')
  }) as Promise<unknown>, { message: 'no' })
  t.equal(await call(Note, 'count'), 1)

  const tx = await db.beginTransaction({ isolationLevel: Transaction.SERIALIZABLE }) as Transaction
  const told: string[] = []
  tx.observe('before commit', async ({ operation }) => { told.push(`before ${operation}`) })
  tx.observe('after commit', (_context, next) => { told.push('after'); next() })
  await call(Note, 'create', { title: 'second' }, { transaction: tx })
  await tx.commit()
  t.strictSame(told, ['before commit', 'after'])
  t.equal(String(tx), tx.id)
  await t.rejects(tx.commit() as Promise<unknown>, { code: 'TRANSACTION_INACTIVE' })

  const late = await db.beginTransaction({ timeout: 20 }) as Transaction
  await new Promise(resolve => { late.observe('timeout', async () => { resolve(undefined) }) })
  await new Promise(resolve => { setTimeout(resolve, 20) })
  await t.rejects(call(Note, 'create', {}, { transaction: late }), { code: 'TRANSACTION_INACTIVE' })
  await db.disconnect()
})

t.test('a store without transactions does at the commit what it was asked before', async t => {
  const db = new DataSource('memory')
  const Note = db.define('Note', { title: String })
  const tx = db.transaction() as InstanceType<typeof EventEmitter> & {
    models: Record<string, unknown>, commit (): Promise<void>, transaction (): void
  }
  t.ok(tx instanceof EventEmitter)
  t.throws(() => { tx.transaction() }, { code: 'FBK_CORE_NESTED_TRANSACTION' })
  const creating = call(tx.models.Note, 'create', { title: 'x' })
  t.equal(await call(Note, 'count'), 0)
  await tx.commit()
  await creating
  t.equal(await call(Note, 'count'), 1)
})

t.test('a data source that code makes opens by itself', async t => {
  const db = new DataSource('memory')
  t.equal(db.connected, false)
  await once(db, 'connected')
  t.equal(db.connected, true)

  const lazy = new DataSource({ connector: 'memory', lazyConnect: true })
  await new Promise(resolve => { setTimeout(resolve, 20) })
  t.equal(lazy.connected, false, 'its first operation opens it')
  await call(lazy.define('Note', { title: String }), 'create', { title: 'a' })
  t.equal(lazy.connected, true)

  const broken = new DataSource({ connector: 'postgresql', url: 'postgres://127.0.0.1:1/none' })
  const [error] = await once(broken, 'error')
  t.ok(error instanceof Error)
  await t.rejects(call(broken.define('Note', { title: String }), 'create', { title: 'a' }), Error)
})

t.test('callbacks, events and values by key', async t => {
  const db = new DataSource('memory')
  const connected = once(db, 'connected')
  await new Promise<void>((resolve, reject) => {
    db.connect(error => { if (error === null || error === undefined) resolve(); else reject(error) })
  })
  await connected
  const cache = new DataSource({ connector: 'kv-memory' }).createModel('Cache', { key: String })
  await call(cache, 'set', 'a', 1)
  t.equal(await call(cache, 'get', 'a'), 1)
  t.equal(new DateString('2015-01-01').toString(), '2015-01-01')
})
