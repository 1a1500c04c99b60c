// FASTBACK_TEST_FULL: random includes on three database servers.
/**
 * Includes in one statement of PostgreSQL and of SQLite: the responses are those of the other ways, byte for byte, over
 * random models, rows and filters. `FASTBACK_TEST_RUNS` and `AGREEMENT_SEED` change the run.
 */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import fc from 'fast-check'
import { ModelRegistry, type ConnectorFactory, type ModelDefinitionInput, type TextSupport } from '@fastback/core'
import { asRemote, findText } from '@fastback/core/remote'
import { sqlConnector } from '@fastback/connector-sql'
import { definitions, filters, stored } from './support/includes.js'
import { scratchUrl } from './support/scratch.js'
import { runsOf } from '../../../test-fixtures/runs.mjs'

type Loose = any

/** Tables of others. */
const existing: ModelDefinitionInput[] = [
  {
    name: 'Parent',
    strict: true,
    properties: { id: { type: 'number', id: true }, key: 'string' },
    settings: { sql: { table: 'parent' }, postgresql: { table: 'parent' } },
    relations: {
      children: { type: 'hasMany', model: 'Child', foreignKey: 'parentKey', primaryKey: 'key' },
      bare: { type: 'hasMany', model: 'Child', foreignKey: 'bare', primaryKey: 'key' }
    }
  },
  {
    name: 'Child',
    strict: true,
    properties: { id: { type: 'number', id: true }, parentKey: 'string', bare: 'string' },
    settings: { sql: { table: 'child' }, postgresql: { table: 'child' } }
  }
]

/** The same with keys that are numbers. */
const numbered = existing.map(({ properties, ...rest }) =>
  ({ ...rest, properties: Object.fromEntries(Object.entries(properties as object).map(([name, type]) => [name, type === 'string' ? 'number' : type])) }))

const seed = Number(process.env.AGREEMENT_SEED ?? Date.now() % 1e9)
const runs = runsOf(25)

interface Store { readonly models: Record<string, Loose>, readonly registry: ModelRegistry }

