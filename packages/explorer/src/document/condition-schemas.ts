/** Conditions on one property, by the kind of its values: the operators of a `where` (behaviour.md, section 2). */
import type { PropertyType } from '@fastback/core'
import type { OperatorName, OperatorOption } from '@fastback/core/query'
import type { Components } from './components.js'
import { orNull } from './json-schema.js'
import type { Schema } from '@fastback/ui/openapi'

type Kind = 'String' | 'Number' | 'BigInt' | 'Decimal' | 'Boolean' | 'Date' | 'GeoPoint' | 'Any'

const text: Schema = { type: 'string' }
const bigint: Schema = { type: ['integer', 'string'], format: 'int64' }
const decimal: Schema = { type: 'string', format: 'decimal' }
const date: Schema = { type: 'string', format: 'date-time' }

const equality = (value: Schema): Record<OperatorName<'equality'>, Schema> => ({
  eq: orNull(value),
  neq: orNull(value),
  inq: { type: 'array', items: orNull(value), description: 'One of these values' },
  nin: { type: 'array', items: orNull(value), description: 'None of these values' },
  exists: { type: 'boolean', description: 'Whether the row has a value for the property' }
})

const ranges = (value: Schema): Record<OperatorName<'ranges'>, Schema> => ({
  gt: value,
  gte: value,
  lt: value,
  lte: value,
  between: {
    type: 'array',
    items: value,
    minItems: 2,
    maxItems: 2,
    description: 'From the first value to the second, both included'
  }
})

function patterns (maxLength: number): Record<OperatorName<'patterns'> | OperatorOption<'patterns'>, Schema> {
  const pattern = (description: string): Schema => ({ type: 'string', maxLength, description })
  return {
    like: pattern('SQL pattern over the whole value: % stands for any text, _ for any character; minds case'),
    nlike: pattern('Not like'),
    ilike: pattern('Like, in any case'),
    nilike: pattern('Not like, in any case'),
    regexp: pattern('Regular expression, bare or as /expression/i'),
    options: { type: 'string', description: 'Flags of regexp: i' }
  }
}

const distances = (models: Schema): Record<OperatorName<'distances'> | OperatorOption<'distances'>, Schema> => ({
  near: {
    anyOf: [
      models,
      { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      { type: 'string', description: '"lat,lng"' }
    ]
  },
  maxDistance: { type: 'number', minimum: 0 },
  minDistance: { type: 'number', minimum: 0 },
  unit: { type: 'string', enum: ['kilometers', 'meters', 'miles', 'feet', 'radians', 'degrees'], default: 'miles' }
})

interface Parts { readonly patternLength: number, readonly geoPoint: () => Schema }

const operators: Readonly<Record<Kind, (parts: Parts) => Record<string, Schema>>> = {
  String: ({ patternLength }) => ({ ...equality(text), ...ranges(text), ...patterns(patternLength) }),
  Number: () => ({ ...equality({ type: 'number' }), ...ranges({ type: 'number' }) }),
  BigInt: () => ({ ...equality(bigint), ...ranges(bigint) }),
  Decimal: () => ({ ...equality(decimal), ...ranges(decimal) }),
  Boolean: () => equality({ type: 'boolean' }),
  Date: () => ({ ...equality(date), ...ranges(date) }),
  GeoPoint: ({ geoPoint }) => distances(geoPoint()),
  Any: ({ patternLength, geoPoint }) => ({
    ...equality({}),
    ...ranges({}),
    ...patterns(patternLength),
    ...distances(geoPoint())
  })
}

const kinds: Readonly<Record<PropertyType['kind'], Kind>> = {
  string: 'String',
  number: 'Number',
  integer: 'Number',
  long: 'Number',
  bigint: 'BigInt',
  decimal: 'Decimal',
  boolean: 'Boolean',
  date: 'Date',
  geopoint: 'GeoPoint',
  object: 'Any',
  array: 'Any',
  buffer: 'Any',
  any: 'Any',
  model: 'Any'
}

const values: Readonly<Record<Kind, Schema>> = {
  String: text,
  Number: { type: 'number' },
  BigInt: bigint,
  Decimal: decimal,
  Boolean: { type: 'boolean' },
  Date: date,
  GeoPoint: {},
  Any: {}
}

/**
 * What may stand beside a property's name in a `where`: a value, or operators that must all hold. Of a list, one item
 * is compared.
 */
export function conditionSchema (
  type: PropertyType,
  components: Components,
  patternLength: number,
  geoPoint: () => Schema
): Schema {
  const parts = { patternLength, geoPoint }
  const kind = kinds[(type.kind === 'array' ? (type.items ?? type) : type).kind]
  const value = values[kind]
  if (kind === 'Any') return { description: `A value, or operators: ${Object.keys(operators.Any(parts)).join(', ')}` }
  const condition = components.ref(`condition:${kind}`, `${kind}Condition`, () => ({
    type: 'object',
    description: 'Operators, all of which must hold',
    properties: operators[kind](parts),
    additionalProperties: false,
    minProperties: 1
  }))
  return kind === 'GeoPoint' ? condition : { anyOf: [orNull(value), condition] }
}

/**
 * A condition on rows of a relation. The description leads to no filter of another model (`filter-schemas.ts`): the
 * name of that model is for pages that offer its properties.
 *
 * ```js
 * relatedSchema(true, 'Item').properties.some // { type: 'object' }
 * ```
 * @param model undefined where it is not published, or each row names its own
 */
export function relatedSchema (isList: boolean, model: string | undefined): Schema {
  const condition: Schema = { type: 'object' }
  const quantified = { some: condition, every: condition, none: condition }
  const about = model === undefined ? {} : { 'x-related': model }
  if (isList) return { type: 'object', properties: quantified, ...about }
  return { ...orNull({ type: 'object' }), ...about }
}
