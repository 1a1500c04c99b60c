/** From the many spellings of a property's type to the one resolved form. */
import { Kind, type TSchema } from '@sinclair/typebox'
import type { PropertyDefinition } from '../definition/definition.js'
import type { Calendar } from './calendar.js'
import { REGISTERED } from './constructors.js'
import { memberType } from './apply-definition.js'
import { makeDefault } from './defaults.js'
import { resolveTypeBox } from './resolve-typebox.js'
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyKind, PropertyType } from './types.js'

/** LoopBack's own type names; it compares them without case, and they win over models of the same name. */
const loopbackNames: ReadonlyMap<string, PropertyKind> = new Map([
  ['string', 'string'],
  ['text', 'string'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['datestring', 'date'],
  ['object', 'object'],
  ['array', 'array'],
  ['any', 'any'],
  ['json', 'any'],
  ['buffer', 'buffer'],
  ['binary', 'buffer'],
  ['geopoint', 'geopoint']
])

/** Further names, compared exactly: a model may well be called `Point` or `Long`. */
const furtherNames: ReadonlyMap<string, PropertyKind> = new Map([
  ['integer', 'integer'],
  ['Integer', 'integer'],
  ['int', 'integer'],
  ['long', 'long'],
  ['bigint', 'bigint'],
  ['decimal', 'decimal'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['datetime', 'date'],
  ['date-time', 'date'],
  ['timestamp', 'date'],
  ['point', 'geopoint'],
  ['ObjectID', 'string'],
  ['ObjectId', 'string']
])

/** Texts of a calendar or a clock; compared exactly as well. */
const calendarNames: ReadonlyMap<string, Calendar> = new Map([['dateOnly', 'date'], ['time', 'time']])

/** How types may be named, but for models. */
export const typeNames: readonly string[] = [...loopbackNames.keys(), ...furtherNames.keys(), ...calendarNames.keys()]

/**
 * Resolves a property's type: a name (`'string'`, `'Date'`, `'geopoint'`, a model's name), a constructor (`String`,
 * `Buffer`, a model class), a list (`['number']`), an object of members (`{ w: 'number' }`), an expanded definition (`{
 * type: 'number' }`) or a TypeBox schema.
 * @throws FBK_CORE_INVALID_DEFINITION naming source, model and property
 */
export function resolveType (type: unknown, location: TypeLocation): PropertyType {
  if (typeof type === 'string') return resolveName(type, location)
  if (typeof type === 'function') return resolveConstructor(type, location)
  if (Array.isArray(type)) {
    return { kind: 'array', items: type.length === 0 ? { kind: 'any' } : resolveType(type[0], location) }
  }
  if (type !== null && typeof type === 'object') {
    if (Kind in type) return resolveTypeBox(type as TSchema, location)
    if ('type' in type && type.type === 'file' && 'storage' in type) {
      throw invalidType(location, 'is a file within an object; make it a property of the model')
    }
    if ('type' in type && type.type !== undefined) return resolveType(type.type, location)
    return resolveMembers(type, location)
  }
  throw invalidType(
    location,
    `has ${type === undefined ? 'no type' : `the type ${String(type)}`}; write for example "string", ["number"] or the name of a model`
  )
}

function resolveName (written: string, location: TypeLocation): PropertyType {
  const name = written.trim()
  if (name === '') throw invalidType(location, 'has an empty type')
  const list = /^\[(.+)\]$/.exec(name)
  if (list !== null) return { kind: 'array', items: resolveName(list[1] as string, location) }
  const calendar = calendarNames.get(name)
  if (calendar !== undefined) return { kind: 'string', calendar }
  const kind = loopbackNames.get(name.toLowerCase()) ?? furtherNames.get(name)
  if (kind === undefined) return { kind: 'model', model: name }
  return kind === 'array' ? { kind, items: { kind: 'any' } } : { kind }
}

/** `String`, `Number`, `Buffer` … are known by their names, model classes by their `modelName`. */
function resolveConstructor (
  type: { name: string, modelName?: unknown, [REGISTERED]?: boolean }, location: TypeLocation
): PropertyType {
  if (type[REGISTERED] === true) return { kind: 'any' }
  if (typeof type.modelName === 'string') return { kind: 'model', model: type.modelName }
  const resolved = type.name === '' ? undefined : resolveName(type.name, location)
  if (resolved === undefined || resolved.kind === 'model') {
    throw invalidType(
      location,
      `has the type ${type.name || 'of a nameless function'}, which is neither a known type nor a model`
    )
  }
  return resolved
}

function resolveMembers (written: object, location: TypeLocation): PropertyType {
  const members: Record<string, PropertyType> = {}
  const defaults = new Map<string, () => unknown>()
  for (const [name, type] of Object.entries(written)) {
    if (type === null || type === false || type === undefined) continue
    checkMemberName(name, location)
    const at = { ...location, property: `${location.property}.${name}` }
    const resolved = resolveType(type, at)
    const member = members[name] = isExpanded(type) ? memberType(resolved, type, at) : resolved
    const make = isExpanded(type) ? makeDefault(type, member, at) : undefined
    if (make !== undefined) defaults.set(name, make)
  }
  if (Object.keys(members).length === 0) return { kind: 'object' }
  return { kind: 'object', members, ...(defaults.size === 0 ? {} : { defaults }) }
}

/** `{ type: 'string', default: 'Oslo' }`, not the members of an object. */
const isExpanded = (type: unknown): type is PropertyDefinition =>
  typeof type === 'object' && type !== null && !(Kind in type) && (type as { type?: unknown }).type !== undefined

/** The type with every anonymous object within it closed (setting `strictEmbeddedModels`). */
export function closedType (type: PropertyType): PropertyType {
  if (type.items !== undefined) return { ...type, items: closedType(type.items) }
  if (type.members === undefined) return type
  return {
    ...type,
    closed: true,
    members: Object.fromEntries(Object.entries(type.members).map(([name, member]) => [name, closedType(member)]))
  }
}

function checkMemberName (name: string, location: TypeLocation): void {
  if (name === '__proto__' || name === 'constructor') {
    throw invalidType(location, `has a member named "${name}", which cannot be used`)
  }
}
