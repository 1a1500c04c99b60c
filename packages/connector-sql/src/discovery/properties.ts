/** From columns to properties (discovery.md, section 5, DS-3, DT-1 to DT-3). */
import { isSecretName } from '@fastback/core/connector'
import type { CatalogueColumn, CatalogueTable } from '../dialects/catalogue.js'
import { boundsOf } from './bounds.js'
import { jsonColumnOf, ruleOf } from './checks.js'
import { defaultFor } from './defaults.js'

export interface PropertyOptions {
  /** Whole numbers of 64 bits as numbers, as bigints, or as texts; these two lose nothing. Default: `number`. */
  readonly bigints?: 'number' | 'bigint' | 'text' | undefined
  /**
   * Decimal numbers as numbers where a number holds them (up to 15 digits) and as decimals elsewhere, all as decimals,
   * or all as texts. Default: `number`.
   */
  readonly decimals?: 'number' | 'decimal' | 'text' | undefined
  /** Columns of JSON hold objects, or anything. Default: `object`. */
  readonly json?: 'object' | 'any' | undefined
  /**
   * Models refuse what their tables would refuse (undeclared properties, texts that are too long, numbers out of
   * range), hide columns that are called like secrets, want no index of a table of others, and have days as ids.
   * Default: false (DI-11).
   */
  readonly careful?: boolean | undefined
}

export interface FoundProperty {
  readonly definition: Record<string, unknown>
  /** What the type cannot hold, or what has to be known of it. */
  readonly notes: readonly string[]
}

/** Digits that a property of the type `decimal` may have. */
const mostPrecision = 1000

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
    const definition = ruled === undefined ? own.definition : inOrder(withRules(own.definition, ruled), settingsKey)
    return [column.name, { definition, notes: at === 0 ? [...notes, ...own.notes] : own.notes }]
  })
  return new Map(found)
}

function propertyOf (
  table: CatalogueTable, column: CatalogueColumn, settingsKey: string, options: PropertyOptions
): FoundProperty {
  const position = (table.primaryKey?.columns ?? []).indexOf(column.name) + 1
  const { type, more, note } = foundType(table, column, settingsKey, options, position > 0)
  const byDefault = column.default === undefined ? {} : defaultFor(column.default, type)
  const { byDatabase = false, ...value } = byDefault
  const isLeft = column.generated !== undefined || byDatabase
  const isGeneratedKey = position > 0 && isLeft && column.generated !== 'computed'
  const isCareful = options.careful === true
  const isSecret = isCareful && holdsSecret(table, column, type)
  const definition = {
    type,
    ...(!column.nullable && !isLeft && column.default === undefined ? { required: true } : {}),
    ...(position === 0 ? {} : keyParts(table, position, isGeneratedKey, type)),
    ...more,
    ...(isCareful && !isGeneratedKey ? boundsOf(column, type, settingsKey) : {}),
    ...(isSecret ? { hidden: true } : {}),
    ...(position === 0 ? value : {}),
    ...indexPart(table, column, position, isCareful),
    ...(column.comment === undefined ? {} : { description: column.comment }),
    ...(column.generated === 'computed' ? { readOnly: true, computed: true } : {}),
    [settingsKey]: columnSettings(column)
  }
  const notes = [
    ...(note === undefined ? [] : [`${column.name}: ${note}`]),
    ...(isSecret ? [`${column.name}: hidden, as its name is one of a secret; take "hidden" away where it is none`] : []),
    ...(column.generated === 'computed' ? [`${column.name}: the database computes it, and refuses to be told`] : []),
    ...(byDatabase ? [`DT-3: ${column.name}: the default ${String(column.default)} is left to the database`] : [])
  ]
  return { definition, notes }
}

function foundType (
  table: CatalogueTable, column: CatalogueColumn, settingsKey: string, options: PropertyOptions, isKey: boolean
): TypeFound {
  if (isBitText(column, settingsKey)) return { type: 'string' }
  return isDayOfKey(table, column, settingsKey, options) ? { type: 'dateOnly' } : typeOf(column, options, isKey)
}

/** Of a column of the primary key. @param position from 1 */
function keyParts ({ primaryKey }: CatalogueTable, position: number, isGenerated: boolean, type: unknown): object {
  const isOnly = primaryKey?.columns.length === 1
  return {
    id: isOnly ? true : position,
    ...(isGenerated ? { generated: true } : isOnly ? { generated: false } : {}),
    // Without it a generated id is what the store counts: a number.
    ...(isOnly && isGenerated && type !== 'number' ? { useDefaultIdType: false } : {})
  }
}

/** @param position in the primary key, from 1; 0: it is no part of it */
function indexPart (table: CatalogueTable, column: CatalogueColumn, position: number, isCareful: boolean): object {
  const own = table.indexes.filter(({ columns }) => columns.length === 1 && columns[0] === column.name)
  if (own.length === 0) {
    // A relation would ask for one.
    return isCareful && position !== 1 && refers(table, column) ? { index: false } : {}
  }
  if (position > 0) return {}
  return { index: own.some(({ unique }) => unique) ? { unique: true } : true }
}

const columnSettings = (column: CatalogueColumn): object => ({
  columnName: column.name,
  dataType: column.dataType,
  ...(column.length === null ? {} : { dataLength: column.length }),
  ...(isDecimal(column) && column.precision !== null ? { dataPrecision: column.precision } : {}),
  ...(isDecimal(column) && column.scale !== null ? { dataScale: column.scale } : {}),
  nullable: column.nullable ? 'YES' : 'NO'
})

