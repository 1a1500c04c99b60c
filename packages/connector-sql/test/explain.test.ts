/** How a database answers a read, and which index is missing: before and after the index is there. */
import { ModelRegistry, type ModelDefinitionInput, type QueryReport } from '@fastback/core'
import { explainWork, findRows, findText, remoteOptions } from '@fastback/core/remote'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'

type Loose = any

const note = (indexes: object = {}): ModelDefinitionInput => ({
  name: 'Note',
  strict: true,
  sql: { table: 'all notes' },
  properties: { city: 'string', stars: 'number', authorId: 'number', at: 'date', tags: ['string'] },
  relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } },
  indexes
}) as ModelDefinitionInput

const author: ModelDefinitionInput = {
  name: 'Author',
  strict: true,
  properties: { name: 'string' },
  relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'authorId' } }
} as ModelDefinitionInput

async function start (t: Test, url: string, migrate: 'reset' | 'update', indexes: object = {}): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate })
  for (const definition of [note(indexes), author]) registry.attach(registry.defineModel(definition), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return registry
}

async function fill (registry: ModelRegistry): Promise<void> {
  const { Note, Author } = registry.models as Loose
  await Author.create(Array.from({ length: 300 }, (_, i) => ({ name: `n${i}` })))
  const rows = Array.from({ length: 3000 }, (_, i) => ({ city: `c${i % 300}`, stars: i % 50, authorId: 1 + i % 300 }))
  await Note.create(rows)
}

/** @param name of the model */
async function explain (registry: ModelRegistry, filter: object, name = 'Note'): Promise<QueryReport> {
  const { compiled } = (registry.models as Loose)[name]
  const { result, report } = await explainWork(
    registry, filter, () => findText(compiled, filter, remoteOptions({})), text => JSON.parse(text).length
  )
  t.equal(result, await findText(compiled, filter, remoteOptions({})), 'the result is what it is without')
  return report
}

interface Engine {
  readonly url: (t: Test) => string | undefined | Promise<string | undefined>
  /** What plans say of all rows, and of an index that leads to some. */
  readonly all: RegExp
  readonly found: RegExp
  readonly sort: RegExp
  /** Whether the number of rows that were read is known. */
  readonly counts: boolean
  /** Lets the planner know of the rows. */
  readonly analyse: string
}

