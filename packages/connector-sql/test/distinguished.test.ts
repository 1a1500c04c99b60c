/**
 * Tables of others whose rows are told apart otherwise than by the number that the database has for each: it is by that
 * that rows are changed which JavaScript has found.
 */
import { ModelRegistry, type DataSource, type ModelClass } from '@fastback/core'
import { remoteOptions } from '@fastback/core/remote'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'

type Loose = any

const tables = [
  'CREATE TABLE "Text" ("code" TEXT PRIMARY KEY, "n" TEXT) WITHOUT ROWID',
  'CREATE TABLE "Number" ("code" INTEGER PRIMARY KEY, "n" TEXT) WITHOUT ROWID, STRICT',
  'CREATE TABLE "Compound" ("a" TEXT, "b" INTEGER, "n" TEXT, PRIMARY KEY ("b", "a")) WITHOUT ROWID',
  'CREATE TABLE "NoId" ("a" TEXT, "b" INTEGER, "n" TEXT, PRIMARY KEY ("b", "a")) /* by its key */ WITHOUT ROWID',
  'CREATE TABLE "Noted" ("code" TEXT PRIMARY KEY, -- it isn\'t :(\n /* "n" */ "n" TEXT CHECK ("n" <> \')--\')) WITHOUT ROWID',
  // Nothing stands in their way but a name.
  'CREATE TABLE "Named" ("rowid" TEXT, "n" TEXT)',
  'CREATE TABLE "KeyedNamed" ("code" TEXT PRIMARY KEY, "RowId" TEXT, "n" TEXT)',
  'CREATE TABLE "AllNamed" ("rowid" TEXT, "_rowid_" TEXT, "oid" TEXT, "n" TEXT)'
]
const definitions = {
  Text: { code: { type: 'string', id: true, generated: false }, n: 'string' },
  Number: { code: { type: 'number', id: true, generated: false }, n: 'string' },
  Compound: { a: { type: 'string', id: 1 }, b: { type: 'number', id: 2 }, n: 'string' },
  NoId: { a: 'string', b: 'number', n: 'string' },
  Noted: { code: { type: 'string', id: true, generated: false }, n: 'string' },
  Named: { rowid: 'string', n: 'string' },
  KeyedNamed: { code: { type: 'string', id: true, generated: false }, RowId: 'string', n: 'string' },
  AllNamed: { rowid: 'string', _rowid_: 'string', oid: 'string', n: 'string' }
}
const rows: Record<keyof typeof definitions, Loose[]> = {
  Text: [{ code: 'it\'s "b"', n: 'ab' }, { code: '12', n: 'cd' }, { code: 'ä', n: 'ae' }],
  Number: [{ code: 5, n: 'ab' }, { code: 2 ** 53 - 1, n: 'cd' }, { code: -3, n: 'ae' }],
  Compound: [{ a: 'x', b: 2, n: 'ab' }, { a: '1', b: 2, n: 'cd' }, { a: 'z"', b: 1, n: 'ae' }],
  NoId: [{ a: 'x', b: 2, n: 'ab' }, { a: '1', b: 2, n: 'cd' }, { a: 'z"', b: 1, n: 'ae' }],
  Noted: [{ code: 'b', n: 'ab' }, { code: 'a', n: 'cd' }, { code: 'c', n: 'ae' }],
  KeyedNamed: [
    { code: 'b', RowId: 'same', n: 'ab' }, { code: 'c', RowId: 'same', n: 'cd' }, { code: 'a', RowId: 'same', n: 'ae' }
  ],
  Named: [{ rowid: 'x', n: 'ab' }, { rowid: '1', n: 'cd' }, { rowid: 'a', n: 'ae' }],
  AllNamed: [
    { rowid: 'x', _rowid_: 'y', oid: 'z', n: 'ab' }, { rowid: 'b', _rowid_: 'y', oid: 'z', n: 'cd' },
    { rowid: 'b', _rowid_: 'a', oid: 'z', n: 'ae' }
  ]
}
/** The places in `rows` of what a request without an order gives. */
const inOrder: Record<keyof typeof definitions, number[]> = {
  Text: [1, 0, 2], Number: [2, 0, 1], Compound: [1, 0, 2], NoId: [2, 1, 0],
  Noted: [1, 0, 2], KeyedNamed: [2, 0, 1], Named: [0, 1, 2], AllNamed: [2, 1, 0]
}

async function open (
  t: Test, url: string, statements: readonly string[], definitions: Readonly<Record<string, object>>
): Promise<{ db: DataSource, models: Record<string, ModelClass> }> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  await registry.start()
  t.teardown(() => registry.stop())
  for (const statement of statements) await db.execute(statement)
  for (const [name, properties] of Object.entries(definitions)) {
    registry.attach(registry.defineModel({ name, strict: true, idInjection: false, properties } as Loose), db)
  }
  return { db, models: registry.models as Loose }
}

const openSqlite = async (t: Test): ReturnType<typeof open> =>
  await open(t, 'sqlite::memory:', tables, definitions)

const plain = (found: unknown): unknown => JSON.parse(JSON.stringify(found))

for (const name of Object.keys(definitions) as Array<keyof typeof definitions>) {
  t.test(`sqlite: rows of ${name} are read in an order of the table, changed and removed`, async t => {
    const Model = (await openSqlite(t)).models[name] as Loose
    const given = rows[name]
    for (const row of given) await Model.create(row)
    t.same(plain(await Model.find()), inOrder[name].map(i => given[i]))
    t.same(plain(await Model.find({ skip: 1, limit: 1 })), [given[inOrder[name][1] as number]])

    // JavaScript looks at the rows of a request, and names those that fit.
    const remote = remoteOptions({}) as Loose
    const found = await Model.find({ where: { n: { regexp: /^A/i } } }, remote)
    t.same(plain(found), inOrder[name].map(i => given[i]).filter(({ n }) => n !== 'cd'))
    t.match(await Model.updateAll({ n: { regexp: /^AB/i } }, { n: 'new' }, remote), { count: 1 })
    t.match(await Model.destroyAll({ n: { regexp: /^C/i } }, remote), { count: 1 })
    t.same(plain(await Model.find({ order: 'n' })), [given[2], { ...given[0], n: 'new' }])
  })
}

