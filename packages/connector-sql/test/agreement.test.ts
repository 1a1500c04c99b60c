// FASTBACK_TEST_FULL: random models, rows and filters on three database servers.
/**
 * Every database answers as the memory connector does: random models, rows, writes and conditions at the level of the
 * query AST, with values that the suite's own comparison leaves out (NUL, 64-bit numbers, binary data, points,
 * undeclared properties). `FASTBACK_TEST_RUNS` and `AGREEMENT_SEED` change the run. A server gets fewer models than
 * SQLite: each costs it tables.
 */
import t, { type Test } from 'tap'
import fc from 'fast-check'
import type {
  Comparison,
  Condition,
  ConditionValue,
  Connector,
  OrderTerm,
  PropertyKind,
  PropertyType,
  Query,
  Row,
  Selection,
  StoredModel
} from '@fastback/core'
import { openMemory, openSql } from './support/connectors.js'
import { makeModel, path, query, selectAll } from './support/models.js'
import { scratchUrl } from './support/scratch.js'
import { runsOf } from '../../../test-fixtures/runs.mjs'

const texts = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'abc',
  'b',
  'é',
  'É',
  'Straße',
  '😀',
  "o'hara",
  '%',
  '_x',
  '\0',
  'a\0b',
  'a\0',
  '"q"',
  '\\',
  '10',
  '9',
  'null',
  '\u2028',
  '\x1f\n',
  'a%',
  '\x7f'
]
const numbers = [
  0,
  -1,
  1,
  1.5,
  2,
  10,
  1e21,
  0.1 + 0.2,
  1 / 3,
  2 ** 53 - 1,
  1e15 + 0.5,
  -0.9999999999999999,
  1e-17,
  1e300,
  -12.25
]
const longs = [0, 1, -1, 2 ** 53 - 1, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]
const decimalTexts = [
  '0', '1', '-1', '9', '10', '-10', '0.5', '-0.05', '0.000000000000000000000000000001', '12345678901234567890.01',
  '12345678901234567890.02', '-12345678901234567890.01', '9007199254740993', '99999999999999999999999999999999999'
]
const amounts = ['0.00', '1.50', '-1.50', '9.00', '10.00', '12345678901234567890.01', '12345678901234567890.02']
const dates = [
  '2020-01-01T00:00:00.000Z',
  '2020-01-01T00:00:00.001Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '+012345-01-01T00:00:00.000Z',
  '-000005-01-01T00:00:00.000Z',
  '-000400-06-01T00:00:00.000Z'
]
/** Those that the database at hand can store; others it refuses. */
let storable: readonly string[] = dates
const someDate = fc.nat().map(n => new Date(storable[n % storable.length] as string))
/** Whether the database at hand tells texts apart that differ in NULs at their ends when it sorts them. */
let sortsEndings = true
const sortable = <T>(value: T): T | string =>
  typeof value === 'string' && !sortsEndings && value.endsWith('\0') ? `${value}b` : value
const points = [
  { lat: 0, lng: 0 },
  { lat: 59.9, lng: 10.7 },
  { lat: -33.8, lng: 151.2 },
  { lat: 89.999999999999, lng: -180 }
]
const free = [
  'a',
  '1',
  '',
  1,
  0,
  1.5,
  true,
  false,
  {},
  [],
  { k: 1 },
  { k: 'a', l: [1, 2] },
  { l: [{ k: 1 }, { k: 2 }] },
  [1, 'a', null],
  [[1]],
  [{ k: 1 }],
  { k: null },
  'a\0b'
]

const from = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

const someText = from(texts).map(sortable)

