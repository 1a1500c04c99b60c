/** Shared classes and methods as REST sees them: with the paths and verbs under which they are called. */
import type { ArgumentDefinition, HttpRoute, ReturnDefinition } from '@fastback/core'
import { normalisePath } from '../routes/model-path.js'
import type { SharedMethod } from './shared-method.js'

export interface RestOptionsOfAdapter {
  /** Whether paths get small letters and dashes, where the class says nothing. */
  readonly normalizeHttpPath?: boolean
  readonly [key: string]: unknown
}

/** What the routes of a method follow from. */
export interface RoutedMethod {
  readonly name: string
  /** `Note.prototype.publish` */
  readonly stringName: string
  readonly isStatic: boolean
  /** Whether it stands for the constructor, whose routes those of instance methods begin with. */
  readonly isSharedCtor?: boolean | undefined
  readonly accepts: readonly ArgumentDefinition[]
  readonly returns: readonly ReturnDefinition[]
  readonly errors: readonly unknown[]
  readonly description?: string | string[] | undefined
  readonly notes?: string | string[] | undefined
  readonly documented: boolean
  readonly http: HttpRoute | HttpRoute[]
  readonly sharedClass?: Pick<RoutedClass, 'options'> | null | undefined
}

/** A class with methods that have routes. */
export interface RoutedClass<M extends RoutedMethod = RoutedMethod> {
  readonly name: string
  readonly http: HttpRoute | HttpRoute[]
  readonly options: { readonly normalizeHttpPath?: boolean | undefined }
  readonly sharedCtor: M | undefined
  methods (): M[]
}

/** A path with its verb, and what else the route says. */
export type RestRoute = HttpRoute & { verb: string, path: string }

/** A verb in capitals with the whole path. */
export interface Endpoint {
  readonly verb: string
  readonly fullPath: string
}

/**
 * The routes that a class or a method names, relative to what it belongs to; without any, one of all verbs.
 *
 * ```js
 * routesOf(sharedMethod, { normalizeHttpPath: true }) // [{ verb: 'all', path: '/last-change' }]
 * ```
 */
export function routesOf (shared: RoutedClass | RoutedMethod, options: RestOptionsOfAdapter = {}): RestRoute[] {
  const isClass = 'methods' in shared
  const sharedClass = isClass ? shared : shared.sharedClass
  const normalise = sharedClass?.options.normalizeHttpPath ?? options.normalizeHttpPath ?? false
  const own = !isClass && shared.isSharedCtor === true ? '/prototype' : `/${shared.name}`
  return [shared.http].flat().map(route => {
    const path = route.path === undefined || route.path === '' ? own : route.path
    return { ...route, verb: (route.verb ?? 'all').toLowerCase(), path: normalise ? normalisePath(path) : path }
  })
}

/**
 * A shared class with its routes and methods.
 *
 * ```js
 * new RestClass(Note.sharedClass).methods.map(({ fullName }) => fullName) // ['Note.create', …]
 * ```
 */
export class RestClass<M extends RoutedMethod = SharedMethod> {
  declare readonly sharedClass: RoutedClass<M>
  readonly name: string
  readonly routes: RestRoute[]
  readonly ctor: RestMethod<M> | undefined
  readonly methods: Array<RestMethod<M>>

  constructor (sharedClass: RoutedClass<M>, readonly options: RestOptionsOfAdapter = {}) {
    Object.defineProperty(this, 'sharedClass', { value: sharedClass })
    this.name = sharedClass.name
    this.routes = routesOf(sharedClass, options)
    this.ctor = sharedClass.sharedCtor === undefined ? undefined : new RestMethod(this, sharedClass.sharedCtor)
    this.methods = sharedClass.methods()
      .filter(method => method.isSharedCtor !== true)
      .map(method => new RestMethod(this, method))
  }

  /** The path of the first route. */
  getPath (): string {
    return (this.routes[0] as RestRoute).path
  }
}

