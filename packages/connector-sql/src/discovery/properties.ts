/** From columns to properties (discovery.md, section 5, DS-3, DT-1 to DT-3). */
import type { CatalogueColumn, CatalogueTable } from '../dialects/catalogue.js'
import { jsonColumnOf, ruleOf } from './checks.js'
import { defaultFor } from './defaults.js'

export interface PropertyOptions {
  /** Whole numbers of 64 bits as numbers, or as texts that lose nothing. Default: `number`. */
  readonly bigints?: 'number' | 'text' | undefined
  /** Decimal numbers as numbers where a number holds them (up to 15 digits), or all as texts. Default: `number`. */
  readonly decimals?: 'number' | 'text' | undefined
  /** Columns of JSON hold objects, or anything. Default: `object`. */
  readonly json?: 'object' | 'any' | undefined
}

export interface FoundProperty {
  readonly definition: Record<string, unknown>
  /** What the type cannot hold, or what has to be known of it. */
  readonly notes: readonly string[]
}

/** Digits that a number holds. */
const exactDigits = 15

interface TypeFound { readonly type: unknown, readonly more?: Record<string, unknown>, readonly note?: string }

/**
 * The properties of a table by the names of its columns.
 * @param settingsKey where settings of the database stand: `postgresql`
 */
export function propertiesOf (
  table: CatalogueTable, settingsKey: string, options: PropertyOptions
): Map<string, FoundProperty> {
  const rules = new Map<string, Record<string, unknown>>()
  const notes: string[] = []
  const jsonColumns = new Set(table.checks.map(jsonColumnOf))
  for (const check of table.checks) {
    const found = ruleOf(check)
    if (found !== undefined) rules.set(found.column, { ...rules.get(found.column), ...found.rules })
    else if (jsonColumnOf(check) === undefined) notes.push(`DT-1: the check ${check.replace(/\s+/g, ' ').trim()} is left to the database`)
  }
  const found = table.columns.map((column, at): [string, FoundProperty] => {
    const own = propertyOf(table, jsonColumns.has(column.name) ? { ...column, dataType: 'json' } : column, settingsKey, options)
    const ruled = rules.get(column.name)
    const definition = ruled === undefined ? own.definition : inOrder({ ...own.definition, ...ruled }, settingsKey)
    return [column.name, { definition, notes: at === 0 ? [...notes, ...own.notes] : own.notes }]
  })
  return new Map(found)
}

function propertyOf (
  table: CatalogueTable, column: CatalogueColumn, settingsKey: string, options: PropertyOptions
): FoundProperty {
  const key = table.primaryKey?.columns ?? []
  const place = key.indexOf(column.name) + 1
  const found: TypeFound = isBitText(column, settingsKey) ? { type: 'string' } : typeOf(column, options, place > 0)
  const { type, more = {}, note } = found
  const byDefault = column.default === undefined ? {} : defaultFor(column.default, type)
  const isLeft = column.generated !== undefined || byDefault.byDatabase === true
  const isOnlyKey = place > 0 && key.length === 1
  const isGenerated = isLeft && column.generated !== 'computed'
  const isRequired = !column.nullable && !isLeft && column.default === undefined
  const own = table.indexes.filter(({ columns }) => columns.length === 1 && columns[0] === column.name)
  const isUnique = own.some(({ unique }) => unique)
  const { byDatabase, ...value } = byDefault
  const definition = {
    type,
    ...(isRequired ? { required: true } : {}),
    ...(place === 0 ? {} : { id: isOnlyKey ? true : place }),
    ...(place > 0 && isGenerated ? { generated: true } : isOnlyKey ? { generated: false } : {}),
    ...more,
    ...(place > 0 ? {} : value),
    ...(place > 0 ? {} : isUnique ? { index: { unique: true } } : own.length > 0 ? { index: true } : {}),
    ...(column.comment === undefined ? {} : { description: column.comment }),
    ...(column.generated === 'computed' ? { readOnly: true } : {}),
    [settingsKey]: {
      columnName: column.name,
      dataType: column.dataType,
      ...(column.length === null ? {} : { dataLength: column.length }),
      ...(isDecimal(column) && column.precision !== null ? { dataPrecision: column.precision } : {}),
      ...(isDecimal(column) && column.scale !== null ? { dataScale: column.scale } : {}),
      nullable: column.nullable ? 'YES' : 'NO'
    }
  }
  const notes = [
    ...(note === undefined ? [] : [`${column.name}: ${note}`]),
    ...(column.generated === 'computed' ? [`${column.name}: the database computes it, and refuses to be told`] : []),
    ...(byDatabase === true ? [`DT-3: ${column.name}: the default ${String(column.default)} is left to the database`] : [])
  ]
  return { definition, notes }
}

