import type { Static, TSchema } from '@sinclair/typebox'
import { Errors, ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import { nearest } from '../nearest.js'

/** A class of errors whose message is a sentence about the options. */
export type OptionsErrorClass = new (sentence: string) => Error

/**
 * Checks the options of a plugin. The first fault is thrown as a sentence that names the option by its path, and never
 * the value, which may be a secret.
 *
 * ```ts
 * const { dataSource } = checkOptions(AclSchema, given, InvalidOptionsError)
 * ```
 * @throws an `ErrorClass`: `the option "remoting.rest.xml" must be true or false.`
 */
export function checkOptions<S extends TSchema> (schema: S, given: unknown, ErrorClass: OptionsErrorClass): Static<S> {
  const fault = optionsFault(schema, given)
  if (fault !== undefined) throw new ErrorClass(fault)
  return given as Static<S>
}

/**
 * The sentence without the error, for errors that say more.
 *
 * ```js
 * optionsFault(Type.Object({ size: Type.Number() }), { size: 'big' }) // 'the option "size" must be a number.'
 * optionsFault(Type.Object({ size: Type.Number() }), { size: 1 }) // undefined
 * ```
 * @param noun what the options are called
 */
export function optionsFault (schema: TSchema, given: unknown, noun = 'option'): string | undefined {
  const error = Errors(schema, given).First()
  if (error === undefined) return undefined
  const { type, path, schema: expected } = innermost(error)
  const name = path.slice(1).replaceAll('/', '.')
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys(expected.properties as object)
    return `there is no ${noun} "${name}".${nearest(path.slice(path.lastIndexOf('/') + 1), known)}`
  }
  const what = name === '' ? `the ${noun}s` : `the ${noun} "${name}"`
  return type === ValueErrorType.ObjectRequiredProperty
    ? `${what} is needed.`
    : `${what} must be ${described(expected)}.`
}

/** Of several forms, the fault of the one that was meant: an object is compared with the form that is one. */
function innermost (error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union || typeof error.value !== 'object' || error.value === null) return error
  const kind = Array.isArray(error.value) ? 'array' : 'object'
  const form = (error.schema.anyOf as TSchema[]).findIndex(({ type }) => type === kind)
  const inner = error.errors[form]?.First()
  return inner === undefined ? error : innermost(inner)
}

function described (schema: TSchema): string {
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as TSchema[]).map(described).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  switch (schema.type) {
    case 'boolean':
      return 'true or false'
    case 'string':
      return `a text${wanted(schema)}`
    case 'integer':
    case 'number':
      return `${schema.type === 'integer' ? 'an integer' : 'a number'}${bounds(schema)}`
    case 'array':
      return `a list${schema.minItems === undefined ? '' : ` of at least ${String(schema.minItems)}`}`
    case 'object':
      return 'an object'
    case 'null':
      return 'null'
    default:
      return 'a function'
  }
}

function wanted ({ pattern, minLength }: TSchema): string {
  if (pattern === '^/') return ' that starts with "/"'
  if (pattern !== undefined) return ` that matches ${String(pattern)}`
  if (minLength === undefined) return ''
  return minLength === 1 ? ' that is not empty' : ` of at least ${String(minLength)} characters`
}

function bounds ({ minimum, maximum }: TSchema): string {
  if (maximum !== undefined) return ` from ${String(minimum)} to ${String(maximum)}`
  return minimum === undefined ? '' : ` of at least ${String(minimum)}`
}
