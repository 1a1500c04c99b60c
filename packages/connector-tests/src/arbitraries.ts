/** Random models, rows and filters. Values come from small pools, so that conditions meet them. */
import fc from 'fast-check'
import type { ModelDefinitionInput, Row } from '@fastback/core'
import { operatorGroups } from '@fastback/core/query'

/** A kind of property: its type as written, the values rows have, the values conditions use. */
export interface RandomKind {
  readonly type: unknown
  readonly stored: fc.Arbitrary<unknown>
  readonly asked: fc.Arbitrary<unknown>
  readonly operators: readonly string[]
}

// Characters from U+E000 on are left out: UTF-8 orders them before surrogate pairs, UTF-16 behind them.
const text = fc.constantFrom(
  '',
  'a',
  'b',
  'B',
  'ab',
  'a%b',
  'a_b',
  'é',
  'É',
  'ß',
  '😀',
  "it's",
  '"q"',
  'x\\y',
  ' a',
  'null',
  '12',
  'Straße'
)
const number = fc.constantFrom(0, 1, -1, 1.5, 2, 10, 100, -2.75, 1e10)
const decimal = fc.constantFrom(
  '0', '1', '-1', '9', '10', '-10', '0.5', '-0.05', '12345678901234567890.01', '12345678901234567890.02', '0.0000000001')
/** Written in other ways than they are stored. */
const askedDecimal = fc.oneof(decimal, fc.constantFrom<unknown>(1, 0.5, '9.00', '010', '-0'))
const bigint = fc.constantFrom<unknown>(
  0, 1, -1, 2 ** 53 - 1, 2n ** 53n + 1n, 2n ** 53n + 2n, -(2n ** 63n), 2n ** 63n - 1n)
const askedBigint = fc.oneof(bigint, fc.constantFrom<unknown>('9007199254740993', '1', 1.5))
const date = fc.constantFrom(
  '2020-01-01T00:00:00.000Z',
  '2020-01-01T00:00:00.001Z',
  '1969-12-31T23:59:59.999Z',
  '2021-06-01T12:30:00.000Z'
)
const day = fc.constantFrom('0001-01-01', '2020-02-29', '2020-03-01', '2020-12-31', '9999-12-31')
const time = fc.constantFrom('00:00:00', '08:30:00', '08:30:00.25', '08:30:00.250001', '12:00:00', '23:59:59.999999')
const patterns = fc.constantFrom(
  '2020-%', '08:30%', '%', 'a%', '%b', '%a%', '_', 'a_b', 'a\\_b', '%\\%%', 'É', 'b', '', '%s%', '\\\\')
const free = fc.constantFrom<unknown>('a', '1', 1, 0, true, false, { k: 1 }, { k: 'a', l: [1, 2] }, [1, 'a'], [], {}, [
  { k: 1 },
  { k: 2 }
])

const { equality, ranges, patterns: textTests } = operatorGroups
const scalarOperators: readonly string[] = [...equality, ...ranges, 'null']
/** Regular expressions have cases of their own. */
const textOperators: readonly string[] = [...scalarOperators, ...textTests.filter(name => name !== 'regexp')]

const kinds: readonly RandomKind[] = [
  { type: 'string', stored: text, asked: text, operators: textOperators },
  { type: 'number', stored: number, asked: number, operators: scalarOperators },
  { type: 'decimal', stored: decimal, asked: askedDecimal, operators: scalarOperators },
  { type: 'bigint', stored: bigint, asked: askedBigint, operators: scalarOperators },
  { type: ['decimal'], stored: fc.array(decimal, { maxLength: 3 }), asked: askedDecimal, operators: scalarOperators },
  { type: ['bigint'], stored: fc.array(bigint, { maxLength: 3 }), asked: askedBigint, operators: scalarOperators },
  { type: 'boolean', stored: fc.boolean(), asked: fc.boolean(), operators: scalarOperators },
  { type: 'date', stored: date.map(iso => new Date(iso)), asked: date, operators: scalarOperators },
  { type: 'dateOnly', stored: day, asked: day, operators: textOperators },
  { type: 'time', stored: time, asked: time, operators: textOperators },
  { type: ['string'], stored: fc.array(text, { maxLength: 3 }), asked: text, operators: textOperators },
  { type: ['number'], stored: fc.array(number, { maxLength: 3 }), asked: number, operators: scalarOperators },
  {
    type: 'any',
    stored: free,
    asked: fc.oneof(free, text, number),
    operators: ['eq', 'neq', 'inq', 'nin', 'null', 'exists', 'member']
  },
  {
    type: 'object',
    stored: fc.record(
      { k: fc.oneof(number, text, fc.constant(null)), l: fc.array(number, { maxLength: 2 }) },
      { requiredKeys: [] }
    ),
    asked: fc.oneof(number, text),
    operators: ['null', 'exists', 'member']
  },
  {
    type: [{ type: 'object' }],
    stored: fc.array(fc.record({ k: number }, { requiredKeys: [] }), { maxLength: 3 }),
    asked: number,
    operators: ['exists', 'member']
  }
]

/** A model of two to six properties, and the kind of each. */
export interface RandomModel {
  readonly definition: ModelDefinitionInput
  readonly kinds: ReadonlyMap<string, RandomKind>
}

/**
 * Names that connectors have given, or databases give, to something else in a statement: a column that has one of them
 * must not change what the statement means.
 */
export const namesOfStatements = [
  'e', 'v', 'value', 'key', 'type', 'atom', 'parent', 'fullkey', 'path', 'json', 'root', 'text', 'list', 'page', 'rows',
  'row_text', 'row_id', 'own_rows', 'belonging', 'beside', 'one', 'counted', 'element', 'item', 'message', 'excluded',
  'new', 'old', 'ordinality', 'rank', 'match', 'user', 'position'
] as const