const pools: Readonly<Record<string, { readonly type: PropertyType; readonly values: fc.Arbitrary<unknown> }>> = {
  text: { type: { kind: 'string' }, values: someText },
  text2: { type: { kind: 'string' }, values: someText },
  number: { type: { kind: 'number' }, values: from(numbers) },
  integer: { type: { kind: 'integer' }, values: from([0, 1, -7, 2 ** 31, 2 ** 53 - 1]) },
  long: { type: { kind: 'long' }, values: from(longs) },
  large: { type: { kind: 'bigint' }, values: from(longs) },
  larges: { type: { kind: 'array', items: { kind: 'bigint' } }, values: fc.array(from(longs), { maxLength: 3 }) },
  decimal: { type: { kind: 'decimal' }, values: from(decimalTexts) },
  amount: { type: { kind: 'decimal', limits: { precision: 30, scale: 2 } }, values: from(amounts) },
  decimals: { type: { kind: 'array', items: { kind: 'decimal' } }, values: fc.array(from(decimalTexts), { maxLength: 3 }) },
  priced: {
    type: { kind: 'object', members: { price: { kind: 'decimal' } } },
    values: from(decimalTexts).map(price => ({ price }))
  },
  flag: { type: { kind: 'boolean' }, values: fc.boolean() },
  at: { type: { kind: 'date' }, values: someDate },
  bytes: { type: { kind: 'buffer' }, values: from(['', 'a', 'b\0']).map(text => Buffer.from(text)) },
  point: { type: { kind: 'geopoint' }, values: from(points) },
  words: { type: { kind: 'array', items: { kind: 'string' } }, values: fc.array(from(texts), { maxLength: 3 }) },
  times: {
    type: { kind: 'array', items: { kind: 'date' } },
    values: fc.array(
      from(dates.slice(0, 4)).map(text => new Date(text)),
      { maxLength: 2 }
    )
  },
  object: {
    type: { kind: 'object' },
    values: from(free.filter(value => typeof value === 'object' && !Array.isArray(value)))
  },
  any: { type: { kind: 'any' }, values: from(free) }
}
const undeclared = ['x1', 'x2', 'constructor', 'a"b', "it's"]

const randomModel: fc.Arbitrary<StoredModel> = fc
  .record({
    names: fc.subarray(Object.keys(pools), { minLength: 1 }),
    open: fc.boolean(),
    idKind: fc.constantFrom<PropertyKind>('number', 'string')
  })
  .map(({ names, open, idKind }) =>
    makeModel(
      'Random "x"',
      Object.fromEntries(names.map(name => [name, (pools[name] as { type: PropertyType }).type])),
      { open, idKind }
    )
  )

const valueOf = (name: string): fc.Arbitrary<unknown> =>
  Object.hasOwn(pools, name) ? (pools[name] as { values: fc.Arbitrary<unknown> }).values : from(free)

/** Values of a row or of changes; some are null, and undefined in changes. */
function randomValues (model: StoredModel, empty: readonly unknown[]): fc.Arbitrary<Row> {
  const names = [
    ...model.properties.filter(property => property !== model.id).map(({ name }) => name),
    ...(model.open ? undeclared : [])
  ]
  const members = Object.fromEntries(
    names.map(name => [name, fc.oneof({ weight: 5, arbitrary: valueOf(name) }, { weight: 1, arbitrary: from(empty) })])
  )
  return fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Row>
}

const ids = (model: StoredModel): fc.Arbitrary<string | number> =>
  model.id?.type.kind === 'string'
    ? from(['a', 'b', 'c', 'a\0', '1', '']).map(sortable)
    : fc.integer({ min: 1, max: 9 })

