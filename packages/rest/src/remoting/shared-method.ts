/** A function that can be called over a transport, as a class of plain JavaScript declares it. */
import type { ArgumentDefinition, HttpRoute, ReturnDefinition } from '@fastback/core'
import { invoke, type Callable } from '../handlers/invoke.js'
import { resultOf, type Targets } from '../handlers/result.js'
import { InvalidSharedMethodError } from '../errors/startup-errors.js'
import { badRequest } from '../errors/request-errors.js'
import type { SharedClass } from './shared-class.js'
import type { RemotingTypes } from './types.js'
import { hasIntegers, integerViolation } from './integers.js'

/** What a function says of itself, in its properties or beside it. */
export interface SharedMethodOptions {
  isStatic?: boolean
  aliases?: string[]
  accepts?: ArgumentDefinition | ArgumentDefinition[]
  returns?: ReturnDefinition | ReturnDefinition[]
  errors?: unknown
  description?: string | string[]
  notes?: string | string[]
  accessType?: string
  documented?: boolean
  http?: HttpRoute | HttpRoute[]
  rest?: { before?: RestFunction, after?: RestFunction }
  shared?: boolean
  [key: string]: unknown
}

export type RestFunction = (context: any, next: (error?: unknown) => void) => unknown

/** A function; what it says of itself stands in its properties (`SharedMethodOptions`). */
export type SharedFunction = (this: any, ...args: any[]) => unknown

type Done = (error: unknown, result?: unknown) => void

/** What `invoke` needs of a context. */
interface InvokeContext {
  readonly typeRegistry: RemotingTypes
  setReturnArgByName? (name: string, value: unknown): unknown
}

