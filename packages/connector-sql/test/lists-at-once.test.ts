/** Lists of new rows whose ids the database gives out: few statements on servers, and each row with the id it got. */
import t from 'tap'
import type { Row } from '@fastback/core'
import { discovered } from './support/discovered.js'
import { openSql } from './support/connectors.js'
import { makeModel, query } from './support/models.js'
import { refuses } from './support/refuses.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any

/** Watches the INSERTs of a connector. */
function inserts (sql: Loose): { count: number } {
  const seen = { count: 0 }
  sql.observed((request: Loose, run: Loose) => {
    if (/^INSERT/.test(request.sql)) seen.count++
    return run(request)
  })
  return seen
}

/** MySQL's INSERT does not tell what it inserted: there each row is asked for. */
const isTold = async (sql: Loose, engine: string): Promise<boolean> =>
  engine === 'postgres' || /mariadb/i.test(String((await sql.execute('SELECT version() AS v'))[0].v))

for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await scratchUrl(t, engine)
    if (url === undefined) return
    const note = makeModel('Note', { title: 'string', size: 'number' }, {
      indexes: [{ name: 'title', unique: true, columns: [{ property: 'title', descending: false }] }]
    })
    const line = makeModel('Line', { text: 'string' }, { id: null })
    const sql = await openSql({ url }, [note, line]) as Loose
    t.teardown(() => sql.disconnect())
    if (!await isTold(sql, engine)) {
      t.comment('this server does not tell what it inserted')
      return
    }
    const rows = Array.from({ length: 1000 }, (_, i) => ({ title: `t${String(i)}`, size: i }))
    const seen = inserts(sql)
    const stored: Row[] = await sql.createMany(note, rows, {})
    t.ok(seen.count <= 12, `${seen.count} statements for 1000 rows`)
    t.strictSame(stored.map(({ title, size }) => ({ title, size })), rows, 'in their order')
    t.strictSame(await sql.find(note, query(note), {}), stored, 'each with its own id')

    seen.count = 0
    const transaction = await sql.transactions.begin({})
    await sql.createMany(note, rows.map(({ size }) => ({ title: `u${String(size)}` })), { transaction })
    t.ok(seen.count <= 12, `${seen.count} statements within a transaction`)
    await refuses(t, () => sql.createMany(note, [{ title: 'new' }, { title: 'other' }, { title: 't7' }], { transaction }), {
      properties: ['title']
    })
    t.equal(await sql.count(note, undefined, { transaction }), 2000, 'of a list that fails nothing stays')
    const [after] = await sql.createMany(note, [{ title: 'new' }], { transaction })
    t.type(after.id, 'number', 'the transaction goes on')
    await sql.transactions.rollback(transaction)
    t.equal(await sql.count(note, undefined, {}), 1000)

    const good = rows.map((_, i) => ({ title: `v${String(i)}` }))
    await refuses(t, () => sql.createMany(note, [...good, { title: 't1' }], {}), { properties: ['title'] })
    t.equal(await sql.count(note, undefined, {}), 1000, 'nor of the statements before the one that failed')

    const forms: Row[] = [{ title: 'm1' }, {}, { size: 2 }, { size: 3 }, { title: 'm2', size: undefined }, { title: 'm3' }]
    const given: Row[] = [{ title: 'g1' }, { id: 9000, title: 'g2' }, { title: 'g3' }, { title: 'g4' }]
    const wholes = { names: ['title', 'size', 'id'], extra: 'all' }
    // Those without values have statements of their own, and so has a whole list with them.
    for (const list of [forms, forms.filter(row => Object.keys(row).length > 0), given]) {
      await sql.deleteAll(note, undefined, {})
      const made: Row[] = await sql.createMany(note, list, {})
      t.match(made, list.map(({ title = null, ...others }) => title === null ? others : { ...others, title }), 'of several forms')
      for (const row of made) t.strictSame(await sql.findById(note, row.id, wholes, {}), row)
    }

    seen.count = 0
    const lines = rows.map(({ title }) => ({ text: title }))
    t.same(await sql.createMany(line, lines, {}), lines)
    t.ok(seen.count <= 12, `${seen.count} statements for 1000 rows without an id`)

    // Longer than MariaDB takes in one statement (`max_allowed_packet`, 16 MB).
    const long = 'x'.repeat(100_000)
    await sql.deleteAll(line, undefined, {})
    await sql.createMany(line, Array.from({ length: 200 }, (_, i) => ({ text: `${String(i)}${long}` })), {})
    t.equal(await sql.count(line, undefined, {}), 200, 'long rows')
  })
}

t.test('what the database makes of rows', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  const { models: { Letter, Parcel }, registry } = await discovered(t, url, {
    statements: [
      `CREATE TABLE letter (id uuid DEFAULT gen_random_uuid() PRIMARY KEY, title varchar(20),
        stamp varchar(20) DEFAULT 'by default', twice varchar(40) GENERATED ALWAYS AS (title || title) STORED)`,
      'CREATE TABLE parcel (id serial PRIMARY KEY, title varchar(20))',
      `CREATE FUNCTION sorted_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.title = 'lost' THEN RETURN NULL; END IF; RETURN NEW; END $$`,
      'CREATE TRIGGER sorts BEFORE INSERT ON parcel FOR EACH ROW EXECUTE FUNCTION sorted_out()'
    ],
    settings: { forceId: false }
  }) as Loose
  const seen = inserts(registry.dataSources.db.connector)
  const letters = await Letter.create(Array.from({ length: 64 }, (_, i) => ({ title: `t${String(i)}` })))
  t.equal(seen.count, 1, 'defaults, and what is worked out, come with the ids')
  for (const [i, letter] of letters.entries()) {
    t.match(letter, { title: `t${String(i)}`, stamp: 'by default', twice: `t${String(i)}t${String(i)}` })
    t.equal((await Letter.findById(letter.id)).title, letter.title)
  }
  seen.count = 0
  await Parcel.create([{ title: 'a' }, { title: 'lost' }, { title: 'b' }]).catch(() => {})
  t.equal(seen.count, 3, 'a trigger may leave a row out: each by itself')
})
