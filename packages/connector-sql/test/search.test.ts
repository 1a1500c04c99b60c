// FASTBACK_TEST_FULL: random words on three database servers.
/** Searches for words: every database finds the rows that the memory connector finds, whatever is in the search. */
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'
import { runsOf } from '../../../test-fixtures/runs.mjs'

type Loose = any
type Engine = 'sqlite' | 'postgres' | 'mysql'

const note = (more: object = {}, language = 'simple'): ModelDefinitionInput => ({
  name: 'Note',
  properties: { title: 'string', body: 'string', stars: 'number' },
  indexes: { search: { text: ['title', 'body'], language } },
  ...more
} as ModelDefinitionInput)

async function open (
  t: Test, settings: object, models: readonly ModelDefinitionInput[], isNew = true
): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { migrate: 'none', ...settings } as Loose)
  for (const model of models) registry.attach(registry.defineModel(model), db)
  await registry.start()
  t.teardown(() => registry.stop())
  if (isNew) await db.automigrate()
  return { db, ...registry.models }
}

const openMemory = (t: Test, models: readonly ModelDefinitionInput[]): Promise<Loose> =>
  open(t, { connector: memoryConnector }, models)

const urlOf = async (t: Test, engine: Engine): Promise<string | undefined> =>
  engine === 'sqlite' ? `sqlite:${t.testdir({})}/rows.sqlite` : await scratchUrl(t, engine)

/** Short words, words that engines leave out, accents, other scripts, digits, and what is an operator somewhere. */
const words = [
  'a', 'the', 'of', 'fast', 'Fast', 'FAST', 'food', 'foods', 'in', 'x', 'ox', 'no', 'AND', 'or', 'Not', 'NEAR',
  'café', 'CAFÉ', 'cafe', 'naïve', 'Привет', 'привет', 'ΟΔΟΣ', 'οδος', 'Straße', 'ϑέμα', 'θέμα', 'fa\u017ft', '7', '42', '2nd', 'a1b2', 'zz', 'zza'
]
const betweens = [' ', ' ', ' ', ', ', '. ', '-', '/', '.', '_', '\'', ' & ', '(', ') ', '\n', ': ', '* ', '"', '@', ' — ', '…', '😀', '🤣', '₽']
const text = fc.array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...betweens)), { maxLength: 6 })
  .map(parts => parts.flat().join(''))
const row = fc.record({ title: fc.option(text), body: fc.option(text), stars: fc.nat(2) })
const term = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map(some => `"${some.join(' ')}"`) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...words), fc.constantFrom(...betweens), fc.constantFrom(...words)).map(parts => parts.join('')) }
)
const excluded = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 3 }).map(some => `"${some.join(' ')}"`) }
).map(each => `-${each}`)
const search = fc.tuple(fc.array(term, { minLength: 1, maxLength: 3 }), fc.array(excluded, { maxLength: 2 }))
  .map(([wanted, not]) => [...wanted, ...not].join(' '))

/** What would be syntax of an engine; the rest of it is looked for as words. */
const attacks = [
  'fast & !food', 'fast:*', "fast') OR 1=1 --", "fast' OR '1'='1", 'fast* NEAR(food, 2)', 'title:fast', '{title body}: fast',
  '^fast', 'fast + food', '+fast -food', '<fast >food', '~fast', '(fast food)', 'fast @2', '"fast food"@5', 'fast <-> food',
  'fast | food', '!fast', 'fast\\', '\\"fast', 'fast\0', '%', '_ fast', '$where fast', '{"$ne":1} fast', 'fast" OR "food',
  'fast AND', 'NOT fast', '"fast', '""fast', '- fast', '--fast', "'; DROP TABLE Note; fast", 'a:b:c', '\u2028fast', '😀 fast'
]

const rows = [
  { title: 'Fast food', body: 'of the fast kind', stars: 1 },
  { title: 'Food', body: 'is not fast, it is in time', stars: 2 },
  { title: 'Slow', body: null, stars: 1 },
  { title: 'fast', body: 'food', stars: 1 },
  { title: null, body: 'title body near where ne 1 or and not drop table note 2 5', stars: 0 },
  { title: 'fast or and not drop table note title body near where ne a b c 1 2 5', body: 'food', stars: 0 }
]

