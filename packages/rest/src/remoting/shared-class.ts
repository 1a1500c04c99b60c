/** A class, or an object, whose functions can be called over a transport. */
import type { HttpRoute } from '@fastback/core'
import { InvalidSharedClassError } from '../errors/startup-errors.js'
import { SharedMethod, type SharedFunction, type SharedMethodOptions } from './shared-method.js'

/** Declares a method: its name (without `prototype.`), what it is, and the function where the class has none. */
export type DefineMethod = (name: string, options?: SharedMethodOptions, fn?: SharedFunction) => SharedMethod

/** What a class or an object with shared functions says of itself. */
interface Remoted {
  readonly sharedCtor?: SharedFunction
  readonly http?: HttpRoute | HttpRoute[]
  readonly remoteNamespace?: string
  readonly prototype?: object
}

export interface SharedClassOptions {
  /** Whether paths get small letters and dashes. Default: what the adapter says. */
  readonly normalizeHttpPath?: boolean
  readonly [key: string]: unknown
}

/**
 * A class, or an object, with the methods of it that are shared.
 *
 * ```js
 * const sharedClass = new SharedClass('Note', Note)
 * sharedClass.defineMethod('archive', { isStatic: true })
 * sharedClass.methods().map(method => method.stringName) // ['Note.archive']
 * ```
 */
export class SharedClass {
  readonly name: string
  readonly sharedCtor: SharedMethod | undefined
  readonly http: HttpRoute | HttpRoute[]
  readonly #methods: SharedMethod[] = []
  readonly #resolvers: Array<(this: SharedClass, define: DefineMethod) => void> = []
  readonly #disabled = new Set<string>()

  /**
   * @param name default: the holder's `remoteNamespace`
   * @throws FBK_REST_INVALID_SHARED_CLASS without a name
   */
  constructor (
    name: string | undefined | null, readonly ctor: object, readonly options: SharedClassOptions = {}
  ) {
    const { remoteNamespace, http, sharedCtor }: Remoted = ctor ?? {}
    const given = name ?? remoteNamespace
    if (given === undefined || given === '') throw new InvalidSharedClassError()
    this.name = given
    const path = `/${given}`
    this.http = Array.isArray(http) ? (http.length === 0 ? [{ path }] : http) : { path, ...http }
    if (typeof ctor === 'function' && sharedCtor !== undefined) {
      this.sharedCtor = new SharedMethod(sharedCtor, 'sharedCtor', this)
    }
  }

  /** The methods that are shared now: of the class, of its prototype, of resolvers, defined ones. */
  methods (options: { readonly includeDisabled?: boolean } = {}): SharedMethod[] {
    const all = this.#all()
    return options.includeDisabled === true ? all : all.filter(method => this.isMethodEnabled(method))
  }

  #all (): SharedMethod[] {
    const methods = this.#ofFunctions()
    const define = this.#definer(methods)
    for (const resolver of this.#resolvers) resolver.call(this, define)
    return [...methods, ...this.#methods]
  }

  /** One function under several names is one method with aliases. */
  #ofFunctions (): SharedMethod[] {
    const found = new Map<SharedFunction, SharedMethod>()
    const { prototype }: Remoted = this.ctor ?? {}
    for (const [holder, isStatic] of [[this.ctor, true], [prototype, false]] as const) {
      for (const [name, fn] of sharedFunctions(holder)) {
        const known = found.get(fn)
        if (known === undefined) found.set(fn, SharedMethod.fromFunction(fn, name, this, isStatic))
        else {
          known.addAlias(known.name)
          known.addAlias(name)
        }
      }
    }
    return [...found.values()]
  }

  #definer (methods: SharedMethod[]): DefineMethod {
    return (name, options = {}, fn) => {
      const method = new SharedMethod(fn, name, this, options)
      methods.push(method)
      return method
    }
  }

  defineMethod (...args: Parameters<DefineMethod>): SharedMethod {
    return this.#definer(this.#methods)(...args)
  }

  /** Methods that are looked up anew each time somebody asks for them. */
  resolve (resolver: (this: SharedClass, define: DefineMethod) => void): void {
    this.#resolvers.push(resolver)
  }

  /** The method that a function or a name is; `findMethodByName` is the newer form. */
  find (suspect: SharedFunction | string, isStatic = false): SharedMethod | null {
    return this.methods().find(method => method.isDelegateFor(suspect, isStatic)) ?? null
  }

  /** The method of a full name (`find`, `prototype.publish`) or of an alias. */
  findMethodByName (fullName: string): SharedMethod | undefined {
    return this.methods().find(method => method.isDelegateForName(fullName))
  }

  isMethodEnabled ({ shared, name, isStatic }: SharedMethod): boolean {
    return shared && !this.#disabled.has(keyOf(name, isStatic))
  }

  /** Takes a method, also one that is yet to come, off the list. */
  disableMethodByName (fullName: string): void {
    const known = this.findMethodByName(fullName)
    this.#disabled.add(known === undefined ? fullName : keyOf(known.name, known.isStatic))
  }

  /** The 2.x form of `disableMethodByName`. */
  disableMethod (name: string, isStatic = false): void {
    this.disableMethodByName(keyOf(name, isStatic))
  }
}

const keyOf = (name: string, isStatic: boolean): string => isStatic ? name : `prototype.${name}`

function * sharedFunctions (holder: object | undefined): Iterable<[string, SharedFunction]> {
  // Inherited ones count, too.
  for (const name in holder) {
    if (name === 'super_') continue
    const value = readable(holder as Record<string, unknown>, name)
    if (typeof value !== 'function') continue
    const { shared, modelName } = value as { shared?: unknown, modelName?: unknown }
    if (shared === true && modelName === undefined) yield [name, value as SharedFunction]
  }
}

/** Getters on a prototype may need an instance. */
function readable (holder: Record<string, unknown>, name: string): unknown {
  try {
    return holder[name]
  } catch {
    return undefined
  }
}