/** The settings of the database stay last. */
function inOrder (definition: Record<string, unknown>, settingsKey: string): Record<string, unknown> {
  const { [settingsKey]: own, ...rest } = definition
  return { ...rest, [settingsKey]: own }
}

/** PostgreSQL's bits are texts of 0 and 1; MySQL's are bytes, or one is a boolean (section 5). */
const isBitText = ({ dataType, items }: CatalogueColumn, settingsKey: string): boolean =>
  settingsKey === 'postgresql' && items === undefined && /^bit\b/i.test(dataType)

const isDecimal = ({ dataType }: CatalogueColumn): boolean => /^(?:numeric|decimal|dec|number)\b/i.test(dataType)

function typeOf (column: CatalogueColumn, options: PropertyOptions, isKey: boolean): TypeFound {
  const { length, values, items } = column
  const type = column.dataType.toLowerCase()
  const full = column.fullType.toLowerCase()
  if (items !== undefined) {
    if (items.dimensions > 1) return { type: 'any', note: 'an array of several dimensions is taken as it comes' }
    const item = { ...column, items: undefined, values: undefined, dataType: items.type, fullType: items.type }
    return { type: [typeOf({ ...item, length: null, precision: null }, options, false).type] }
  }
  if (/^set\(/.test(full)) return { type: 'string', note: 'a set comes as one text with commas' }
  if (values !== undefined) return { type: 'string', more: { enum: [...values] } }
  if (/^bool/.test(type) || /^(?:tinyint|bit)\(1\)/.test(full) || (type === 'bit' && full === 'bit')) return { type: 'boolean' }
  if (/^(?:bigint|int8|bigserial|unsigned big int)\b/.test(type)) {
    if (options.bigints === 'text') return { type: 'string', more: { pattern: '^-?\\d+$' } }
    return { type: 'number', ...(isKey ? { note: 'numbers above 9007199254740991 would be rounded; --bigints text keeps them' } : {}) }
  }
  if (/^(?:small|medium|tiny)?int(?:eger|\d+)?\b|^(?:small)?serial|^year\b/.test(type)) return { type: 'number' }
  if (/^(?:real|float|double)/.test(type)) return { type: 'number' }
  if (isDecimal(column)) return decimalOf(column, options)
  if (/^(?:date|datetime|timestamp)/.test(type)) return { type: 'date' }
  if (/^time\b|^timetz/.test(type)) return { type: 'string' }
  if (/^jsonb?$/.test(type)) return { type: options.json ?? 'object' }
  if (/blob$|^bytea$|binary|^bit\b/.test(type)) return { type: 'buffer' }
  if (type === 'point') return { type: 'geopoint' }
  if (/char|^text|text$|^clob|^citext|^name$/.test(type)) {
    return { type: 'string', ...(length === null || /text$/.test(type) ? {} : { more: { length } }) }
  }
  if (/^(?:uuid|money|interval|inet|cidr|macaddr8?|xml|enum)$/.test(type)) return { type: 'string' }
  if (type === 'tsvector') return { type: 'string', more: { readOnly: true }, note: 'a search vector is only read' }
  return { type: 'string', note: `the type ${column.fullType === '' ? '(none)' : column.fullType} is read and written as text` }
}

function decimalOf ({ precision, scale }: CatalogueColumn, { decimals }: PropertyOptions): TypeFound {
  if (decimals === 'text' || (precision !== null && precision > exactDigits)) {
    return {
      type: 'string',
      more: { pattern: '^-?\\d+(?:\\.\\d+)?$', ...(precision === null ? {} : { precision, scale: scale ?? 0 }) },
      ...(decimals === 'text' ? {} : { note: `${String(precision)} digits are more than a number holds` })
    }
  }
  return precision === null
    ? { type: 'number', note: 'digits after the fifteenth would be rounded; --decimals text keeps them' }
    : { type: 'number', more: { precision, scale: scale ?? 0 } }
}
