/** What a report says of rows in memory: rows that were looked at, and the index that would lead to them. */
import { ModelRegistry, type QueryReport } from '@fastback/core'
import { explainWork, findRows } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import t, { type Test } from 'tap'

type Loose = any

async function start (t: Test, indexes: object = {}): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.attach(registry.defineModel({
    name: 'Note',
    strict: false,
    properties: {
      city: 'string', stars: 'number', done: 'boolean', at: 'date', tags: ['string'], place: 'geopoint', box: 'object'
    },
    indexes
  } as Loose), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Note } = registry.models as Loose
  await Note.create(Array.from({ length: 100 }, (_, i) => ({ city: `c${i % 10}`, stars: i, done: i % 2 === 0, more: 1 })))
  return registry
}

async function explain (registry: ModelRegistry, filter: object): Promise<QueryReport> {
  const { Note } = registry.models as Loose
  return (await explainWork(registry, filter, () => findRows(Note.compiled, filter), ({ length }) => length)).report
}

t.test('rows that were looked at', async t => {
  const registry = await start(t, { city: { keys: { city: 1 } } })
  const looked = async (filter: object): Promise<Array<number | null>> => {
    const { rows, statements } = await explain(registry, filter)
    return [rows, ...statements.map(({ rowsRead }) => rowsRead)]
  }
  t.same(await looked({}), [100, 100])
  t.same(await looked({ limit: 5, skip: 2 }), [5, 7])
  t.same(await looked({ where: { done: true }, limit: 3 }), [3, 5], 'until the page is full')
  t.same(await looked({ where: { done: true }, order: 'id DESC', limit: 3 }), [3, 6])
  t.same(await looked({ where: { stars: { gt: 97 } }, limit: 3 }), [2, 100])
  t.same(await looked({ where: { city: 'c1' } }), [10, 10], 'by the index')
  t.same(await looked({ where: { id: { inq: [1, 2, 700] } } }), [2, 2], 'by the ids')
  t.same(await looked({ order: 'stars', limit: 1 }), [1, 100])
  t.match(await explain(registry, { order: 'stars' }), {
    statements: [{ dataSource: 'db', model: 'Note', statement: 'find', values: [], plan: ['Note: each row in turn', 'sort'] }]
  })
})

t.test('which index is missing', async t => {
  const registry = await start(t)
  const missing = async (filter: object): Promise<unknown> => {
    const { missingIndexes } = await explain(registry, filter)
    return missingIndexes.map(({ properties }) => properties.join())[0]
  }
  const cases: Array<[object, string | undefined]> = [
    [{ where: { city: 'a' } }, 'city'],
    [{ where: { city: 'a', done: true } }, 'city,done'],
    [{ where: { stars: { gt: 1 }, city: 'a' } }, 'city,stars'],
    [{ where: { and: [{ city: 'a' }, { and: [{ done: false }] }] }, order: 'at' }, 'city,done,at'],
    [{ where: { stars: { between: [1, 2] } }, order: 'at' }, 'stars'],
    [{ where: { stars: { lt: 2 } }, order: ['stars DESC', 'at'] }, 'stars,at'],
    [{ where: { stars: { inq: [1, 2] } } }, 'stars'],
    [{ where: { city: { like: 'a%' } } }, 'city'],
    [{ where: { city: null } }, 'city'],
    [{ order: ['city', 'stars DESC', 'id'] }, 'city,stars'],
    [{ where: { city: { like: '%a' } } }, undefined],
    [{ where: { city: { ilike: 'a%' } } }, undefined],
    [{ where: { city: { nlike: 'a%' } } }, undefined],
    [{ where: { city: { neq: 'a' } } }, undefined],
    [{ where: { or: [{ city: 'a' }, { stars: 1 }] } }, undefined],
    [{ where: { tags: 'a' } }, undefined],
    [{ where: { 'box.depth': 1 } }, undefined],
    [{ where: { more: 1 } }, undefined],
    [{ order: 'more' }, undefined],
    [{ order: 'id DESC' }, undefined],
    [{ where: { id: 4, city: 'a' } }, undefined],
    [{}, undefined]
  ]
  for (const [filter, properties] of cases) t.equal(await missing(filter), properties, JSON.stringify(filter))
})

t.test('an index that is declared, and not used', async t => {
  const registry = await start(t, { both: { keys: { stars: 1, city: 1 } }, turned: { keys: { at: 1, done: -1 } } })
  const why = async (where: object): Promise<unknown> => (await explain(registry, { where })).missingIndexes
  // Those in memory are for equal values.
  t.match(await why({ stars: { gt: 3 } }), [{ properties: ['stars'], reason: /has the index both: .* did not use it/ }])
  t.notOk('definition' in (await why({ stars: { gt: 3 } }) as Loose)[0])
  t.match(await why({ done: true }), [{ definition: /done_1/ }], 'one that begins otherwise is none')
})

t.test('values that may be shown, and stores that explain nothing', async t => {
  const registry = await start(t)
  const connector: Loose = registry.dataSources.db?.connector
  connector.explain = () => { throw new Error('a secret of the store') }
  const { statements, missingIndexes } = await explain(registry, {})
  t.match(statements, [{ statement: 'find', plan: [], rowsRead: null, note: 'the store gave no plan' }])
  t.same(missingIndexes, [])
  connector.explain = undefined
  t.match(await explain(registry, {}), { statements: [{ note: 'the connector explains nothing' }] })
})

t.test('observers that come and go meanwhile', async t => {
  const registry = await start(t)
  const { Note } = registry.models as Loose
  const connector: Loose = registry.dataSources.db?.connector
  const own = Object.keys(Object.getOwnPropertyDescriptors(connector))
  const seen: string[] = []
  const observer = ({ req }: Loose): void => { seen.push(req.command) }
  const { report } = await explainWork(registry, {}, async () => {
    await Note.find()
    connector.observe('before execute', observer)
    return await Note.count({ done: true })
  }, () => 1)
  t.match(report.statements, [{ statement: 'find', times: 1 }, { statement: 'count', rowsRead: 100 }])
  await Note.find()
  t.same(seen, ['count', 'find'])
  connector.removeObserver('before execute', observer)
  await Note.find()
  t.same(seen.length, 2)
  t.same(Object.keys(Object.getOwnPropertyDescriptors(connector)), own, 'the connector is as it was')
})
