/**
 * Values of rows by their property's type: what in-process code and validated bodies hand in becomes what connectors
 * store.
 */
import type { CoercionViolation, RowModel, RowRelation } from './row-model.js'
import type { CompiledProperty } from '../definition/stored-model.js'
import { invalid, parseJson, toBigInt, toBoolean, toBuffer, toDate, toGeoPoint, toInteger, toNumber, toText } from './convert.js'
import { calendarFormats, readCalendar, type Calendar } from './calendar.js'
import { decimalText, readDecimal } from './decimal.js'
import { isIncomingFile } from './file-type.js'
import { isMarked, unknownOf } from '../instances/marks.js'
import { memberPath } from './path.js'
import { sentenceOf, unknownPropertySentence } from '../schemas/sentences.js'
import { within } from '../violation.js'
import { notFinite, plainCopy, tooDeep } from './plain-copy.js'
import type { PropertyKind, PropertyType, Row } from './types.js'

/** Finds a model by name, when it is needed: nested models may refer to one another. */
export type ModelLookup = (name: string) => RowModel | undefined
export type ViolationHandler = (violation: CoercionViolation) => void

/** Nesting of data that is accepted where the model does not say (`maxDepthOfData`). */
export const defaultMaxDepth = 32

const messages: Readonly<Record<PropertyKind, string>> = {
  string: 'is not a string',
  number: 'is not a number',
  integer: 'is not an integer',
  long: 'is not an integer',
  bigint: 'is not an integer of 64 bits',
  decimal: 'is not a decimal number of as many digits',
  boolean: 'is not a boolean',
  date: 'is not a valid date',
  object: 'is not an object',
  model: 'is not an object',
  array: 'is not an array',
  buffer: 'is not binary data',
  geopoint: 'is not a geo point',
  any: 'is invalid'
}

/** JSON's types of what properties hold; a body is refused with the same entry before anything is converted. */
const jsonTypes: Readonly<Record<PropertyKind, string>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  long: 'integer',
  bigint: 'integer',
  decimal: 'string',
  boolean: 'boolean',
  date: 'string',
  object: 'object',
  model: 'object',
  array: 'array',
  buffer: 'buffer',
  geopoint: 'geopoint',
  any: 'any'
}

function report (kind: PropertyKind, path: string, onViolation: ViolationHandler, value?: unknown): void {
  const message = messages[kind]
  // Only text can be an unreadable date; it has LoopBack's code in the process (behaviour.md, section 6).
  const rule = kind === 'date' && typeof value === 'string'
    ? { code: 'format', info: { format: 'date-time' } }
    : { code: 'type', info: { type: jsonTypes[kind] } }
  const inProcess = { code: kind === 'date' ? 'date' : 'type', message }
  const isOwn = kind === 'buffer' || kind === 'geopoint' || kind === 'any'
  onViolation({ path, ...rule, message: isOwn ? message : sentenceOf(rule.code, rule.info) ?? message, inProcess })
}

/**
 * Converts one value. `null` and `undefined` stay what they are. A value that cannot be converted is handed to
 * `onViolation` and returned unchanged, so that anyone who keeps it nevertheless (an instance that is not saved yet)
 * finds it invalid again.
 * @param path where the value stands, for the violation
 * @param levels how deep nested data may be
 */
export function coerceValue (
  type: PropertyType,
  value: unknown,
  path: string,
  onViolation: ViolationHandler,
  lookup?: ModelLookup,
  levels = defaultMaxDepth
): unknown {
  if (value === null || value === undefined) return value
  let result: unknown
  switch (type.kind) {
    case 'string':
      if (type.calendar !== undefined) return coerceCalendar(type.calendar, value, path, onViolation)
      result = toText(value)
      if (typeof result === 'string') return type.transform === undefined ? result : type.transform(result)
      break
    case 'number':
      result = toNumber(value)
      break
    case 'integer':
    case 'long':
      result = toInteger(value)
      break
    case 'bigint':
      result = toBigInt(value)
      break
    case 'decimal':
      return coerceDecimal(type, value, path, onViolation)
    case 'boolean':
      result = toBoolean(value)
      break
    case 'date':
      result = toDate(value)
      break
    case 'buffer':
      result = toBuffer(value)
      break
    case 'geopoint':
      result = toGeoPoint(value)
      break
    case 'any':
      result = plainCopy(value, levels)
      break
    case 'array':
      return coerceItems(type, value, path, onViolation, lookup, levels)
    case 'object':
      return coerceObject(type, value, path, onViolation, lookup, levels)
    case 'model':
      return coerceModel(type, value, path, onViolation, lookup, levels)
  }
  if (result === invalid) report(type.kind, path, onViolation, value)
  else if (!refusesCopy(result, path, onViolation)) return result
  return value
}

