/** The types of arguments that a `RemoteObjects` knows: those of REST routes, and those that the application adds. */
import { Validators } from '@fastback/core/remote'
import { InvalidRemotingTypeError } from '../errors/startup-errors.js'
import { badRequest } from '../errors/request-errors.js'
import { ArgumentViolations, converter } from '../parse/convert.js'
import { finished } from '../parse/finish-argument.js'
import { loopback3Converter, type Coercion } from '../parse/loopback3.js'
import { resolveArgumentType, type OwnType, type ValueSource, type PointClass, type TypeNames } from '../parse/schema.js'
import { ArgumentViolation } from '../parse/text.js'

/** What a conversion comes to. */
export type Conversion = { readonly value: unknown } | { readonly error: Error }

/** How values of one type are read and checked. */
export interface RemotingType {
  /** A value of JSON. */
  fromTypedValue (context: unknown, value: unknown, options?: unknown): Conversion
  /** A text, or what a query in brackets holds. */
  fromSloppyValue (context: unknown, value: unknown, options?: unknown): Conversion
  /** What is wrong with a value; undefined: nothing. */
  validate (context: unknown, value: unknown, options?: unknown): Error | undefined | null
}

export interface RemotingTypesOptions {
  /** Whether a name that is known is said to be replaced. Default: true. */
  readonly warnWhenOverridingType?: boolean
  /** LoopBack: whether an unknown name is warned about. Here it is `any`, and nothing is said. */
  readonly warnOnUnknownType?: boolean
  /** The class that methods get points of, where an application has its own. Default: core's `GeoPoint`. */
  readonly Point?: PointClass | undefined
}

/**
 * Types of arguments by their names.
 *
 * ```js
 * const types = new RemotingTypes()
 * types.registerObjectType('Point', ({ x, y }) => new Point(x, y))
 * types.getConverter('Point').fromSloppyValue({}, '{"x":1,"y":2}') // { value: Point { x: 1, y: 2 } }
 * ```
 */
export class RemotingTypes {
  readonly #own = new Map<string, OwnType>()
  /** For the readers of arguments: models by name (there are none), and the application's types. */
  readonly registry: TypeNames

  constructor (
    readonly options: RemotingTypesOptions = {},
    readonly coercion: Coercion = 'strict',
    readonly validators: Validators = new Validators()
  ) {
    this.registry = { models: {}, types: this.#own, Point: options.Point }
  }

  /**
   * Adds a type, or replaces one; names have no case.
   * @throws FBK_REST_INVALID_REMOTING_TYPE
   */
  registerType (name: string, type: RemotingType): void {
    if (typeof name !== 'string' || name === '') throw new InvalidRemotingTypeError('a type needs a name')
    for (const member of ['fromTypedValue', 'fromSloppyValue', 'validate'] as const) {
      if (typeof type?.[member] !== 'function') throw new InvalidRemotingTypeError(`"${name}" needs the function ${member}`)
    }
    if (name.toLowerCase() === 'file') throw new InvalidRemotingTypeError('the type "file" cannot be replaced')
    this.#own.set(name.toLowerCase(), { definition: type, read: (...given) => this.#read(type, ...given) })
  }

  /** Adds a type whose values are made of objects. */
  registerObjectType (name: string, make: (data: Record<string, unknown>) => unknown): void {
    if (typeof make !== 'function') throw new InvalidRemotingTypeError(`"${name}" needs a function that makes its values`)
    type From = RemotingType['fromTypedValue']
    const from = (place: 'fromTypedValue' | 'fromSloppyValue'): From => (context, found, options) => {
      const object = this.getConverter('object')[place](context, found, options)
      if ('error' in object || object.value === undefined || object.value === null) return object
      try {
        return { value: make(object.value as Record<string, unknown>) }
      } catch (error) {
        return { error: error as Error }
      }
    }
    this.registerType(name, {
      fromTypedValue: from('fromTypedValue'),
      fromSloppyValue: from('fromSloppyValue'),
      validate: (_context, value) => this.getConverter('object').validate(undefined, value)
    })
  }

  /** Whether the application has added a type of this name. */
  hasType (name: string): boolean {
    return this.#own.has(name.toLowerCase())
  }

  /** Names of the application's types, in small letters. */
  names (): string[] {
    return [...this.#own.keys()]
  }

  deleteType (name: string): void {
    this.#own.delete(name.toLowerCase())
  }

  /** How values of a type are read: those of the application's own types by these, others as REST routes do. */
  getConverter (type: unknown): RemotingType {
    const own = typeof type === 'string' ? this.#own.get(type.toLowerCase()) : undefined
    if (own !== undefined) return own.definition
    const resolved = resolveArgumentType(type, this.registry)
    const isLoose = this.coercion === 'loopback3'
    const converterOf = isLoose ? loopback3Converter : converter
    const convert = (place: ValueSource): RemotingType['fromTypedValue'] => (_context, found, options) => {
      if (found === undefined || (found === null && !isLoose)) return { value: found }
      const { allowArray } = (options ?? {}) as { allowArray?: boolean }
      const read = converterOf(resolved, place, this.validators, { allowArray })
      return outcome(finished(resolved, read, place, allowArray)(found))
    }
    const fromTypedValue = convert('json')
    return { fromTypedValue, fromSloppyValue: convert('query'), validate: (context, value) => validity(type, fromTypedValue(context, value), value) }
  }

  #read (type: RemotingType, found: unknown, place: ValueSource, allowArray?: boolean): unknown {
    const read = place === 'json' ? 'fromTypedValue' : 'fromSloppyValue'
    const result = type[read]({ typeRegistry: this }, found, allowArray === true ? { allowArray } : {})
    if ('error' in result && result.error !== undefined) throw asRequestError(result.error)
    return (result as { value: unknown }).value
  }
}

const asRequestError = (error: Error): Error => {
  const given = error as { statusCode?: unknown, status?: unknown }
  const hasStatus = given.statusCode !== undefined || given.status !== undefined
  return hasStatus ? error : Object.assign(error, { statusCode: 400 })
}

function outcome (value: unknown): Conversion {
  if (value instanceof ArgumentViolation) return { error: badRequest(`The value ${value.message}.`) }
  if (value instanceof ArgumentViolations) return { error: badRequest(`The value ${value.violations[0]?.message ?? 'is invalid'}.`) }
  return { value }
}

function validity (type: unknown, conversion: Conversion, value: unknown): Error | undefined {
  const name = String(type).toLowerCase()
  if (Number.isNaN(value)) return badRequest('The value is not a number.')
  if (name === 'integer' && typeof value === 'number' && !Number.isSafeInteger(value)) {
    return badRequest('The value is not a safe integer.')
  }
  if (!('error' in conversion)) return undefined
  return typeof type === 'string' ? badRequest(`The value is not ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}.`) : conversion.error
}