const randomName = fc.oneof(
  { weight: 2, arbitrary: fc.nat({ max: 9 }).map(i => `p${String(i)}`) },
  { weight: 1, arbitrary: fc.constantFrom(...namesOfStatements) }
)

/**
 * A model with some properties, some of them indexed.
 *
 * ```js
 * const [model] = fc.sample(randomModel('Random'), 1)
 * model.definition.properties // { p3: { type: 'string', index: true }, value: { type: 'date' } }
 * ```
 * @param leaveOut types that no property has, nor the items of a list
 */
export const randomModel = (name: string, leaveOut: readonly string[] = []): fc.Arbitrary<RandomModel> =>
  fc.uniqueArray(
    fc.tuple(
      randomName, fc.constantFrom(...kinds.filter(({ type }) => !leaveOut.includes(String(type)))), fc.boolean()),
    { minLength: 2, maxLength: 6, selector: ([name]) => name }
  ).map(chosen => {
    const properties = Object.fromEntries(chosen.map(([name, { type }, index]) =>
      [name, { type, ...(index && typeof type === 'string' ? { index: true } : {}) }]))
    return {
      definition: { name, base: 'PersistedModel', properties },
      kinds: new Map(chosen.map(([name, kind]) => [name, kind]))
    }
  })

/**
 * Rows in which every value may be null or missing.
 *
 * ```js
 * fc.sample(randomModel('Random').chain(randomRows), 2)
 * ```
 */
export const randomRows = ({ kinds }: RandomModel): fc.Arbitrary<Row[]> => {
  const members = Object.fromEntries([...kinds].map(([name, kind]) => [name, orNull(kind.stored)]))
  return fc.array(fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Row>, { maxLength: 12 })
}

/**
 * Conditions, order, limit, skip and fields, each of them present or not.
 *
 * ```js
 * const [model] = fc.sample(randomModel('Random'), 1)
 * fc.sample(randomFilter(model), 3) // [{ where: { p3: { gt: 1 } }, limit: 2 }, …]
 * ```
 */
export const randomFilter = (model: RandomModel): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    {
      where: randomWhere(model),
      order: fc.array(
        fc
          .tuple(fc.constantFrom('id', ...sortable(model)), fc.constantFrom('', ' ASC', ' DESC'))
          .map(parts => parts.join('')),
        { maxLength: 3 }
      ),
      limit: fc.integer({ min: 0, max: 6 }),
      skip: fc.integer({ min: 0, max: 4 }),
      fields: fc.subarray(['id', ...model.kinds.keys()])
    },
    { requiredKeys: [] }
  )

/** Scalars only: of lists and objects order says nothing. */
const sortable = ({ kinds }: RandomModel): string[] =>
  [...kinds]
    .filter(([, kind]) => ['string', 'number', 'decimal', 'bigint', 'boolean', 'date', 'dateOnly', 'time'].includes(kind.type as string))
    .map(([name]) => name)

/**
 * Conditions on one property and on several, with `and`, `or` and `nor` to three levels.
 *
 * ```js
 * fc.sample(randomModel('Random').chain(model => randomWhere(model, 1)), 2)
 * ```
 */
export function randomWhere (model: RandomModel, levels = 3): fc.Arbitrary<Record<string, unknown>> {
  const tests = [...model.kinds].map(([name, kind]) => randomTest(name, kind))
  const flat = fc
    .array(fc.oneof(...tests, randomIdTest), { minLength: 1, maxLength: 2 })
    .map(parts => Object.assign({}, ...parts) as Record<string, unknown>)
  if (levels === 0) return flat
  const branches = fc.tuple(
    fc.constantFrom('and', 'or', 'nor'),
    fc.array(randomWhere(model, levels - 1), { maxLength: 3 })
  )
  return fc.oneof(
    { weight: 3, arbitrary: flat },
    { weight: 1, arbitrary: branches.map(([kind, conditions]) => ({ [kind]: conditions })) }
  )
}

const randomIdTest = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map(id => ({ id })),
  fc.array(fc.integer({ min: 1, max: 12 })).map(ids => ({ id: { inq: ids } }))
)

function randomTest (name: string, { asked, operators }: RandomKind): fc.Arbitrary<Record<string, unknown>> {
  return fc.constantFrom(...operators).chain((operator): fc.Arbitrary<Record<string, unknown>> => {
    switch (operator) {
      case 'eq':
        return asked.map(value => ({ [name]: { eq: value } }))
      case 'null':
        return fc.constantFrom({ [name]: null }, { [name]: { neq: null } })
      case 'exists':
        return fc.boolean().map(exists => ({ [name]: { exists } }))
      case 'between':
        return fc.tuple(asked, asked).map(values => ({ [name]: { between: values } }))
      case 'inq':
      case 'nin':
        return fc.array(orNull(asked), { maxLength: 3 }).map(values => ({ [name]: { [operator]: values } }))
      case 'like':
      case 'nlike':
      case 'ilike':
      case 'nilike':
        return patterns.map(pattern => ({ [name]: { [operator]: pattern } }))
      case 'member':
        return fc
          .tuple(fc.constantFrom('k', 'l', 'none'), fc.constantFrom('eq', 'neq', 'gt', 'inq'), asked.filter(isScalar))
          .map(([member, test, value]) => ({ [`${name}.${member}`]: { [test]: test === 'inq' ? [value] : value } }))
      default:
        return asked.map(value => ({ [name]: { [operator]: value } }))
    }
  })
}

const orNull = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) })

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object'