function coerceCalendar (calendar: Calendar, value: unknown, path: string, onViolation: ViolationHandler): unknown {
  const result = readCalendar(calendar, value)
  if (result !== invalid) return result
  const info = { format: calendarFormats[calendar] }
  const wanted = calendar === 'date' ? 'a day (2020-01-31)' : 'a time (08:30:00)'
  const inProcess = { code: 'format', message: `is not ${wanted}` }
  onViolation({ path, code: 'format', message: sentenceOf('format', info) ?? inProcess.message, info, inProcess })
  return value
}

/** What has more digits than there is room for is in another format; nothing is rounded. */
function coerceDecimal (type: PropertyType, value: unknown, path: string, onViolation: ViolationHandler): unknown {
  const result = readDecimal(value, type.limits)
  if (result !== invalid) return result
  if (decimalText(value) === invalid && typeof value !== 'string') report('decimal', path, onViolation)
  else {
    const info = { format: 'decimal', ...type.limits }
    const inProcess = { code: 'format', message: messages.decimal }
    onViolation({ path, code: 'format', message: sentenceOf('format', info) ?? inProcess.message, info, inProcess })
  }
  return value
}

/** @param path of the object that has the property */
function reportUnknown (name: string, path: string, known: Iterable<string>, onViolation: ViolationHandler): void {
  const code = 'additionalProperties'
  const info = { additionalProperty: name }
  const inProcess = {
    path: path + memberPath(name), code: 'unknown-property', message: 'is not defined in the model'
  }
  onViolation({ path, code, message: unknownPropertySentence(name, known), info, inProcess })
}

/**
 * The name that a strict model does not have, where that is what the violation says of a row.
 *
 * ```js
 * unknownIn({ path: '', code: 'additionalProperties', message: '…', info: { additionalProperty: 'stars' } }) // 'stars'
 * ```
 */
export const unknownIn = ({ path, code, info }: CoercionViolation): string | undefined =>
  path === '' && code === 'additionalProperties' ? info.additionalProperty as string : undefined

/** Reports what `plainCopy` would not copy. */
function refusesCopy (copy: unknown, path: string, onViolation: ViolationHandler): boolean {
  if (copy === tooDeep) reportDepth(path, onViolation)
  else if (copy === notFinite) report('number', path, onViolation)
  else return false
  return true
}

const reportDepth = (path: string, onViolation: ViolationHandler): void =>
  onViolation({ path, code: 'maxDepth', message: 'is nested too deeply', info: {} })

/** Lists, or JSON text of one. Items of undefined become null, as in JSON. */
function coerceItems (
  type: PropertyType,
  value: unknown,
  path: string,
  onViolation: ViolationHandler,
  lookup: ModelLookup | undefined,
  levels: number
): unknown {
  const items = typeof value === 'string' ? parseJson(value) : value
  if (!Array.isArray(items)) {
    report('array', path, onViolation)
    return value
  }
  if (levels <= 0) {
    reportDepth(path, onViolation)
    return value
  }
  const itemType = type.items
  const result: unknown[] = new Array(items.length)
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i]
    if (itemType === undefined || itemType.kind === 'any') {
      const copy = plainCopy(item, levels - 1)
      if (refusesCopy(copy, path, onViolation)) return value
      result[i] = copy ?? null
    } else {
      result[i] = coerceValue(itemType, item, `${path}[${i}]`, onViolation, lookup, levels - 1) ?? null
    }
  }
  return result
}

/**
 * Plain objects, instances of classes, or JSON text of an object; declared members are converted and come first, with
 * their defaults.
 */
function coerceObject (
  type: PropertyType,
  value: unknown,
  path: string,
  onViolation: ViolationHandler,
  lookup: ModelLookup | undefined,
  levels: number
): unknown {
  if (type.file === true && isIncomingFile(value)) return value
  const object = plainObject(value)
  if (object === undefined && type.anyJson !== true) {
    report('object', path, onViolation)
    return value
  }
  const copy = plainCopy(object ?? value, levels)
  if (refusesCopy(copy, path, onViolation)) return value
  if (type.members === undefined || !isObject(copy)) return copy
  const result: Row = {}
  for (const [name, memberType] of Object.entries(type.members)) {
    const member = copy[name]
    if (member === undefined || typeof member === 'function') {
      const make = type.defaults?.get(name)
      if (make !== undefined) result[name] = make()
      continue
    }
    result[name] = coerceValue(memberType, member, path + memberPath(name), onViolation, lookup, levels - 1)
  }
  for (const name of Object.keys(copy)) {
    if (Object.hasOwn(type.members, name)) continue
    if (type.closed === true) reportUnknown(name, path, Object.keys(type.members), onViolation)
    else result[name] = copy[name]
  }
  return result
}