/** A text or bytes with the name of a secret; what tells rows apart, or leads to others, has to be seen. */
const holdsSecret = ({ primaryKey, foreignKeys }: CatalogueTable, { name }: CatalogueColumn, type: unknown): boolean =>
  (type === 'string' || type === 'buffer') && isSecretName(name) &&
  ![primaryKey, ...foreignKeys].some(key => key?.columns.includes(name) === true)

/** Bounds of numbers say nothing of a text, as decimals may be: the database checks them still. */
const boundKeys: ReadonlySet<string> = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

/** Checks are closer than types. A list of numbers says nothing of a text, or of what is true. */
function withRules (definition: Record<string, unknown>, rules: Record<string, unknown>): Record<string, unknown> {
  const { enum: values, ...all } = rules
  const others = definition.type === 'number'
    ? all
    : Object.fromEntries(Object.entries(all).filter(([key]) => !boundKeys.has(key)))
  const fits = Array.isArray(values) && (typeof values[0] === 'number' ? 'number' : 'string') === definition.type
  return { ...definition, ...others, ...(fits ? { enum: values } : {}) }
}

const refers = ({ foreignKeys }: CatalogueTable, { name }: CatalogueColumn): boolean =>
  foreignKeys.some(({ columns }) => columns.length === 1 && columns[0] === name)

/** The settings of the database stay last. */
function inOrder (definition: Record<string, unknown>, settingsKey: string): Record<string, unknown> {
  const { [settingsKey]: own, ...rest } = definition
  return { ...rest, [settingsKey]: own }
}

/** A day that tells rows apart stands in addresses, where an instant would be no help. */
const isDayOfKey = (
  table: CatalogueTable, column: CatalogueColumn, settingsKey: string, { careful }: PropertyOptions
): boolean =>
  careful === true && settingsKey !== 'sqlite3' && /^date$/i.test(column.dataType) &&
  (table.primaryKey?.columns.includes(column.name) === true || refers(table, column))

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
    const found = typeOf({ ...item, length: null, precision: null }, options, false)
    return { type: [found.type], ...(found.type === 'decimal' ? { more: found.more } : {}) }
  }
  if (/^set\(/.test(full)) return { type: 'string', note: 'a set comes as one text with commas' }
  if (values !== undefined) return { type: 'string', more: { enum: [...values] } }
  if (/^bool/.test(type) || /^(?:tinyint|bit)\(1\)/.test(full) || (type === 'bit' && full === 'bit')) return { type: 'boolean' }
  if (/^(?:bigint|int8|bigserial|unsigned big int)\b/.test(type)) {
    if (options.bigints === 'text') return { type: 'string', more: { pattern: '^-?\\d+$' } }
    if (options.bigints === 'bigint') return { type: 'bigint' }
    return { type: 'number', ...(isKey ? { note: 'numbers above 9007199254740991 are bigints, which "number" does not say; --bigints bigint does' } : {}) }
  }
  if (/^(?:small|medium|tiny)?int(?:eger|\d+)?\b|^(?:small)?serial|^year\b/.test(type)) return { type: 'number' }
  if (/^(?:real|float|double)/.test(type)) return { type: 'number' }
  if (isDecimal(column)) return decimalOf(column, options)
  if (/^(?:date(?!range|multirange)|timestamp)/.test(type)) return { type: 'date' }
  if (/^time\b|^timetz/.test(type)) return { type: 'string' }
  if (/^jsonb?$/.test(type)) return { type: options.json ?? 'object' }
  if (/blob$|^bytea$|binary|^bit\b/.test(type)) return { type: 'buffer' }
  if (type === 'point') return { type: 'geopoint' }
  if (/char|^text|text$|^clob|^citext|^name$/.test(type)) {
    return { type: 'string', ...(length === null || /text$/.test(type) ? {} : { more: { length } }) }
  }
  if (/^(?:uuid|money|interval|inet|cidr|macaddr8?|xml|enum)$/.test(type)) return { type: 'string' }
  return { type: 'string', note: `the type ${column.fullType === '' ? '(none)' : column.fullType} is read and written as text` }
}

function decimalOf ({ precision, scale }: CatalogueColumn, { decimals }: PropertyOptions): TypeFound {
  const digits = precision === null ? {} : { precision, scale: scale ?? 0 }
  if (decimals === 'text') return { type: 'string', more: { pattern: patternOf(precision, scale), ...digits } }
  // Of a column that does not say it, all digits that there can be.
  const isSaid = precision !== null && precision <= mostPrecision && (scale ?? 0) >= 0 && (scale ?? 0) <= precision
  const exact: TypeFound = { type: 'decimal', more: isSaid ? digits : { precision: mostPrecision } }
  if (decimals === 'decimal') return exact
  if (precision !== null && precision > exactDigits) {
    return { ...exact, note: `${precision} digits are more than a number holds: it is a decimal, a text in JSON` }
  }
  return precision === null
    ? { type: 'number', note: 'digits after the fifteenth would be rounded; --decimals decimal keeps them' }
    : { type: 'number', more: digits }
}

/** No more digits before the point than the column has room for. */
function patternOf (precision: number | null, scale: number | null): string {
  const digits = precision === null ? undefined : precision - (scale ?? 0)
  return `^-?${digits === undefined || digits < 1 ? '\\d+' : `0*\\d{1,${digits}}`}(?:\\.\\d+)?$`
}
