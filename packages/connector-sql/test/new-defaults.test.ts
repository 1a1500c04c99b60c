/** A new property with a default, in a model whose table has rows: these get it, on each database. */
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'

type Loose = any

const given = {
  text: { type: 'string', default: "it's \\ \"a\"\n" },
  count: { type: 'number', default: 1.5 },
  whole: { type: 'number', default: 7, postgresql: { dataType: 'integer' }, mysql: { dataType: 'INT' } },
  far: { type: 'long', default: 9007199254740991 },
  flag: { type: 'boolean', default: false },
  at: { type: 'date', default: '2020-01-02T03:04:05.678Z' },
  day: { type: 'dateOnly', default: '2020-02-29' },
  time: { type: 'time', default: '08:30:00.25' },
  doc: { type: 'object', default: { a: [1, { b: "x'y" }] } },
  list: { type: ['string'], default: ['a', 'b'] },
  bytes: { type: 'buffer', default: Buffer.from([0, 255]) },
  empty: { type: 'string', default: '' }
}

const none = {
  made: { type: 'date', defaultFn: 'now' },
  own: { type: 'string', defaultFn: 'uuid' },
  nothing: { type: 'string', default: null },
  unkept: { type: 'string', default: 'x', persistDefaultValues: false },
  sole: { type: 'string', default: 'x', index: { unique: true } }
}

async function modelOf (t: Test, url: string, properties: object, settings: object = {}): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  registry.attach(registry.defineModel({ name: 'Item', properties, ...settings } as Loose), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return { db, Item: registry.models.Item }
}

const plain = (value: unknown): Loose => JSON.parse(JSON.stringify(value))

async function fills (t: Test, url: string): Promise<void> {
  const before = await modelOf(t, url, { name: 'string' })
  await before.db.autoupdate()
  await before.Item.create([
    { name: 'a' },
    { name: 'b', text: 'own', count: 3 },
    { name: 'c', text: null, count: 'no number', more: 1 }
  ])
  const { db, Item } = await modelOf(t, url, { name: 'string', ...given, ...none })
  const plan = await db.plan()
  const shown = plan.changes.filter(({ fills }: Loose) => fills !== undefined)
  t.same(shown.map(({ columns: [name] }: Loose) => name), Object.keys(given), 'the plan tells')
  t.match(shown, [{ fills: JSON.stringify(given.text.default) }, { fills: '1.5' }])
  await db.autoupdate()
  t.equal(await db.isActual(), true)
  const filled = plain(Object.fromEntries(Object.entries(given).map(([name, { default: value }]) => [name, value])))
  const rows = async (): Promise<Loose[]> => plain(await Item.find({ order: 'id' })).map((row: object) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'unkept')))
  const [first, second, third] = await rows()
  t.same(first, { id: 1, name: 'a', ...filled })
  t.same(second, { id: 2, name: 'b', ...filled, text: 'own', count: 3 }, 'what was undeclared moves')
  t.match(third, { text: null, count: 'no number', more: 1, far: filled.far }, 'or stays')
  t.equal(await Item.count({ text: given.text.default }), 1)
  await before.Item.create({ name: 'd' })
  t.same((await rows())[3], { id: 4, name: 'd' }, 'the database keeps no default')
  await Item.updateAll({ text: 'changed' })
  await db.autoupdate()
  t.same((await rows()).map(({ text }) => text), Array(4).fill('changed'), 'once only')
}

t.test('sqlite', async t => { await fills(t, `sqlite:${t.testdir({})}/rows.sqlite`) })
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await scratchUrl(t, engine)
    if (url !== undefined) await fills(t, url)
  })
}