t.test('sqlite: a key of whole numbers is given out by the database only where it is the number of the row', async t => {
  const { db } = await openSqlite(t)
  await db.execute('CREATE TABLE "Counted" ("code" INTEGER PRIMARY KEY, "n" TEXT) STRICT')
  const found = await db.discover() as Loose[]
  const code = (table: string): Loose => found.find(({ name }) => name === table).properties.code
  t.equal(code('Counted').generated, true)
  t.not(code('Number').generated, true)
})

const place = { place: 'string', n: 'string' }

/** Two rows of a condition that JavaScript tests, and two that are beside them. */
async function changesSome (t: Test, Model: Loose): Promise<void> {
  const isA = { n: { regexp: /^A\b|^a./i } }
  const names = async (): Promise<string[]> =>
    (await Model.find() as Loose[]).map(({ place, n }) => `${String(place)} ${String(n)}`).sort()
  t.match(await Model.updateAll(isA, { place: 'new' }), { count: 2 })
  t.same(await names(), ['east bc', 'new ab', 'new ae', 'null cd'])
  t.match(await Model.destroyAll(isA), { count: 2 })
  t.same(await names(), ['east bc', 'null cd'])
}

const fourRows = "('east', 'ab'), ('east', 'bc'), (NULL, 'cd'), (NULL, 'ae')"

t.test('postgres: rows of partitions, and of tables that inherit, are not taken for those at the same place in others', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  const { models: { parts, heirs } } = await open(t, url, [
    'CREATE TABLE "parts" ("place" text, "n" text) PARTITION BY LIST ("n")',
    ...['ab', 'bc', 'cd', 'ae'].map(n => `CREATE TABLE "part_${n}" PARTITION OF "parts" FOR VALUES IN ('${n}')`),
    `INSERT INTO "parts" VALUES ${fourRows}`,
    'CREATE TABLE "heirs" ("place" text, "n" text)',
    'CREATE TABLE "heir" () INHERITS ("heirs")',
    "INSERT INTO \"heirs\" VALUES ('east', 'ab'), ('east', 'bc')",
    "INSERT INTO \"heir\" VALUES (NULL, 'cd'), (NULL, 'ae')"
  ], { parts: place, heirs: place })
  await changesSome(t, parts)
  await changesSome(t, heirs)
})

t.test('postgres: rows of a view that writes into its table are changed', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  const { models: { shown } } = await open(t, url, [
    'CREATE TABLE "hidden" ("place" text, "n" text, "data" json)',
    `INSERT INTO "hidden" ("place", "n") VALUES ${fourRows}`,
    'CREATE VIEW "shown" AS SELECT "place", "n", "data" FROM "hidden"'
  ], { shown: place })
  await changesSome(t, shown)
})

t.test('mysql: rows of a table without a key, or with one that the model does not have, are changed', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url === undefined) return
  const { models } = await open(t, url, [
    'CREATE TABLE `keyless` (`place` varchar(20), `n` text, `size` double, `bytes` blob)',
    'CREATE TABLE `keyed` (`number` int, `place` varchar(20), `n` text, PRIMARY KEY (`number`))',
    "INSERT INTO `keyless` VALUES ('east', 'ab', 1.5, x'ff'), ('east', 'bc', 1.5, x'ff'), (NULL, 'cd', 0.1, NULL), (NULL, 'ae', 0.2, NULL)",
    "INSERT INTO `keyed` VALUES (1, 'east', 'ab'), (2, 'east', 'bc'), (3, NULL, 'cd'), (4, NULL, 'ae')"
  ], { keyless: place, keyed: place })
  await changesSome(t, models.keyless)
  await changesSome(t, models.keyed)
})

t.test('mysql: rows are not taken for others that have the same value in what the model has for its id', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url === undefined) return
  const given = "('a', NULL, 'ab'), ('a', 'east', 'bc'), ('a', NULL, 'cd'), ('a', NULL, 'ae')"
  const properties = { shelf: { type: 'string', id: true, generated: false }, ...place }
  const { models: { keyless, keyed } } = await open(t, url, [
    'CREATE TABLE `keyless` (`shelf` varchar(20) NOT NULL, `place` varchar(20), `n` text, KEY (`shelf`))',
    'CREATE TABLE `keyed` (`number` int AUTO_INCREMENT PRIMARY KEY, `shelf` varchar(20), `place` varchar(20), `n` text)',
    `INSERT INTO \`keyless\` VALUES ${given}`,
    `INSERT INTO \`keyed\` (\`shelf\`, \`place\`, \`n\`) VALUES ${given}`
  ], { keyless: properties, keyed: properties })
  await changesSome(t, keyless)
  await changesSome(t, keyed)
})

t.test('mysql: rows of a view are changed', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url === undefined) return
  const { models: { shown } } = await open(t, url, [
    'CREATE TABLE `keyed` (`number` int AUTO_INCREMENT PRIMARY KEY, `place` varchar(20), `n` text)',
    `INSERT INTO \`keyed\` (\`place\`, \`n\`) VALUES ${fourRows}`,
    'CREATE VIEW `shown` AS SELECT `place`, `n` FROM `keyed`'
  ], { shown: place })
  await changesSome(t, shown)
})
