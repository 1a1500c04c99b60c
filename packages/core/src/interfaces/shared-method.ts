/**
 * Shared methods: what of a model can be called over a transport. Built-in methods, relation methods, scope methods and
 * custom remote methods are all described by the same data; `rest` makes routes of it, `acl` decides on it, `explorer`
 * documents it.
 */
import type { AccessAssurance } from '../definition/definition.js'
import type { Deprecation, DeprecationInput } from '../definition/deprecation.js'
import type { TObject, TSchema } from '@sinclair/typebox'
import type { ModelClass } from './model-class.js'
import type { RelationMethod } from './relation.js'

export interface ArgumentDefinition {
  arg: string
  /**
   * `'string'`, `['number']`, `'object'`, a model's name, `'any'`, `'buffer'`, `'file'`, `'geopoint'`, an inline object
   * …
   */
  type?: unknown
  required?: boolean
  /** Documentation only (request-parsing.md, section 2). */
  default?: unknown
  description?: string | string[]
  root?: boolean
  allowArray?: boolean
  jsonSchema?: Record<string, unknown>
  documented?: boolean
  /** Tells clients, in the description of the API, to use it no longer. */
  deprecated?: boolean
  /** A format of JSON Schema that the value must have; of a list its items. */
  format?: string
  /** The only values that are taken; of a list its items. */
  enum?: unknown[]
  http?: { source: ArgumentSource } | ((context: any) => unknown) | 'optionsFromRequest'
  /** For the data of a connected model: which of the model's schemas the body must satisfy. */
  modelSchema?: {
    model: string
    variant: 'create' | 'replace' | 'patch'
    /** Properties that the body need not have although the schema requires them: a relation sets them. */
    optional?: readonly string[]
  }
  [key: string]: unknown
}

export type ArgumentSource = 'query' | 'path' | 'header' | 'body' | 'form' | 'formData' | 'req' | 'res' | 'context'

export interface ReturnDefinition {
  arg?: string
  type?: unknown
  root?: boolean
  description?: string | string[]
  /** Keywords for the description of the API. */
  jsonSchema?: Record<string, unknown>
  http?: { target: 'status' | 'header', header?: string }
  [key: string]: unknown
}

export interface HttpRoute {
  verb?: string
  path?: string
  status?: number
  errorStatus?: number
}

/** A response of one status, for the description of the API. */
export interface MethodResponse {
  readonly description: string
  /** Headers by name, with what they say. Their values are texts. */
  readonly headers?: Readonly<Record<string, string>>
  /** Its body. Without it there is none below 400, and from 400 on an error of the API. */
  readonly body?: { readonly type: string, readonly schema: Readonly<Record<string, unknown>> }
}

/**
 * Marks the options of a method that belongs to the model it is declared on, and to none that extends it: those of
 * entries of model-config.json (security.md, S-97).
 *
 * ```js
 * Note.remoteMethod('greet', { ...options, [OWN_METHOD]: true })
 * ```
 */
export const OWN_METHOD = Symbol.for('fastback.ownMethod')

/** Options of `Model.remoteMethod(name, …)` (behaviour.md, section 9, "Remote method options"). */
export interface RemoteMethodOptions {
  /** A list of arguments, or a TypeBox object whose members they are. */
  accepts?: ArgumentDefinition | ArgumentDefinition[] | TObject
  /** Results, or the TypeBox schema of the one there is. */
  returns?: ReturnDefinition | ReturnDefinition[] | TSchema
  http?: HttpRoute | HttpRoute[]
  aliases?: string[]
  /**
   * Other methods of the model whose rules hold for it as well, and with which it is closed: it gives what they give.
   */
  ruledAs?: readonly string[]
  accessType?: string
  accessScopes?: string[]
  /**
   * How the caller must have logged in: a level, or a level and the seconds that the login may be old. Judged by
   * `@fastback/acl`; others get 401 STEP_UP_REQUIRED.
   */
  accessAssurance?: AccessAssurance
  description?: string | string[]
  notes?: string | string[]
  documented?: boolean
  /**
   * Tells clients to use it no longer: true in the description of the API, dates with each response as well. Default:
   * what the model says.
   */
  deprecated?: DeprecationInput
  /**
   * What further statuses mean, for the description of the API: `{ 404: 'There is no such user' }`. Those of success
   * and of the framework need not be named. A method that answers through the response by itself says here what of.
   */
  responses?: Readonly<Record<number, string | MethodResponse>>
  rest?: { before?: RestHook | RestHook[], after?: RestHook | RestHook[] }
  /** What the body is, for the description of the API, of a method that reads it from the request itself. */
  requestBody?: { readonly type: string, readonly schema: Readonly<Record<string, unknown>> }
  /**
   * The error for a path of this method that no server takes (`/files/%2e%2e`), where its names have an error of their
   * own. Default: 400 INVALID_REQUEST_TARGET.
   */
  refusedTarget?: () => Error
  [key: string]: unknown
}

export type RestHook = (context: any, next: (error?: unknown) => void) => unknown

/** A built-in operation, for which `rest` has a compiled handler while nobody has replaced the method. */
export type BuiltinOperation =
  | 'create'
  | 'find'
  | 'findById'
  | 'findOne'
  | 'exists'
  | 'count'
  | 'aggregate'
  | 'restoreById'
  | 'historyOf'
  | 'revert'
  | 'deleteById'
  | 'updateAll'
  | 'patchOrCreate'
  | 'replaceOrCreate'
  | 'replaceById'
  | 'upsertWithWhere'
  | 'patchAttributes'
  | 'createChangeStream'
  | 'live'

/** A shared method of one model, normalised. */
export interface SharedMethod {
  readonly model: ModelClass
  readonly modelName: string
  /** `find`, `patchAttributes`, `__get__books`; without the `prototype.` of instance methods. */
  readonly name: string
  readonly isStatic: boolean
  /** `find`, `prototype.patchAttributes`: as access rules, hooks and `disableRemoteMethodByName` name it. */
  readonly fullName: string
  readonly aliases: readonly string[]
  readonly accepts: readonly ArgumentDefinition[]
  readonly returns: readonly ReturnDefinition[]
  /**
   * Whether its function takes `(args, options, context)`, arguments by name, as `run` of a definition does, and not
   * one after the other.
   */
  readonly byName: boolean
  /**
   * At least one; verbs in lower case (`all` allowed), paths relative to the model (instance methods: with `/:id` in
   * front).
   */
  readonly http: ReadonlyArray<Required<Pick<HttpRoute, 'verb' | 'path'>> & HttpRoute>
  /** As declared; `acl` derives it when undefined. */
  readonly accessType: string | undefined
  readonly accessScopes: readonly string[] | undefined
  readonly documented: boolean
  /** Whether clients are told to use it no longer. */
  readonly deprecated?: boolean
  /** What its responses say of that. */
  readonly deprecation?: Deprecation | undefined
  /** Further statuses, and what was said of others. */
  readonly responses: Readonly<Record<number, MethodResponse>>
  readonly description: string | undefined
  readonly notes: string | undefined
  readonly builtin: BuiltinOperation | undefined
  /** For methods of a relation: which. */
  readonly relation: string | undefined
  /** For methods of `nestRemoting`: what they lead to. The rules of that method hold for the related row as well. */
  readonly nested: RelationMethod['nested']
  readonly rest: { readonly before: readonly RestHook[], readonly after: readonly RestHook[] }
  /** The options as given. */
  readonly options: RemoteMethodOptions
}