function randomComparison (model: StoredModel): fc.Arbitrary<Condition> {
  const names = [
    ...model.properties.map(({ name }) => name),
    'priced.price',
    'object.k',
    'object.l.k',
    'any.k',
    'any.l.0',
    'any.0',
    'any.l.1.k',
    ...(model.open ? undeclared : []),
    ...(model.open ? ['x1.k', 'x1.l.k'] : [])
  ].filter(name => !name.includes('.') || model.propertyByName.has(name.split('.')[0] as string) || model.open)
  return fc.constantFrom(...names).chain((name): fc.Arbitrary<Comparison> => {
    const place = path(model, name)
    const value = (
      name === 'id'
        ? ids(model)
        : name === 'priced.price'
          ? from(decimalTexts)
          : name === 'decimals'
            ? fc.oneof(from(decimalTexts), fc.array(from(decimalTexts), { maxLength: 2 }))
            : name === 'larges'
              ? fc.oneof(from(longs), fc.array(from(longs), { maxLength: 2 }))
              : name.includes('.')
                ? from(free)
                : name === 'words'
                  ? fc.oneof(from(texts), fc.array(from(texts), { maxLength: 2 }))
                  : name === 'times'
                    ? from(dates.slice(0, 4)).map(text => new Date(text))
                    : valueOf(name)
    ) as fc.Arbitrary<ConditionValue>
    const nullable = fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
    const isText = ['text', 'text2', 'words', 'any', 'x1', 'any.k'].includes(name)
    return fc.oneof(
      fc.record({
        kind: fc.constant('compare' as const),
        path: fc.constant(place),
        op: fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'),
        value: nullable
      }),
      fc.record({
        kind: fc.constant('in' as const),
        path: fc.constant(place),
        op: fc.constantFrom('inq', 'nin'),
        values: fc.array(nullable, { maxLength: 3 })
      }),
      fc.record({ kind: fc.constant('between' as const), path: fc.constant(place), from: value, to: value }),
      fc.record({ kind: fc.constant('exists' as const), path: fc.constant(place), exists: fc.boolean() }),
      ...(isText
        ? [
            fc.record({
              kind: fc.constant('like' as const),
              path: fc.constant(place),
              negated: fc.boolean(),
              ignoreCase: fc.boolean(),
              pattern: from(['%', 'a%', '%b', '_', 'a_c', '\\%', 'ab', 'A%', '😀%', 'a\0%', '\x7f%', '%\0%', ''])
            }),
            fc.record({
              kind: fc.constant('regexp' as const),
              path: fc.constant(place),
              source: from(['^a', 'b$', '[aé]', '', '\\x00']),
              ignoreCase: fc.boolean(),
              multiline: fc.boolean()
            })
          ]
        : []),
      ...(name === 'point' || name === 'any'
        ? [
            fc.record({
              kind: fc.constant('near' as const),
              path: fc.constant(place),
              lat: fc.constantFrom(0, 59),
              lng: fc.constantFrom(0, 10),
              maxDistance: fc.constantFrom(1e5, 1e6, 2e7)
            })
          ]
        : [])
    ) as fc.Arbitrary<Comparison>
  })
}

function randomCondition (model: StoredModel, levels = 2): fc.Arbitrary<Condition> {
  if (levels === 0) return randomComparison(model)
  return fc.oneof(
    { weight: 3, arbitrary: randomComparison(model) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('and', 'or', 'nor'),
        conditions: fc.array(randomCondition(model, levels - 1), { maxLength: 3 })
      }) as fc.Arbitrary<Condition>
    }
  )
}

const randomSelection = (model: StoredModel): fc.Arbitrary<Selection> =>
  fc.record({
    names: fc.subarray(model.properties.map(({ name }) => name)),
    extra: fc.constantFrom<Selection['extra']>(
      ...(model.open ? (['all', 'none', ['x1', 'constructor']] as const) : (['none'] as const))
    )
  })

function randomQuery (model: StoredModel): fc.Arbitrary<Query> {
  const sortable = [
    ...model.properties.map(({ name }) => name), ...(model.open ? ['x1'] : []),
    ...(model.propertyByName.has('priced') ? ['priced.price'] : [])
  ]
  return fc
    .record({
      where: fc.option(randomCondition(model), { nil: undefined }),
      order: fc.array(
        fc.record({
          path: fc.constantFrom(...sortable).map(name => path(model, name)),
          descending: fc.boolean()
        }) as fc.Arbitrary<OrderTerm>,
        { maxLength: 2 }
      ),
      limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      skip: fc.constantFrom(0, 0, 1, 3),
      select: fc.oneof(fc.constant(selectAll(model)), randomSelection(model))
    })
    .map(parts => query(model, parts))
}

type Step = (connector: Connector) => unknown

function randomWrite (model: StoredModel): fc.Arbitrary<{ readonly name: string, readonly run: Step }> {
  const row = randomValues(model, [null])
  const changes = randomValues(model, [null, undefined])
  const withId = fc.tuple(row, ids(model)).map(([values, id]) => ({ ...values, id }))
  return fc.oneof(
    fc.tuple(ids(model), changes).map(([id, values]) => ({
      name: 'updateById',
      run: (connector: Connector) => connector.updateById(model, id, values, {})
    })),
    fc.tuple(fc.option(randomCondition(model, 1), { nil: undefined }), changes).map(([where, values]) => ({
      name: 'updateAll',
      run: (connector: Connector) => connector.updateAll(model, where, values, {})
    })),
    fc.tuple(ids(model), row).map(([id, values]) => ({
      name: 'replaceById',
      run: (connector: Connector) => connector.replaceById(model, id, values, {})
    })),
    fc.tuple(randomQuery(model), withId).map(([wanted, values]) => ({
      name: 'findOrCreate',
      run: (connector: Connector) => connector.findOrCreate(model, wanted, values, {})
    })),
    fc
      .tuple(randomCondition(model, 1))
      .map(([where]) => ({ name: 'deleteAll', run: (connector: Connector) => connector.deleteAll(model, where, {}) })),
    withId.map(values => ({ name: 'create', run: (connector: Connector) => connector.create(model, values, {}) }))
  )
}