const idsOf = async (model: Loose, filter: object): Promise<unknown> => {
  try {
    return (await model.find({ fields: ['id'], ...filter })).map((row: Loose) => row.id)
  } catch (error) {
    return (error as Loose).code
  }
}

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await urlOf(t, engine)
    if (url === undefined) return
    const stored = await open(t, { connector: sqlConnector, url }, [note()])
    const memory = await openMemory(t, [note()])
    const both = async (work: (model: Loose) => unknown): Promise<unknown[]> =>
      [await work(stored.Note), await work(memory.Note)]
    const agree = async (t: Test, $search: string): Promise<void> => {
      const [found, expected] = await both(model => idsOf(model, { where: { $search }, order: 'id' }))
      t.same(found, expected, $search)
    }

    await t.test('as in memory', async t => {
      const runs = runsOf(engine === 'mysql' ? 15 : 40)
      let seen = 0
      await fc.assert(fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }), fc.array(search, { minLength: 10, maxLength: 10 }),
        fc.array(fc.tuple(fc.nat(11), row)),
        async (rows, searches, changes) => {
          await both(model => model.destroyAll())
          const [ids] = await both(async model => (await model.create(rows)).map((row: Loose) => row.id)) as [number[]]
          for (const [at, change] of changes) {
            const id = ids[at]
            if (id !== undefined) {
              await both(model => change.stars === 0 ? model.destroyAll({ id }) : model.updateAll({ id }, change))
            }
          }
          for (const $search of searches) {
            for (const where of [{ $search }, { stars: 1, and: [{ $search }] }]) {
              const [found, expected] = await both(async model => [
                (await model.find({ where })).map((row: Loose) => row.id), await model.count(where)
              ]) as [unknown[][], unknown[][]]
              // Ids are counted on, so that both have the same.
              if ((expected[0]?.length ?? 0) > 0) seen++
              if (JSON.stringify(found) !== JSON.stringify(expected)) {
                throw new Error(`${JSON.stringify(where)}: ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`)
              }
            }
          }
        }
      ), { numRuns: runs })
      t.ok(seen > runs / 4, `${seen} searches found something`)
    })

    await t.test('syntax of an engine', async t => {
      await both(model => model.destroyAll())
      await both(model => model.create(rows))
      for (const attack of attacks) await agree(t, attack)
      t.equal(await stored.Note.count(), rows.length)
    })

    await t.test('best first', async t => {
      const { Note } = stored
      await Note.destroyAll()
      await Note.create([
        { title: 'b', body: 'once fast, with a long text of other words that say nothing at all' },
        { title: 'fast fast', body: 'fast' },
        { title: 'none', body: 'of it' },
        { title: 'b', body: 'once fast, with a long text of other words that say nothing at all' }
      ])
      const titles = async (filter: object): Promise<string[]> =>
        (await Note.find({ where: { $search: 'fast' }, ...filter })).map(({ title }: Loose) => title)
      t.same(await titles({ order: '$rank' }), ['fast fast', 'b', 'b'])
      t.same(await titles({ order: '$rank DESC' }), ['fast fast', 'b', 'b'])
      t.same(await titles({ order: '$rank', limit: 1, skip: 1 }), ['b'])
      t.same(await titles({ order: ['title DESC', '$rank'] }), ['fast fast', 'b', 'b'])
      const tied = await Note.find({ where: { $search: 'fast' }, order: '$rank' })
      t.ok(tied[1].id < tied[2].id, 'rows that fit as well come by id')
      t.same(await titles({ order: '$rank ASC' }), ['b', 'b', 'fast fast'])
    })

    await t.test('rows of the transaction', async t => {
      const { Note, db } = stored
      await Note.destroyAll()
      await Note.create({ title: 'before' })
      const transaction = await db.beginTransaction()
      await Note.create({ title: 'within fast' }, { transaction })
      await Note.updateAll({ title: 'before' }, { title: 'now fast' }, { transaction })
      const found = await Note.find({ where: { $search: 'fast' }, order: '$rank' }, { transaction })
      t.equal(found.length, 2)
      t.equal(await Note.count({ $search: 'before' }, { transaction }), 0)
      await transaction.rollback()
      t.equal(await Note.count({ $search: 'fast' }), 0)
      t.equal(await Note.count({ $search: 'before' }), 1)
    })

    await t.test('changes by search', async t => {
      const { Note } = stored
      await Note.destroyAll()
      await Note.create([{ title: 'fast food' }, { title: 'food' }])
      t.equal((await Note.updateAll({ $search: 'food -fast' }, { body: 'cheap' })).count, 1)
      t.equal((await Note.destroyAll({ $search: 'cheap' })).count, 1)
      t.equal(await Note.count(), 1)
    })

    await t.test('by the index', async t => {
      const { Note, db } = stored
      await Note.destroyAll()
      await Note.create(Array.from({ length: 300 }, (_, i) => ({ title: `word${i}` })))
      const planOf = async (read: () => Promise<unknown>): Promise<string> => {
        const seen: Array<{ sql: string, params: unknown[] }> = []
        db.connector.observed((request: Loose, run: Loose) => {
          if (/^SELECT/.test(request.sql)) seen.push(request)
          return run(request)
        })
        await read()
        db.connector.observed(undefined)
        const [{ sql, params } = { sql: '', params: [] }] = seen
        if (engine === 'postgres') await db.execute('SET enable_seqscan = off')
        const plan = await db.execute(`${engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${sql}`, params)
        if (engine === 'postgres') await db.execute('SET enable_seqscan = on')
        return JSON.stringify(plan)
      }
      const plan = await planOf(async () => { t.equal(await Note.count({ $search: 'word7' }), 1) })
      t.match(plan, { sqlite: /VIRTUAL TABLE INDEX/, postgres: /Note_search/, mysql: /fulltext/ }[engine], plan)
      if (engine !== 'sqlite') return
      // To rank each row by itself took forty times as long for a hundred rows.
      const ranking = await planOf(async () => await Note.find({ where: { $search: 'word7' }, order: '$rank' }))
      t.match(ranking, /MATERIALIZE ranked/, ranking)
    })

    await t.test('what English changes', async t => {
      const { Essay } = await open(t, { connector: sqlConnector, url }, [{ ...note({}, 'english'), name: 'Essay' }])
      await Essay.create([{ title: 'The running foods' }, { title: 'run of the food' }])
      const found = async ($search: string): Promise<number> => await Essay.count({ $search })
      t.equal(await found('food'), engine === 'mysql' ? 1 : 2, 'forms of a word')
      t.equal(await found('"run foods"'), engine === 'mysql' ? 0 : 1)
      t.equal(await found('food -running'), engine === 'mysql' ? 1 : 0)
      t.equal(await found('the food'), engine === 'mysql' ? 1 : 2)
      t.equal(await found('the'), engine === 'postgres' ? 0 : 2, 'words that PostgreSQL leaves out')
    })

    await t.test('without the index', async t => {
      const { Plain } = await open(t, { connector: sqlConnector, url }, [{ ...note(), name: 'Plain', indexes: {} }])
      await Plain.create(rows)
      const later = await open(t, { connector: sqlConnector, url }, [{ ...note(), name: 'Plain' }], false)
      const memory = await openMemory(t, [{ ...note(), name: 'Plain' }])
      await memory.Plain.create(rows)
      for (const $search of ['fast', 'fast -not', '"fast food"', 'food fast', 'of']) {
        for (const filter of [{ order: 'id' }, { order: 'id', limit: 1 }, { order: '$rank', limit: 2, skip: 1 }]) {
          const where = { $search, stars: { lt: 3 } }
          const [found, expected] = await Promise.all([later, memory].map(each =>
            idsOf(each.Plain, { where, ...filter }))) as [number[], number[]]
          // How PostgreSQL ranks does not depend on the index.
          const isOwn = engine === 'postgres' && filter.order === '$rank'
          t.same(isOwn ? found.length : found, isOwn ? expected.length : expected, JSON.stringify([$search, filter]))
        }
      }
      t.equal((await later.Plain.updateAll({ $search: 'slow' }, { stars: 7 })).count, 1)
      t.equal((await later.Plain.destroyAll({ $search: 'slow' })).count, 1)
    })
  })
}

