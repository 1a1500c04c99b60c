/** Tables with triggers of others: the response of a write is the row as these left it. */
import t from 'tap'
import { discovered } from './support/discovered.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any

const table = (key: string): string => `CREATE TABLE letter (id ${key}, title varchar(20), stamp varchar(20), edits int)`
const before = "NEW.stamp = 'by trigger'; NEW.edits = coalesce(NEW.edits, 0) + 1"

const cases: ReadonlyArray<readonly [engine: 'sqlite' | 'postgres' | 'mysql', what: string, statements: readonly string[]]> = [
  ['postgres', 'before', [
    table('serial PRIMARY KEY'),
    `CREATE FUNCTION stamped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${before}; RETURN NEW; END $$`,
    'CREATE TRIGGER stamps BEFORE INSERT OR UPDATE ON letter FOR EACH ROW EXECUTE FUNCTION stamped()'
  ]],
  ['postgres', 'after', [
    table('serial PRIMARY KEY'),
    `CREATE FUNCTION stamped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE letter SET stamp = 'by trigger', edits = coalesce(edits, 0) + 1 WHERE id = NEW.id AND pg_trigger_depth() < 2; RETURN NULL; END $$`,
    'CREATE TRIGGER stamps AFTER INSERT OR UPDATE ON letter FOR EACH ROW EXECUTE FUNCTION stamped()'
  ]],
  ['mysql', 'before', [
    table('int AUTO_INCREMENT PRIMARY KEY'),
    ...['INSERT', 'UPDATE'].map(event => `CREATE TRIGGER stamps_${event} BEFORE ${event} ON letter FOR EACH ROW
      SET NEW.stamp = 'by trigger', NEW.edits = coalesce(NEW.edits, 0) + 1`)
  ]],
  ['sqlite', 'after', [
    table('INTEGER PRIMARY KEY'),
    ...['INSERT', 'UPDATE'].map(event => `CREATE TRIGGER stamps_${event} AFTER ${event} ON letter BEGIN
      UPDATE letter SET stamp = 'by trigger', edits = coalesce(edits, 0) + 1 WHERE id = NEW.id; END`)
  ]]
]

const plain = (row: unknown): Loose => JSON.parse(JSON.stringify(row))

for (const [engine, what, statements] of cases) {
  t.test(`${engine}: ${what} a row is written`, async t => {
    const url = engine === 'sqlite' ? `sqlite:${t.testdir({})}/letters.sqlite` : await scratchUrl(t, engine)
    if (url === undefined) return
    const { models: { Letter } } = await discovered(t, url, {
      statements, options: { careful: true }, settings: { forceId: false }
    })
    const isRow = async (answer: Loose, what: string): Promise<void> => {
      t.equal(answer.stamp, 'by trigger', what)
      t.same(plain(answer), plain(await Letter.findById(answer.id)), what)
    }
    const one = await Letter.create({ title: 'a', stamp: 'own', edits: 0 })
    await isRow(one, 'create')
    for (const made of await Letter.create([{ title: 'b' }, { title: 'c', stamp: 'own' }])) await isRow(made, 'create of a list')
    for (const made of await Letter.create([{ id: 11, title: 'd' }, { id: 12, title: 'e' }])) await isRow(made, 'with ids')
    await isRow(await Letter.replaceById(one.id, { title: 'f', stamp: 'own' }), 'replaceById')
    await isRow(await Letter.patchOrCreate({ id: one.id, title: 'g' }), 'patchOrCreate')
    await isRow(await (await Letter.findById(one.id)).updateAttributes({ stamp: 'own' }), 'updateAttributes')
    await isRow(await Letter.upsertWithWhere({ title: 'h' }, { title: 'h' }), 'upsertWithWhere')
    await isRow((await Letter.findOrCreate({ where: { title: 'i' } }, { title: 'i' }))[0], 'findOrCreate')
    t.equal(await Letter.count({ stamp: 'by trigger' }), 7)
  })
}