/** What an operation gives, or the code it fails with, in a form that can be compared. */
async function outcome (step: Step, connector: Connector): Promise<unknown> {
  try {
    return comparable(await step(connector))
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code !== 'DUPLICATE_ID') throw error
    return code
  }
}

/** Types stay visible, the order of keys does not count; `undefined` is no value. */
function comparable (value: unknown): unknown {
  if (value instanceof Date) return { date: value.toISOString() }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (Array.isArray(value)) return value.map(comparable)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, comparable(item)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
}

/** Bytes as clients have them. */
const asSent = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) =>
    [name, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]))

/** 64-bit numbers as clients have them: those that no double holds are texts. */
const sentNumber = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value)

/** Rows as JSON has them. */
const asJson = (rows: unknown): unknown =>
  JSON.parse(
    JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? sentNumber(value) : value)) ?? 'null'
  )

const seed = Number(process.env.AGREEMENT_SEED ?? Date.now() % 1e9)

t.test('sqlite', { skip: process.env.ONLY !== undefined }, async t => {
  await agrees(t, 'sqlite::memory:', runsOf(150))
})

for (const server of (process.env.ONLY === undefined ? ['postgres', 'mysql'] : [process.env.ONLY]) as Array<
  'postgres' | 'mysql'
>) {
  t.test(server, async t => {
    const url = await scratchUrl(t, server)
    storable = server === 'mysql' ? dates.filter(text => /^\d/.test(text)) : dates
    sortsEndings = server !== 'mysql'
    if (url !== undefined) await agrees(t, url, runsOf(25))
  })
}

async function agrees (t: Test, url: string, runs: number): Promise<void> {
  t.comment(`${runs} random models (seed ${seed})`)
  let compared = 0
  const scenario = randomModel.chain(model =>
    fc.record({
      model: fc.constant(model),
      rows: fc.array(
        fc.tuple(randomValues(model, [null]), ids(model)).map(([row, id]) => ({ ...row, id })),
        { maxLength: 8 }
      ),
      writes: fc.array(randomWrite(model), { maxLength: 6 }),
      queries: fc.array(randomQuery(model), { minLength: 8, maxLength: 12 })
    })
  )
  const agree = fc.asyncProperty(scenario, async ({ model, rows, writes, queries }) => {
    const memory = await openMemory([model])
    const sql = await openSql({ url, poolSize: 1 }, [model])
    const both = async (what: string, step: Step): Promise<void> => {
      const expected = await outcome(step, memory)
      const found = await outcome(step, sql)
      compared++
      const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)]
      if (wanted !== got) throw new Error(`${what}\nmemory ${wanted}\nsql    ${got}`)
    }
    try {
      for (const row of rows) await both('create', connector => connector.create(model, row, {}))
      for (const write of writes) await both(write.name, write.run)
      for (const wanted of queries) {
        await both('find', connector => connector.find(model, wanted, {}))
        await both('count', connector => connector.count(model, wanted.where, {}))
        const found = await memory.find(model, wanted, {})
        const text = await sql.text?.find(model, wanted, {}) as string
        const [wantedText, gotText] = [comparable(asJson(found.map(asSent))), comparable(JSON.parse(text))].map(value =>
          JSON.stringify(value)
        )
        if (wantedText !== gotText) throw new Error(`text\nmemory ${wantedText}\nsql    ${gotText}`)
      }
    } finally {
      await sql.disconnect()
    }
  })
  const result = await fc.check(agree, { numRuns: runs, seed, endOnFailure: false })
  if (result.failed) {
    const shown = JSON.stringify(result.counterexample, (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : typeof value === 'function' ? 'function' : value
    )
    t.fail(`${String(result.errorInstance)}\nseed ${seed}: ${shown}`)
  }
  t.ok(compared > runs, `${compared} answers agree`)
}