/** @param without operations on text that the store is not to have */
async function open (
  t: Test, url: string, without: ReadonlyArray<keyof TextSupport> | 'all' = [], settings: object = {}, models = definitions
): Promise<Store> {
  const registry = new ModelRegistry({ settings: { ...settings } })
  const connector: ConnectorFactory = (settings, context) => {
    const made = sqlConnector(settings, context) as Loose
    if (without === 'all') made.text = undefined
    else for (const name of without) made.text[name] = undefined
    return made
  }
  registry.defineDataSource('db', { connector, url, migrate: 'none' })
  for (const definition of models) registry.attach(registry.defineModel(definition), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return { models: registry.models, registry }
}

const answer = async ({ models }: Store, model: string, filter: object): Promise<string> => {
  try {
    return await findText(models[model].compiled, filter, asRemote({}))
  } catch (error) {
    return String(error)
  }
}

/** A response without what one way writes otherwise than the other: blanks, exponents, where a null stands. */
const respelled = (text: string): string => text.startsWith('[') ? JSON.stringify(JSON.parse(text), inOrder) : text

const inOrder = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
    : value

const tables = definitions.map(({ name }) => `"${name}"`)
const stores = {
  PostgreSQL: {
    place: (t: Test): Promise<string | undefined> => scratchUrl(t, 'postgres'),
    emptied: `TRUNCATE ${tables.join(', ')} RESTART IDENTITY`
  },
  SQLite: {
    place: async (t: Test): Promise<string | undefined> => `sqlite:${t.testdir({})}/rows.sqlite`,
    emptied: [...tables.map(table => `DELETE FROM ${table}`), 'DELETE FROM sqlite_sequence'].join('; ')
  }
}

for (const [name, { place, emptied }] of Object.entries(stores)) {
  t.test(name, async t => {
    const url = await place(t)
    if (url === undefined) return
    const one = await open(t, url)
    const { db } = one.registry.dataSources
    await db?.automigrate()
    const connector = db?.connector as Loose
    const inSteps = await open(t, url, ['findIncluding'])
    const rows = await open(t, url, 'all')
    const empty = async (): Promise<void> => {
      for (const statement of emptied.split('; ')) await connector.execute(statement)
    }
    const { Author, Book, Profile, Shelf } = one.models
    let statements = 0
    connector.observed((request: object, work: (request: object) => unknown) => {
      statements++
      return work(request)
    })

    /** A response, and the statements that it took. */
    async function counted (model: string, filter: object, store = one): Promise<{ text: string, statements: number }> {
      statements = 0
      return { text: await answer(store, model, filter), statements }
    }

    t.test('agrees with the ways of steps and of rows', async t => {
      let asked = 0
      let together = 0
      const dozen = fc.array(filters, { minLength: 12, maxLength: 12 })
      await fc.assert(fc.asyncProperty(stored, dozen, async (data, all) => {
        await empty()
        await Author.create(data.authors)
        await Book.create(data.books)
        await Profile.create(data.profiles)
        await Shelf.create(data.codes.map((code, room) => ({ code, room })))
        for (const { model, filter } of all) {
          const said = `${model} ${JSON.stringify(filter)}`
          const { text, statements } = await counted(model, filter)
          asked++
          if (statements === 1) together++
          // SQLite keeps this number as an integer, which rows have as a bigint: their JSON has it in quotes.
          if (name === 'SQLite' && text.includes('9007199254740992')) continue
          const steps = await answer(inSteps, model, filter)
          // With scopes that is the way of rows, which JavaScript writes.
          const isSame = said.includes('"scope":') ? respelled(text) === respelled(steps) : text === steps
          if (!isSame) t.equal(text, steps, said)
          const others = await answer(rows, model, filter)
          if (respelled(text) !== respelled(others)) t.equal(text, others, said)
        }
      }), { numRuns: runs, seed, endOnFailure: true })
      t.ok(together > asked / 5, `${together} of ${asked} were made in one step`)
    })

    t.test('one statement', async t => {
      await empty()
      await Author.create([{ name: 'a', mentorId: 2 }, { name: 'b' }, { name: 'c', mentorId: 99 }])
      await Book.create(['x', 'y', 'z'].map((title, stars) => ({ title, stars, authorId: 1, note: 1, sold: null })))
      const include = ['books', 'mentor', 'profile', 'pupils']
      for (const filter of [
        { include, limit: 3 }, { include, limit: 1, skip: 1, order: 'name DESC' }, { include, where: { id: { lt: 3 } }, limit: 100 }
      ]) t.match(await counted('Author', filter), { statements: 1 }, JSON.stringify(filter))
      const scope = { where: { stars: { lt: 2 } }, order: 'stars DESC', limit: 1, fields: ['title'] }
      t.same(await counted('Author', { where: { id: 1 }, limit: 1, fields: ['id'], include: [{ relation: 'books', scope }] }), {
        text: '[{"id":1,"books":[{"title":"y","authorId":1}]}]', statements: 1
      })
      t.match(await counted('Author', { include }), { statements: 5 }, 'no limit, no page')
      t.match(await counted('Author', { include: [{ relation: 'books', scope: { include: 'shelf' } }], limit: 5 }), { statements: 2 }, 'a row way')
    })

    t.test('a transaction sees what it has written', async t => {
      await empty()
      const transaction = await Author.beginTransaction({})
      await Author.create({ name: 'new' }, { transaction })
      await Book.create({ title: 'its', authorId: 1 }, { transaction })
      const within = await findText(Author.compiled, { include: 'books', limit: 1 }, asRemote({ transaction }))
      await transaction.rollback()
      t.match(JSON.parse(within), [{ name: 'new', books: [{ title: 'its' }] }])
      t.equal(await answer(one, 'Author', { include: 'books', limit: 1 }), '[]')
    })

    t.test('limits refuse the same', async t => {
      await empty()
      await Author.create([{ name: 'a' }, { name: 'b' }])
      await Book.create(Array.from({ length: 12 }, () => ({ title: 'long'.repeat(50), authorId: 1 })))
      const filter = { include: ['books'], limit: 2 }
      for (const queryLimits of [{ maxLimit: 11 }, { rows: 13 }, { bytes: 2500 }, { rows: 1 }]) {
        const [atOnce, before] = [await open(t, url, [], { queryLimits }), await open(t, url, ['findIncluding'], { queryLimits })]
        const refusal = await answer(atOnce, 'Author', filter)
        t.match(refusal, /^(?!\[)/, JSON.stringify(queryLimits))
        t.equal(refusal, await answer(before, 'Author', filter))
      }
      for (const queryLimits of [{ maxLimit: 12 }, { rows: 14 }, { bytes: 6000 }]) {
        const within = await answer(await open(t, url, [], { queryLimits }), 'Author', filter)
        t.equal(within, await answer(inSteps, 'Author', filter), JSON.stringify(queryLimits))
      }
    })

    t.test('more than a share is read in steps, and then for a while at once', async t => {
      await empty()
      await Author.create([{ name: 'a' }])
      await Book.create(Array.from({ length: 201 }, () => ({ title: 'x', authorId: 1 })))
      const filter = { include: ['books'], limit: 2 }
      const expected = await answer(inSteps, 'Author', filter)
      const { text, statements: first } = await counted('Author', filter)
      t.equal(text, expected)
      t.equal((await counted('Author', filter)).statements, first - 1, 'it is not tried again')
      await connector.execute('DELETE FROM "Book" WHERE id > 100')
      let others = 0
      while ((await counted('Author', filter)).statements > 1) others++
      t.equal(others, 15)
    })

    if (name === 'SQLite') return
    t.test('keys that the database would compare otherwise, or without an index, are joined in steps', async t => {
      const types: Array<[own: string, other: string, statements: number, values?: [string, string]]> = [
        // Seen to fail: columns of 32 bits, as most keys of tables that others made, were joined in steps.
        ...['smallint', 'integer', 'bigint', 'double precision'].flatMap(own =>
          ['smallint', 'integer', 'bigint', 'double precision'].map(other => [own, other, 1, ['7', '7']] as [string, string, number, [string, string]])),
        ['integer', 'numeric', 2, ['7', '7']],
        ['text', 'text', 1], ['text COLLATE "C"', 'text COLLATE "POSIX"', 1], ['varchar(5)', 'text', 1],
        ['text', 'char(5)', 2], ['uuid', 'uuid', 1, Array(2).fill(randomUUID()) as [string, string]]
      ]
      for (const [own, other, expected, [key, same] = ['a', 'a']] of types) {
        await connector.execute('DROP TABLE IF EXISTS parent, child')
        await connector.execute(`CREATE TABLE parent (id integer PRIMARY KEY, key ${own})`)
        await connector.execute(`CREATE TABLE child (id integer PRIMARY KEY, "parentKey" ${other}, bare ${other})`)
        await connector.execute('CREATE INDEX ON child ("parentKey")')
        await connector.execute(`INSERT INTO parent VALUES (1, '${key}'), (2, NULL)`)
        await connector.execute(`INSERT INTO child VALUES (1, '${same}', '${same}'), (2, NULL, NULL)`)
        const store = await open(t, url, [], {}, key === '7' ? numbered : existing)
        const its = store.registry.dataSources.db?.connector as Loose
        its.observed((request: object, work: (request: object) => unknown) => { statements++; return work(request) })
        const found = await counted('Parent', { include: 'children', limit: 5 }, store)
        t.equal(found.statements, expected, `${own}, ${other}`)
        if (expected === 1) t.match(JSON.parse(found.text), [{ id: 1, children: [{ id: 1 }] }, { id: 2, children: [] }])
        t.equal((await counted('Parent', { include: 'bare', limit: 5 }, store)).statements, 2, 'without an index')
      }
    })
  })
}

t.test('SQLite compares texts as JavaScript does, whatever the collation of their columns', async t => {
  const url = `sqlite:${t.testdir({})}/texts.sqlite`
  const store = await open(t, url, [], {}, existing)
  const connector = store.registry.dataSources.db?.connector as Loose
  for (const statement of [
    'CREATE TABLE parent (id integer PRIMARY KEY, key text)',
    'CREATE TABLE child (id integer PRIMARY KEY, "parentKey" text COLLATE NOCASE, bare text)',
    'CREATE INDEX by_parent ON child ("parentKey")',
    "INSERT INTO parent VALUES (1, 'a'), (2, 'A '), (3, NULL), (4, 'é')",
    "INSERT INTO child VALUES (1, 'A', 'a'), (2, 'a', 'A'), (3, NULL, NULL), (4, 'A ', ''), (5, 'É', 'é')"
  ]) await connector.execute(statement)
  const children = async (include: string): Promise<unknown> =>
    JSON.parse(await answer(store, 'Parent', { include, limit: 5 })).map((row: Loose) => row[include].map(({ id }: Loose) => id))
  t.same(await children('children'), [[2], [4], [], []])
  t.same(await children('bare'), [[1], [], [], [5]])
})
