/** Random filters: GraphQL gives the rows that REST gives the same caller, or the same error. */
import t from 'tap'
import fc from 'fast-check'
import { sqlConnector } from '@fastback/connector-sql'
import { ask, makeApp, overRest, row, type App } from './app.js'

type Loose = any

const text = fc.constantFrom('a', 'b', 'ab', '', 'ä"', '%')
const number = fc.constantFrom(-1, 0, 1, 1.5, 2)
const operators = (value: fc.Arbitrary<unknown>, ...names: string[]): fc.Arbitrary<Loose> => fc.oneof(
  fc.record({ eq: value }), fc.record({ neq: value }), fc.record({ inq: fc.array(value, { maxLength: 3 }) }),
  fc.record({ nin: fc.array(value, { maxLength: 3 }) }), fc.record({ exists: fc.boolean() }), fc.constant(null),
  ...names.map(name => fc.record({ [name]: name === 'between' ? fc.tuple(value, value) : value }))
)
const ofText = operators(text, 'gt', 'lte', 'like', 'nlike', 'ilike', 'between')
const ofNumber = operators(number, 'gt', 'gte', 'lt', 'between')
const plain = fc.record(
  { name: ofText, size: ofNumber, done: operators(fc.boolean()), ownerId: ofNumber }, { requiredKeys: [] }
)
const some = fc.record({ some: plain, none: plain, every: plain }, { requiredKeys: [] })
  .filter(each => Object.keys(each).length > 0)
const { where } = fc.letrec<{ where: Loose }>(tie => ({
  where: fc.oneof(
    { maxDepth: 2 },
    plain,
    fc.record({ and: fc.array(tie('where'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ or: fc.array(tie('where'), { minLength: 1, maxLength: 2 }), size: ofNumber }, { requiredKeys: ['or'] }),
    fc.record({ nor: fc.array(plain, { minLength: 1, maxLength: 2 }) }),
    fc.record({ parts: some }),
    fc.record({ whole: fc.oneof(plain, fc.constant(null)) })
  )
}))
const filter = fc.record({
  where, limit: fc.integer({ min: 1, max: 5 }), skip: fc.nat(2),
  order: fc.array(fc.constantFrom('name ASC', 'name DESC', 'size ASC', 'size DESC', 'id DESC'), { maxLength: 2 })
}, { requiredKeys: ['where', 'order'] })

async function makeThings (t: Loose, dataSource: Loose): Promise<App> {
  return await makeApp(t, {
    dataSource,
    settings: { relatedAccess: 'related', modelDefinitions: 'open' },
    definitions: [{
      name: 'Thing',
      properties: { name: 'string', size: 'number', done: 'boolean', ownerId: 'number', wholeId: 'number' },
      relations: {
        parts: { type: 'hasMany', model: 'Thing', foreignKey: 'wholeId' }, whole: { type: 'belongsTo', model: 'Thing', foreignKey: 'wholeId' }
      },
      acls: [
        row('DENY', '$everyone'),
        row('ALLOW', '$authenticated', { accessType: 'READ', rows: { or: [{ ownerId: '$user.id' }, { done: true }] } }),
        row('ALLOW', 'admin')
      ]
    }] as Loose,
    prepare: async ({ Thing }) => {
      await Thing.dataSource.autoupdate?.()
      const values = ['a', 'b', 'ab', '', 'ä"', null]
      await Thing.create(Array.from({ length: 24 }, (_, i) => ({
        name: values[i % 6], size: [null, 0, 1, 1.5][i % 4], done: [true, false, null][i % 3], ownerId: i % 4,
        wholeId: i > 5 ? 1 + i % 6 : null
      })))
    }
  })
}

const properties = ['id', 'name', 'size', 'done', 'ownerId', 'wholeId']
const inGraphQL = ({ order, ...others }: Loose): Loose => ({ ...others, order: order.map((each: string) => each.replace(' ', '_')) })

for (const [name, dataSource] of [
  ['memory', { connector: 'memory' }], ['SQLite', { connector: sqlConnector, url: 'sqlite::memory:' }]
] as const) {
  t.test(`random filters in ${name}`, async t => {
    const app = await makeThings(t, dataSource)
    const document = `query ($where: ThingWhere, $order: [ThingOrder!], $limit: Int, $skip: Int) {
      things(where: $where, order: $order, limit: $limit, skip: $skip) { id name size done ownerId wholeId parts(order: [id_ASC]) { id } }
    }`
    let found = 0
    await fc.assert(fc.asyncProperty(filter, fc.constantFrom(undefined, 'ann', 'ben', 'adam'), async (filter, who) => {
      const include = { relation: 'parts', scope: { order: 'id ASC', fields: ['id', 'wholeId'] } }
      const rest = await overRest(app, who, `/Things?filter=${encodeURIComponent(JSON.stringify({ ...filter, include }))}`)
      const { data, errors } = await ask(app, who, document, inGraphQL(filter))
      if (rest.status !== 200) {
        t.equal(errors?.[0].extensions.code, rest.body.error.code)
        return
      }
      if (errors !== undefined) throw new Error(JSON.stringify(errors))
      const rows = rest.body.map(({ parts, ...row }: Loose) => ({
        ...Object.fromEntries(properties.map(name => [name, row[name] ?? null])),
        parts: parts.map(({ id }: Loose) => ({ id }))
      }))
      if (JSON.stringify(rows) !== JSON.stringify(data.things)) throw new Error(`${JSON.stringify(data.things)} is not ${JSON.stringify(rows)}`)
      found += rows.length
    }), { numRuns: 100 })
    t.ok(found > 10, 'some rows were found')
  })
}
