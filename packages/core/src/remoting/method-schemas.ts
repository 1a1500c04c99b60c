/** Arguments and results of remote methods that are written in TypeBox, as the lists that LoopBack's methods have. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { InvalidDefinitionError } from '../errors.js'
import { isKnownFormat } from '../schemas/formats.js'
import { isTypeBox, jsonForm } from '../properties/property-schema.js'
import { resolveTypeBox } from '../properties/resolve-typebox.js'
import type { PropertyType } from '../properties/types.js'
import type { ArgumentDefinition, RemoteMethodOptions, ReturnDefinition } from '../interfaces/shared-method.js'

/** Where a method is written, for messages. */
export interface MethodLocation {
  readonly model: string
  readonly method: string
  /** Whether `format` and `enum` of JSON are left alone, as in LoopBack (setting `propertyKeywords`). */
  readonly ignoresKeywords?: boolean
}

/**
 * The arguments of a method: a list, one, or each member of a TypeBox object.
 *
 * ```js
 * argumentsOf(Type.Object({ since: Type.Date() }), { model: 'Note', method: 'stats' })
 * // [{ arg: 'since', type: 'date', required: true }]
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION for another TypeBox schema than an object's, and for dates within a value
 */
export function argumentsOf (accepts: RemoteMethodOptions['accepts'] | TSchema, at: MethodLocation): ArgumentDefinition[] {
  if (!isTypeBox(accepts)) return listOf(accepts).map(argument => withKeywords(withArg(argument), at))
  if (accepts.type !== 'object' || accepts.properties === undefined) {
    throw invalid(at, 'accepts', 'must be a TypeBox object, whose members are the arguments')
  }
  const { properties, required = [] } = accepts as TObject
  return Object.entries(properties).map(([arg, schema]): ArgumentDefinition => {
    const type = resolveTypeBox(schema, { model: at.model, property: `${at.method}, ${arg}` })
    if (holdsConverted(type)) {
      throw invalid(at, `accepts, ${arg}`, 'has a date or binary data within it; make each an argument of its own')
    }
    return {
      arg,
      type: typeName(type),
      ...required.includes(arg) ? { required: true } : {},
      ...schema.description === undefined ? {} : { description: schema.description },
      ...isConverted(type) || modelOf(type) !== undefined ? {} : { jsonSchema: plain(schema) }
    }
  })
}

/**
 * The results of a method: a list, one, or the whole response as a TypeBox schema.
 *
 * ```js
 * returnsOf(Type.Object({ count: Type.Integer() }), { model: 'Note', method: 'stats' })
 * // [{ arg: 'result', root: true, type: 'object', jsonSchema: { type: 'object', … } }]
 * ```
 */
export function returnsOf (returns: RemoteMethodOptions['returns'] | TSchema, at: MethodLocation): ReturnDefinition[] {
  if (!isTypeBox(returns)) return listOf(returns).map(withArg)
  const type = resolveTypeBox(returns, { model: at.model, property: `${at.method}, returns` })
  return [{
    arg: 'result',
    root: true,
    type: typeName(type),
    ...returns.description === undefined ? {} : { description: returns.description as string },
    ...modelOf(type) === undefined ? { jsonSchema: plain(returns) } : {}
  }]
}

const invalid = ({ model, method }: MethodLocation, key: string, problem: string): Error =>
  new InvalidDefinitionError(`model "${model}", method "${method}", ${key}`, problem)

function listOf<T> (value: T | T[] | undefined | null): T[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
}

/** LoopBack takes `name` for `arg`. */
const withArg = <A extends { readonly arg?: string, readonly name?: unknown }>(argument: A): A =>
  argument.arg === undefined && typeof argument.name === 'string' ? { ...argument, arg: argument.name } : argument

const told = ['default', 'deprecated'] as const
const demanded = ['format', 'enum'] as const

/**
 * An argument with what it says beside its type among the keywords of its schema; of a list, `format` and `enum` speak
 * of the items.
 * @throws FBK_CORE_INVALID_DEFINITION for a format that there is not
 */
function withKeywords (argument: ArgumentDefinition, at: MethodLocation): ArgumentDefinition {
  const written = argument as unknown as Readonly<Record<string, unknown>>
  const taken = (names: readonly string[]): Record<string, unknown> => Object.fromEntries(names.flatMap(name => {
    const value = written[name]
    return value === undefined || value === null || value === false ? [] : [[name, value]]
  }))
  const demands = at.ignoresKeywords === true ? {} : taken(demanded)
  const { format } = demands
  if (format !== undefined && (typeof format !== 'string' || !isKnownFormat(format))) {
    throw invalid(at, `accepts, ${argument.arg}`, `has the format ${JSON.stringify(format)}, which is not known`)
  }
  const isList = Array.isArray(argument.type) || /^\[.*\]$/.test(String(argument.type))
  const hasDemands = Object.keys(demands).length > 0
  const keywords = { ...taken(told), ...hasDemands && isList ? { allOf: [{ items: demands }] } : demands }
  return Object.keys(keywords).length === 0 || argument.modelSchema !== undefined
    ? argument
    : { ...argument, jsonSchema: { ...keywords, ...argument.jsonSchema } }
}

/** As `type` of an argument has it. */
const typeName = ({ kind, items, model }: PropertyType): unknown =>
  kind === 'array' && items !== undefined ? [typeName(items)] : kind === 'model' ? model : kind

const modelOf = ({ model, items }: PropertyType): string | undefined => model ?? items?.model

/** Values that JSON does not have. */
const isConverted = ({ kind }: PropertyType): boolean => kind === 'date' || kind === 'buffer' || kind === 'geopoint'
const holdsConverted = ({ items, members }: PropertyType): boolean =>
  [...items === undefined ? [] : [items], ...Object.values(members ?? {})]
    .some(part => isConverted(part) || holdsConverted(part))

/** JSON Schema alone. */
const plain = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(JSON.stringify(jsonForm(schema))) as Record<string, unknown>