t.test('tables that SQLite keeps no words of', async t => {
  const url = `sqlite:${t.testdir({})}/rows.sqlite`
  const named = { name: 'Named', properties: { title: 'string', rank: 'string', rowid: 'number' }, indexes: { words: { text: ['title', 'rank'] } } }
  const { Named, db } = await open(t, { connector: sqlConnector, url }, [named as ModelDefinitionInput])
  await Named.create([{ title: 'fast', rank: 'food' }, { title: 'slow' }])
  t.equal(await Named.count({ $search: 'food fast' }), 1, 'JavaScript reads them')
  t.ok(await db.isActual())
  t.same((await db.plan()).changes, [])
})

t.test('words in SQLite follow what others write', async t => {
  const { db, Note } = await open(t, { connector: sqlConnector, url: `sqlite:${t.testdir({})}/rows.sqlite` }, [note()])
  await db.execute("INSERT INTO Note (id, title) VALUES (7, 'fast'), (8, 'slow')")
  t.same(await idsOf(Note, { where: { $search: 'fast' } }), [7])
  await db.execute("UPDATE Note SET id = 9, title = 'food' WHERE id = 7")
  t.same(await idsOf(Note, { where: { $search: 'fast' } }), [])
  t.same(await idsOf(Note, { where: { $search: 'food' } }), [9])
  await db.execute('UPDATE Note SET id = 10 WHERE id = 9')
  t.same(await idsOf(Note, { where: { $search: 'food' } }), [10])
  await Note.upsert({ id: 10, title: 'anew' })
  await db.execute('DELETE FROM Note WHERE id = 8')
  t.same(await idsOf(Note, { where: { $search: 'slow' } }), [])
  await db.execute("INSERT INTO Note_search (Note_search) VALUES ('integrity-check')")
  t.same(await idsOf(Note, { where: { $search: 'anew' } }), [10])
  t.same((await db.connector.discoverModelDefinitions()).map(({ name }: Loose) => name), ['Note'], 'no tables of the index')
  await db.automigrate()
  await Note.create({ title: 'fast' })
  t.equal(await Note.count({ $search: 'fast' }), 1)
  await db.execute('DROP TRIGGER Note_search_delete')
  t.notOk(await db.isActual(), 'a trigger is missing')
  await db.autoupdate()
  t.ok(await db.isActual())
})