const listOf = <T>(value: T | T[] | undefined | null): T[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/**
 * A function that is shared, with what it takes and gives.
 *
 * ```js
 * const returns = { arg: 'count', type: 'number' }
 * const method = new SharedMethod(Note.archive, 'archive', sharedClass, { isStatic: true, returns })
 * method.stringName // 'Note.archive'
 * ```
 */
export class SharedMethod {
  readonly fn: SharedFunction | undefined
  readonly name: string
  readonly isStatic: boolean
  readonly aliases: string[]
  readonly accepts: ArgumentDefinition[]
  readonly returns: ReturnDefinition[]
  readonly errors: unknown[]
  readonly description: string | string[] | undefined
  readonly notes: string | string[] | undefined
  readonly accessType: string | undefined
  readonly documented: boolean
  readonly http: HttpRoute | HttpRoute[]
  readonly rest: NonNullable<SharedMethodOptions['rest']>
  readonly shared: boolean
  readonly sharedClass: SharedClass | null | undefined
  /** The class that has the function. */
  readonly ctor: object | undefined
  /** Finds the instance that an instance method is called on. */
  readonly sharedCtor: SharedMethod | undefined
  readonly isSharedCtor: boolean | undefined
  /** Says that the result is a stream, and of what kind. */
  readonly streams: { readonly returns: ReturnDefinition } | undefined
  /** `Note.find`, `Note.prototype.publish`. */
  readonly stringName: string;
  /** What else its options say. */
  [key: string]: unknown

  /**
   * @param options what the function is, or only whether it is static
   * @throws FBK_REST_INVALID_SHARED_METHOD
   */
  constructor (
    fn: SharedFunction | undefined | null,
    name: string,
    sharedClass?: SharedClass | null,
    options: SharedMethodOptions | boolean = {}
  ) {
    const given: SharedMethodOptions = typeof options === 'boolean' ? { isStatic: options } : options
    if (typeof name !== 'string') throw new InvalidSharedMethodError('its name must be a text')
    if (name.startsWith('prototype.')) {
      throw new InvalidSharedMethodError(`"${name}": an instance method is given by its own name and "isStatic": false`)
    }
    const own = (fn ?? {}) as SharedMethodOptions
    const either = <K extends keyof SharedMethodOptions>(key: K): SharedMethodOptions[K] => given[key] ?? own[key]
    this.fn = fn ?? undefined
    this.name = name
    this.isStatic = given.isStatic ?? false
    this.aliases = given.aliases ?? []
    this.accepts = listOf(either('accepts')).map(anyItems)
    this.returns = listOf(either('returns')).map(anyItems)
    this.errors = listOf(either('errors'))
    this.description = either('description')
    this.notes = either('notes')
    this.accessType = either('accessType')
    this.documented = given.documented !== false && own.documented !== false
    this.http = either('http') ?? {}
    this.rest = either('rest') ?? {}
    this.shared = own.shared !== false && given.shared !== false
    this.sharedClass = sharedClass
    this.ctor = sharedClass?.ctor
    this.sharedCtor = sharedClass?.sharedCtor
    this.isSharedCtor = name === 'sharedCtor' ? true : undefined
    this.streams = streamOf(this.returns)
    this.stringName = `${sharedClass?.name ?? ''}${this.isStatic ? '.' : '.prototype.'}${name}`
    for (const [key, value] of Object.entries(given)) if (this[key] === undefined) this[key] = value
  }

  /** A method that says everything in properties of its function. */
  static fromFunction (
    fn: SharedFunction, name: string, sharedClass?: SharedClass | null, isStatic = false
  ): SharedMethod {
    return new SharedMethod(fn, name, sharedClass, { isStatic })
  }

  /** The type of a value: `typeof`, with `null`, `array`, `date`, `buffer` and, where it is asked for, `integer`. */
  static getType (value: unknown, wanted?: string): string {
    if (value === null) return 'null'
    if (Array.isArray(value)) return 'array'
    if (Buffer.isBuffer(value)) return 'buffer'
    if (value instanceof Date) return 'date'
    return wanted === 'integer' && Number.isSafeInteger(value) ? 'integer' : typeof value
  }

  /** The function that a call runs: the one that the class has now, else the one that was given. */
  getFunction (): SharedFunction | undefined {
    const holder = this.isStatic ? this.ctor : (this.ctor as { prototype?: object } | undefined)?.prototype
    return (holder as Record<string, SharedFunction> | undefined)?.[this.name] ?? this.fn
  }

  /** The result of this name. */
  getReturnArgDescByName (name: string): ReturnDefinition | undefined {
    return this.returns.find(definition => (definition.arg ?? definition.name) === name)
  }

  /** Whether a function, or a name without `prototype.`, is that of this method. */
  isDelegateFor (suspect: unknown, isStatic = false): boolean {
    if (typeof suspect === 'function') return this.getFunction() === suspect
    return typeof suspect === 'string' && this.isStatic === isStatic && [this.name, ...this.aliases].includes(suspect)
  }

  /**
   * Whether a full name (`find`, `prototype.publish`) is that of this method.
   * @throws TypeError for what is no text
   */
  isDelegateForName (fullName: string): boolean {
    if (typeof fullName !== 'string') throw new TypeError('The argument of isDelegateForName must be a string.')
    const isStatic = !fullName.startsWith('prototype.')
    return this.isDelegateFor(isStatic ? fullName : fullName.slice('prototype.'.length), isStatic)
  }

  addAlias (alias: string): void {
    if (!this.aliases.includes(alias)) this.aliases.push(alias)
  }

  /**
   * Calls the function on `scope` with named arguments, and calls back with what becomes `ctx.result`.
   * Arguments are validated and not converted.
   */
  invoke (scope: unknown, args: Record<string, unknown>, _options: unknown, context: InvokeContext, done: Done): void {
    this.#call(scope, args, context).then(result => { done(null, result) }, done)
  }

  async #call (scope: unknown, args: Record<string, unknown>, context: InvokeContext): Promise<unknown> {
    const values = this.accepts.map(definition => checked(definition, args[definition.arg], context.typeRegistry))
    const targets: Targets = { status: undefined, headers: [] }
    const hasSeveral = this.returns.length > 1
    const given = await invoke(this.getFunction() as Callable, scope, values, false, hasSeveral)
    const result = resultOf(this, given, targets)
    this.checkResult(result)
    return result
  }

  /** @throws RequestError 500 where a result that is declared to be an integer is none */
  checkResult (result: unknown): void {
    for (const definition of this.returns) {
      if (!hasIntegers(definition.type) || definition.http?.target !== undefined) continue
      const name = definition.arg ?? 'result'
      const value = definition.root === true ? result : (result as Record<string, unknown>)[name]
      if (Array.isArray(definition.type) && !Array.isArray(value)) continue
      const wrong = [value].flat().find(each => each !== undefined && each !== null && !Number.isSafeInteger(each))
      if (wrong !== undefined) throw integerViolation(name, wrong)
    }
  }
}

const anyItems = <T extends { type?: unknown }>(definition: T): T =>
  definition.type === 'array' ? { ...definition, type: ['any'] } : definition

const streamTypes: readonly unknown[] = ['ReadableStream', 'WriteableStream', 'DuplexStream']

function streamOf ([first]: readonly ReturnDefinition[]): SharedMethod['streams'] {
  return first !== undefined && streamTypes.includes(first.type) ? { returns: first } : undefined
}

function checked (definition: ArgumentDefinition, value: unknown, types: RemotingTypes): unknown {
  const isMissing = value === undefined || value === null || value === ''
  if (isMissing && definition.required === true) throw badRequest(`${definition.arg} is a required argument`)
  const violation = types.getConverter(definition.type).validate(undefined, value)
  if (violation instanceof Error) {
    violation.message = `Invalid argument "${definition.arg}". ${violation.message}`
    throw violation
  }
  return value
}
