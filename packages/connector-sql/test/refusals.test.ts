/** A database that refuses a value: the error names property and reason, on each of them. */
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Engine = 'sqlite' | 'postgres' | 'mysql'
interface Refused { readonly path: string, readonly code: string, readonly says?: RegExp }

const properties = {
  id: { type: 'number', id: true },
  low: 'number',
  high: 'number',
  small: 'number',
  tiny: 'number',
  price: 'number',
  mood: 'string',
  code: 'string',
  label: 'string',
  mail: 'string',
  net: 'string',
  must: { type: 'string', postgresql: { columnName: 'must_be' }, mysql: { columnName: 'must_be' }, sqlite3: { columnName: 'must_be' } }
}

const good = { low: 1, high: 2, small: 3, tiny: 4, price: 1.5, code: 'a', label: 'b', must: 'x' }

async function modelOf (t: Test, url: string, statements: readonly string[], names: readonly string[]): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  await registry.start()
  t.teardown(() => registry.stop())
  for (const statement of statements) await db.execute(statement)
  const own = Object.entries(properties).filter(([name]) => names.includes(name))
  const Item: Loose = registry.defineModel({ name: 'Item', strict: true, properties: Object.fromEntries(own) } as Loose)
  registry.attach(Item, db)
  return Item
}

async function refuses (
  t: Test, write: () => Promise<unknown>, { path, code, says }: Refused, what: string
): Promise<void> {
  const error: Loose = await write().then(() => t.fail(`${what} was stored`), (error: unknown) => error)
  t.equal(error.statusCode, 422, what)
  t.match(error.violations?.[0], { path, code }, what)
  t.match(error.message, /`Item`/)
  if (says !== undefined) t.match(error.violations[0].message, says)
  t.notMatch(JSON.stringify([error.message, error.violations]), /INSERT|UPDATE|SELECT|``/, 'no SQL, no nameless value')
}

const all = Object.keys(properties)
const cases: Readonly<Record<Engine, ReadonlyArray<readonly [data: object, refused: Refused]>>> = {
  postgres: [
    [{ low: 3 }, { path: '.low', code: 'check', says: /low_first/ }],
    [{ small: -1 }, { path: '.small', code: 'check', says: /item_small_check/ }],
    [{ tiny: 70_000 }, { path: '.tiny', code: 'type', says: /range/ }],
    [{ price: 12345.5 }, { path: '.price', code: 'type', says: /range/ }],
    [{ mood: 'angry' }, { path: '.mood', code: 'type' }],
    [{ net: 'nowhere' }, { path: '.net', code: 'type' }],
    [{ mail: 'nobody' }, { path: '.mail', code: 'check', says: /mail_check/ }],
    [{ code: 'abcdef' }, { path: '.code', code: 'length', says: /5 characters/ }],
    [{ label: 'abcdef', code: 'abcdef' }, { path: '', code: 'length', says: /^the row / }],
    [{ must: null }, { path: '.must', code: 'presence' }]
  ],
  mysql: [
    [{ low: 3 }, { path: '.low', code: 'check', says: /low_first/ }],
    [{ small: -1 }, { path: '.small', code: 'check' }],
    [{ tiny: 70_000 }, { path: '.tiny', code: 'type', says: /range/ }],
    [{ price: 12345.5 }, { path: '.price', code: 'type', says: /range/ }],
    [{ mood: 'angry' }, { path: '.mood', code: 'type' }],
    [{ net: 'nowhere' }, { path: '.net', code: 'type' }],
    [{ code: 'abcdef' }, { path: '.code', code: 'length', says: /5 characters/ }],
    [{ must: null }, { path: '.must', code: 'presence' }]
  ],
  sqlite: [
    [{ low: 3 }, { path: '.low', code: 'check', says: /low_first/ }],
    [{ small: -1 }, { path: '.small', code: 'check' }],
    [{ mood: 'angry' }, { path: '.mood', code: 'check' }],
    [{ must: null }, { path: '.must', code: 'presence' }]
  ]
}
const tables: Readonly<Record<Engine, readonly string[]>> = {
  postgres: [
    "CREATE TYPE mood AS ENUM ('glad', 'sad')",
    "CREATE DOMAIN mail AS text CHECK (value LIKE '%@%')",
    `CREATE TABLE item (id serial PRIMARY KEY, low int, high int, small int CHECK (small > 0), tiny smallint, price numeric(5,2), mood mood,
      code varchar(5), label varchar(5), mail mail, net cidr, must_be text NOT NULL, CONSTRAINT low_first CHECK (low < high))`
  ],
  mysql: [
    `CREATE TABLE item (id int AUTO_INCREMENT PRIMARY KEY, low int, high int, small int CHECK (small > 0), tiny smallint, price decimal(5,2), mood enum('glad','sad'),
      code varchar(5), label varchar(5), net date, must_be varchar(20) NOT NULL, CONSTRAINT low_first CHECK (low < high))`
  ],
  sqlite: [
    `CREATE TABLE item (id INTEGER PRIMARY KEY, low int, high int, small int CHECK (small > 0), tiny int, price real, mood text CHECK (mood IN ('glad', 'sad')),
      code varchar(5), label varchar(5), must_be text NOT NULL, CONSTRAINT low_first CHECK (low < high))`
  ]
}

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? 'sqlite::memory:' : await scratchUrl(t, engine)
    if (url === undefined) return
    const lacking = { sqlite: ['mail', 'net'], mysql: ['mail'], postgres: [] }[engine] as readonly string[]
    const Item = await modelOf(t, url, tables[engine], all.filter(name => !lacking.includes(name)))
    const { id } = await Item.create(good)
    for (const [data, refused] of cases[engine]) {
      const what = JSON.stringify(data)
      await refuses(t, async () => await Item.create({ ...good, ...data }), refused, `create ${what}`)
      await refuses(t, async () => await Item.create([good, { ...good, ...data }]), refused, `create of a list ${what}`)
      await refuses(t, async () => await Item.replaceById(id, { ...good, ...data }), refused, `replace ${what}`)
      await refuses(t, async () => await Item.updateAll({ id }, data), refused, `updateAll ${what}`)
      await refuses(t, async () => await (await Item.findById(id)).updateAttributes(data), refused, `updateAttributes ${what}`)
    }
    t.match(await Item.findById(id), good, 'nothing was changed')
    t.equal(await Item.count(), 1)
  })
}

t.test('sqlite: a strict table names the column', async t => {
  const Item = await modelOf(t, 'sqlite::memory:', ['CREATE TABLE item (id INTEGER PRIMARY KEY, mood INT, must_be TEXT) STRICT'], ['id', 'mood', 'must'])
  await refuses(t, async () => await Item.create({ mood: 'x', must: 'y' }), { path: '.mood', code: 'type' }, 'a text for a number')
})