const engines: Readonly<Record<string, Engine>> = {
  sqlite: {
    url: t => `sqlite:${t.testdir()}/notes.db`,
    all: /^ *SCAN all notes$/,
    found: /^ *SEARCH all notes USING INDEX \S* ?\S*city_1_stars_1/,
    sort: /TEMP B-TREE FOR ORDER BY/,
    counts: false,
    analyse: 'ANALYZE'
  },
  postgres: {
    url: t => scratchUrl(t, 'postgres'),
    all: /Seq Scan on all notes \(rows \d+/,
    found: /using .*city_1_stars_1/,
    sort: /^ *Sort/,
    counts: true,
    analyse: 'ANALYZE'
  },
  mysql: {
    url: t => scratchUrl(t, 'mysql'),
    all: /all notes: (?:all rows|index using PRIMARY) \(rows 3000\)/,
    found: /all notes: (?:ref|range) using .*city_1_stars_1/,
    sort: /sort/,
    counts: true,
    analyse: 'ANALYZE TABLE `all notes`'
  }
}

const filter = { where: { city: 'c7', stars: { gte: 2 } }, limit: 100 }

for (const [name, { url: urlOf, all, found, sort, counts, analyse }] of Object.entries(engines)) {
  t.test(`${name}: an index is missing until it is there`, async t => {
    const url = await urlOf(t)
    if (url === undefined) return
    const registry = await start(t, url, 'reset')
    await fill(registry)

    const { rows, statements: [statement, ...others], missingIndexes } = await explain(registry, filter)
    t.equal(rows, 10)
    t.same(others, [])
    t.match(statement, { dataSource: 'db', model: 'Note', statement: /^SELECT .*WHERE .*city.*LIMIT/s, times: 1 })
    t.ok(statement?.plan.some(line => all.test(line)), String(statement?.plan.join('\n')))
    t.equal(statement?.rowsRead, counts ? 3000 : null)
    t.ok(statement?.values.includes('"c7"') && statement.values.includes('2'), 'what the filter says')
    t.notMatch(JSON.stringify(statement?.plan), /c7/, 'the plan shows no values')
    t.match(missingIndexes, [{
      model: 'Note',
      properties: ['city', 'stars'],
      definition: '"indexes": { "city_1_stars_1": { "keys": { "city": 1, "stars": 1 } } }'
    }])

    const ordered = await explain(registry, { order: ['stars DESC', 'city'], limit: 3 })
    t.ok(ordered.statements[0]?.plan.some(line => sort.test(line)), String(ordered.statements[0]?.plan.join('\n')))
    t.match(ordered.missingIndexes, [{
      definition: '"indexes": { "stars_-1_city_1": { "keys": { "stars": -1, "city": 1 } } }', reason: /orders all rows/
    }])
    t.same((await explain(registry, { limit: 3 })).missingIndexes, [], 'nothing is asked for')
    t.same((await explain(registry, { where: { id: 4 } })).missingIndexes, [], 'the id has its index')
    t.same((await explain(registry, { where: { tags: 'x' } })).missingIndexes, [], 'no index is over a list')
    const values = await explain(registry, { distinct: ['city'], where: { stars: 7 } })
    t.match(values.statements[0], { model: 'Note', statement: /GROUP BY/ })
    t.match(values.missingIndexes, [{ properties: ['stars'] }], 'values in place of rows are explained as rows are')
    await registry.stop()

    const { indexes } = JSON.parse(`{ ${missingIndexes[0]?.definition as string} }`) as { indexes: object }
    const { indexes: sorting } = JSON.parse(`{ ${ordered.missingIndexes[0]?.definition as string} }`) as { indexes: object }
    const better = await start(t, url, 'update', { ...indexes, ...sorting })
    await (better.dataSources.db as Loose).execute(analyse)
    const now = await explain(better, filter)
    t.ok(now.statements[0]?.plan.some(line => found.test(line)), String(now.statements[0]?.plan.join('\n')))
    t.equal(now.statements[0]?.rowsRead, counts ? 10 : null)
    t.same(now.missingIndexes, [])
    t.same((await explain(better, { order: ['stars DESC', 'city'], limit: 3 })).missingIndexes
      .filter(({ definition }) => definition !== undefined), [], 'none that is not there')
  })

  t.test(`${name}: relations, and conditions on related rows`, async t => {
    const url = await urlOf(t)
    if (url === undefined) return
    const registry = await start(t, url, 'reset')
    await fill(registry)
    const included = await explain(registry, { include: 'notes', limit: 3 }, 'Author')
    t.same([...new Set(included.statements.map(({ model }) => model))].filter(model => model === 'Author'), ['Author'])
    // A small table may be gone through all the same.
    t.same(included.missingIndexes.filter(({ definition }) => definition !== undefined), [], 'keys of relations have indexes')
    const related = await explain(registry, { where: { author: { name: 'n1' } }, limit: 3 })
    t.ok(related.statements.length > 0)
    for (const { model, definition } of related.missingIndexes) {
      t.same([model, definition], ['Author', '"indexes": { "name_1": { "keys": { "name": 1 } } }'])
    }
  })
}

t.test('PostgreSQL: several at a time, each with its own statements', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  const registry = await start(t, url, 'reset')
  await fill(registry)
  const { Author } = registry.models as Loose
  const asked = Promise.all(Array.from({ length: 20 }, async (_, i) => await Author.findOne({ where: { name: `n${i}` } })))
  const [notes, authors] = await Promise.all([explain(registry, filter), explain(registry, { limit: 2 }, 'Author'), asked])
  t.same(notes.statements.map(({ model }) => model), ['Note'])
  t.same(authors.statements.map(({ model }) => model), ['Author'])
  const connector: Loose = registry.dataSources.db?.connector
  t.notOk(Object.hasOwn(connector, 'find') || Object.hasOwn(connector, 'count'), 'nothing is left of it')
})

t.test('statements of observers and of the application, and errors', async t => {
  const registry = await start(t, 'sqlite::memory:', 'update')
  const { Note } = registry.models as Loose
  const connector: Loose = registry.dataSources.db?.connector
  const seen: string[] = []
  const observer = ({ req }: Loose, next: () => void): void => { seen.push(req.sql); next() }
  connector.observe('before execute', observer)
  Note.observe('access', async () => { await connector.execute('SELECT 1 AS one, ? AS two', ['secret']) })
  const { report } = await explainWork(
    registry, {}, () => findRows(Note.compiled, { where: { city: 'x' } }), ({ length }) => length)
  t.match(report.statements, [
    { statement: 'SELECT 1 AS one, ? AS two', values: ['string'], plan: [], note: /no.* read of a model/ },
    { model: 'Note', values: ['string'], plan: ['SCAN all notes'] }
  ])
  t.equal(seen.length, 2, 'observers hear of the same')
  const failing = explainWork(registry, {}, () => findRows(Note.compiled, { where: { id: { no: 1 } } }), () => 0)
  const refusal: Loose = { statusCode: 400 }
  await t.rejects(failing, refusal)
  await findRows(Note.compiled, {})
  t.equal(seen.length, 4, 'and go on hearing')
  connector.removeObserver('before execute', observer)
  await findRows(Note.compiled, {})
  t.equal(seen.length, 4)
})