/** A row of a nested model, with that model's defaults. */
function coerceModel (
  type: PropertyType,
  value: unknown,
  path: string,
  onViolation: ViolationHandler,
  lookup: ModelLookup | undefined,
  levels: number
): unknown {
  const nested = lookup?.(type.model as string)
  if (nested === undefined) return coerceObject({ kind: 'object' }, value, path, onViolation, lookup, levels)
  const object = plainObject(value)
  if (object === undefined) {
    report('model', path, onViolation)
    return value
  }
  if (levels <= 0) {
    reportDepth(path, onViolation)
    return value
  }
  const row = nested.coerce(object, inner => onViolation(within(path, inner)), levels - 1)
  nested.applyDefaults(row)
  return row
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof Uint8Array)

function plainObject (value: unknown): Record<string, unknown> | undefined {
  const object = typeof value === 'string' ? parseJson(value) : value
  return isObject(object) ? object : undefined
}

type CoercibleModel = Pick<RowModel, 'properties' | 'propertyByName' | 'unknown' | 'relations' | 'settings'> & {
  readonly Model: Function
}

/**
 * Compiles the conversion of a model's data (see `RowModel.coerce`). Declared properties come first, in the order
 * of the definition, whatever the order of the data, so that rows have the same shape. Data of relations are no
 * properties: they are left out, but a related object given for a belongsTo relation sets the foreign key, as in
 * LoopBack.
 */
export function compileCoerce (model: CoercibleModel, lookup: ModelLookup): RowModel['coerce'] {
  const properties = model.properties.map(property => ({ ...pick(property), path: memberPath(property.name) }))
  const { maxDepthOfData } = model.settings
  const maxDepth = typeof maxDepthOfData === 'number' && maxDepthOfData > 0 ? maxDepthOfData : defaultMaxDepth
  return (data, onViolation, levels = maxDepth) => {
    const row: Row = {}
    for (let i = 0; i < properties.length; i++) {
      const { name, type, path } = properties[i] as typeof properties[number]
      const value = data[name]
      // A function is never data: it is a method, or what a property called `toString` inherits.
      if (value === undefined || typeof value === 'function') continue
      row[name] = coerceValue(type, value, path, onViolation, lookup, levels - 1)
    }
    coerceUnknown(model, data, row, onViolation, levels - 1)
    return row
  }
}

const pick = ({ name, type }: CompiledProperty): Pick<CompiledProperty, 'name' | 'type'> => ({ name, type })

function coerceUnknown (
  model: CoercibleModel,
  data: Readonly<Row>,
  row: Row,
  onViolation: ViolationHandler,
  levels: number
): void {
  const refusing = model.unknown === 'refuse'
  const nulls = model.unknown === 'keep' && model.settings.persistUndefinedAsNull === true
  // What stands on an instance was put there by code; what callers gave with it is kept beside.
  const ofCode = refusing && isMarked(data) && data instanceof model.Model
  if (ofCode) {
    for (const name of unknownOf(data)) reportUnknown(name, '', model.propertyByName.keys(), onViolation)
  }
  for (const name of Object.keys(data)) {
    if (model.propertyByName.has(name) || name === '__proto__') continue
    const value = data[name] === undefined && nulls ? null : data[name]
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
    const relation = model.relations.get(name)
    if (relation !== undefined) {
      keepForeignKey(relation, value, row, onViolation, model)
    } else if (refusing) {
      if (!ofCode) reportUnknown(name, '', model.propertyByName.keys(), onViolation)
    } else if (model.unknown === 'keep') {
      keepUnknown(name, value, row, onViolation, levels)
    }
  }
}

function keepUnknown (name: string, value: unknown, row: Row, onViolation: ViolationHandler, levels: number): void {
  if (name.includes('.')) {
    onViolation({ path: memberPath(name), code: 'name', message: 'has a dot in its name', info: {} })
    return
  }
  const copy = plainCopy(value, levels)
  if (!refusesCopy(copy, memberPath(name), onViolation) && copy !== undefined) row[name] = copy
}

function keepForeignKey (
  relation: RowRelation,
  value: unknown,
  row: Row,
  onViolation: ViolationHandler,
  model: CoercibleModel
): void {
  const { foreignKey, primaryKey = 'id', polymorphic } = relation.definition
  if (
    relation.type !== 'belongsTo' ||
    polymorphic !== undefined ||
    foreignKey === undefined ||
    row[foreignKey] !== undefined ||
    !isObject(value)
  ) { return }
  const property = model.propertyByName.get(foreignKey)
  const key = value[primaryKey]
  if (property !== undefined && key !== undefined) {
    row[foreignKey] = coerceValue(property.type, key, memberPath(foreignKey), onViolation)
  }
}