/** A shared method with its routes; those of an instance method begin with those of the constructor. */
export class RestMethod<M extends RoutedMethod = SharedMethod> {
  declare readonly restClass: RestClass<M>
  declare readonly sharedMethod: M
  /** `Note.prototype.publish` */
  readonly fullName: string
  /** `prototype.publish` */
  readonly name: string
  readonly accepts: readonly ArgumentDefinition[]
  readonly returns: readonly ReturnDefinition[]
  readonly errors: readonly unknown[]
  readonly description: RoutedMethod['description']
  readonly notes: RoutedMethod['notes']
  readonly documented: boolean
  readonly routes: RestRoute[]

  constructor (restClass: RestClass<M>, sharedMethod: M) {
    Object.defineProperty(this, 'restClass', { value: restClass })
    Object.defineProperty(this, 'sharedMethod', { value: sharedMethod })
    const { stringName, accepts, returns, errors, description, notes, documented } = sharedMethod
    this.fullName = stringName
    this.name = stringName.slice(stringName.indexOf('.') + 1)
    this.accepts = accepts
    this.returns = returns
    this.errors = errors
    this.description = description
    this.notes = notes
    this.documented = documented
    const own = routesOf(sharedMethod, restClass.options)
    const { ctor } = restClass
    this.routes = sharedMethod.isStatic || ctor === undefined
      ? own
      : own.flatMap(route => ctor.routes.map(({ path }) => ({ ...route, path: joinPaths(path, route.path) })))
  }

  /** The value among `values` that stands for an argument; names have no case. */
  getArgByName (name: string, values: readonly unknown[]): unknown {
    const index = this.accepts.findIndex(({ arg }) => arg?.toLowerCase() === name.toLowerCase())
    return index === -1 ? undefined : values[index]
  }

  isReturningArray (): boolean {
    const [first] = this.returns
    return this.returns.length === 1 && first?.root === true && typeName(first.type) === 'array'
  }

  acceptsSingleBodyArgument (): boolean {
    const [first] = this.accepts
    return this.accepts.length === 1 && typeof first?.http === 'object' && first.http.source === 'body' &&
      typeName(first.type) === 'object'
  }

  /** Where a client calls the method; a route of all verbs is called with POST. */
  getEndpoints (): Endpoint[] {
    return this.routes.map(({ verb, path }) => ({
      verb: verb === 'all' ? 'POST' : verb === 'del' ? 'DELETE' : verb.toUpperCase(),
      fullPath: joinPaths(this.restClass.getPath(), path)
    }))
  }

  /** The older form of `getEndpoints()[0].verb`. */
  getHttpMethod (): string { return (this.getEndpoints()[0] as Endpoint).verb }
  getPath (): string { return (this.routes[0] as RestRoute).path }
  /** The older form of `getEndpoints()[0].fullPath`. */
  getFullPath (): string { return (this.getEndpoints()[0] as Endpoint).fullPath }
}

const typeName = (type: unknown): string =>
  Array.isArray(type) ? 'array' : String(typeof type === 'function' ? type.name : type).toLowerCase()

/** Two paths with one slash between them. */
export function joinPaths (left: string, right: string): string {
  if (left === '') return right
  return right === '' || right === '/' ? left : `${left.replace(/\/$/, '')}/${right.replace(/^\//, '')}`
}

interface Sortable { readonly route: { readonly verb: string, readonly path: string } }

/**
 * The order in which routes are tried: by verb, and of one verb the more exact path first (texts before parameters,
 * long paths before short ones).
 */
export function sortRoutes ({ route: a }: Sortable, { route: b }: Sortable): number {
  const [verbA, verbB] = [a, b].map(({ verb }) => verb.toLowerCase().replace(/^del$/, 'delete')) as [string, string]
  if (verbA !== verbB) return verbA > verbB ? -1 : 1
  const partsB = b.path.split('/')
  const partsA = a.path.split('/')
  for (let i = 0; i < Math.min(partsA.length, partsB.length); i++) {
    const order = comparePart(partsA[i] as string, partsB[i] as string)
    if (order !== 0) return order
  }
  return partsB.length - partsA.length
}

function comparePart (a: string, b: string): number {
  if (a === b) return 0
  const rank = (part: string): number => part === '' ? 2 : part.startsWith(':') ? 1 : 0
  return rank(a) === rank(b) ? (a > b ? -1 : 1) : rank(a) - rank(b)
}
