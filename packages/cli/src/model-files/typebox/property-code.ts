/** A property of a definition in TypeBox. */
import { text } from '../../source-text.js'
import { call, objectCode, plain, valueCode, type Code } from './code.js'

export type Property = Readonly<Record<string, unknown>>
/** Of the module; JavaScript has no type arguments. */
export type Language = 'ts' | 'js'

/** What says something of a value, and so stands at its type; of a list at its items. */
const ofValues = new Set([
  'minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'
])
const ofLists = new Set(['minItems', 'maxItems', 'uniqueItems'])
/** Said in another way. */
const said = new Set(['type', 'required', 'enum', 'jsonSchema'])

const names: Readonly<Record<string, readonly [name: string, options?: Readonly<Record<string, unknown>>]>> = {
  string: ['String'],
  text: ['String'],
  number: ['Number'],
  float: ['Number'],
  double: ['Number'],
  integer: ['Integer'],
  int: ['Integer'],
  long: ['Integer', { format: 'int64' }],
  decimal: ['String', { format: 'decimal' }],
  boolean: ['Boolean'],
  bool: ['Boolean'],
  date: ['Date'],
  datetime: ['Date'],
  timestamp: ['Date'],
  buffer: ['Uint8Array'],
  binary: ['Uint8Array'],
  any: ['Unknown'],
  json: ['Unknown']
}

/** LoopBack's own names, which it compares without case; any other with a capital is a model's. */
const anyCase = new Set(['string', 'text', 'number', 'boolean', 'date', 'object', 'any', 'json', 'buffer', 'binary'])

/**
 * A property in TypeBox; undefined where TypeBox cannot say it: of a geo point, a file, rows of another model, and of
 * what demands nothing in JSON and something in TypeBox.
 * @param written a property of JSON, not in its short form
 * @param mayBeNull whether null is among its values; an optional property of JSON takes it
 */
export function propertyCode (written: Property, mayBeNull: boolean, language: Language): Code | undefined {
  const saysSomething = ([, value]: [string, unknown]): boolean => value !== null && value !== undefined
  const property = Object.fromEntries(Object.entries(written).filter(saysSomething))
  const isOtherwise = 'format' in property || typeof property.required === 'object' || written.default === null ||
    Array.isArray(property.description)
  if (isOtherwise) return undefined
  const isList = isListType(property.type)
  const settings = Object.entries(property)
    .filter(([name]) => !said.has(name) && !ofValues.has(name) && !(isList && ofLists.has(name)))
  const values = {
    ...Object.fromEntries(Object.entries(property).filter(([name]) => ofValues.has(name))),
    ...property.jsonSchema as object | undefined,
    ...(Array.isArray(property.enum) && property.enum.length > 0 ? { enum: property.enum as unknown[] } : {})
  }
  const lists = Object.fromEntries(Object.entries(property).filter(([name]) => ofLists.has(name)))
  const isOptional = !isAlwaysThere(property)
  const isNullable = isOptional && mayBeNull && property.type !== 'any'
  const { id, generated, ...others } = Object.fromEntries(settings)
  const own = { ...(id === undefined ? {} : { id }), ...(generated === undefined ? {} : { generated }) }
  const type = isList
    ? listCode(property.type, values, isNullable ? lists : { ...own, ...lists, ...others }, language)
    : typeCode(property.type, isNullable ? values : { ...own, ...values, ...others }, language)
  if (type === undefined) return undefined
  const whole = isNullable
    ? call('Type.Union', plain(`[${type.line}, Type.Null()]`), ...optionsCode({ ...own, ...others }))
    : type
  return isOptional ? call('Type.Optional', whole) : whole
}

/** Of the row itself: the id, too, which the store or a default gives. */
const isAlwaysThere = ({ required, id, generated, default: usual, defaultFn }: Property): boolean =>
  required === true || (isSaid(id) && (generated === true || usual !== undefined || defaultFn !== undefined))

const isSaid = (id: unknown): boolean => id !== undefined && id !== false && id !== 0

const isListType = (type: unknown): boolean =>
  Array.isArray(type) || (typeof type === 'string' && /^(?:array|\[.+\])$/i.test(type.trim()))

function listCode (type: unknown, values: object, options: object, language: Language): Code | undefined {
  const items: unknown = Array.isArray(type) ? type[0] : /^\[(.+)\]$/.exec(String(type).trim())?.[1]
  const item = items === undefined
    ? Object.keys(values).length === 0 ? plain('Type.Unknown()') : undefined
    : isListType(items) ? listCode(items, values, {}, language) : typeCode(items, values, language)
  return item === undefined ? undefined : call('Type.Array', item, ...optionsCode(options))
}

function typeCode (type: unknown, options: object, language: Language): Code | undefined {
  if (typeof type === 'object' && type !== null && !Array.isArray(type)) return membersCode(type, options, language)
  if (typeof type !== 'string') return undefined
  const lower = type.trim().toLowerCase()
  const name = anyCase.has(lower) || type.trim() === 'Integer' ? lower : type.trim()
  if (name === 'object') return call('Type.Record', plain('Type.String()'), plain('Type.Unknown()'), ...optionsCode(options))
  const found = Object.hasOwn(names, name) ? names[name] : undefined
  if (found === undefined) return undefined
  const [kind, more = {}] = found
  const { enum: values, ...rest } = { ...more, ...options } as { readonly enum?: readonly unknown[] }
  if (values === undefined) return call(`Type.${kind}`, ...optionsCode(rest))
  if (!values.every(each => typeof each === 'string' || typeof each === 'number')) return undefined
  // The values as a type, and for callers the list that JSON has.
  const union = language === 'js' ? '' : `<${values.map(each => typeof each === 'string' ? text(each) : String(each)).join(' | ')}>`
  const json = { string: 'string', number: 'number', integer: 'integer' }[kind.toLowerCase()]
  return json === undefined
    ? undefined
    : call(`Type.Unsafe${union}`, objectCode([['type', plain(text(json))], ['enum', valueCode(values)], ...entriesOf(rest)]))
}

/** Members of an object may be missing and null, and there may be others, as in JSON. */
function membersCode (type: object, options: object, language: Language): Code | undefined {
  const members: Array<[string, Code]> = []
  for (const [name, member] of Object.entries(type)) {
    if (member === null || member === false) continue
    const inner = isListType(member) ? listCode(member, {}, {}, language) : typeCode(member, {}, language)
    if (inner === undefined) return undefined
    members.push([name, plain(inner.line === 'Type.Unknown()'
      ? `Type.Optional(${inner.line})`
      : `Type.Optional(Type.Union([${inner.line}, Type.Null()]))`)])
  }
  return call('Type.Object', objectCode(members), objectCode([['additionalProperties', plain('true')], ...entriesOf(options)]))
}

const entriesOf = (options: object): Array<[string, Code]> =>
  Object.entries(options).map(([name, value]) => [name, valueCode(value)])

const optionsCode = (options: object): Code[] => Object.keys(options).length === 0 ? [] : [valueCode(options)]
