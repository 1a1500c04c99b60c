/**
 * What other packages contribute to application folders. A package exports an object of this shape under the name
 * `boot` (`export const boot = { … } satisfies BootExtension`); `@fastback/boot` asks anyone who is there and knows
 * nothing else of them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectorFactory } from '../data-source/connector.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { BuiltinModel } from './builtin-model.js'

/** The application of a folder, as far as extensions know it. */
export interface HostApplication {
  readonly fastify: FastifyInstance
  readonly registry: { readonly core: ModelRegistry, findModel (name: string): ModelClass | undefined }
  /** Whether  was called. */
  readonly isAuthEnabled: boolean
  /** A setting of config.json. */
  get (name: string): unknown
  /** Leaves something for programs that start the server, such as an address to print. */
  set (name: string, value: unknown): unknown
  model (Model: ModelClass, config: { readonly dataSource: unknown, readonly public: boolean }): unknown
  render (view: string, values: object, done: (error: unknown, text: string) => void): void
}

/** Options of `app.enableAuth`. */
export interface EnableAuthOptions {
  /** Data source of the models that access control needs and that the folder did not attach itself. */
  readonly dataSource?: unknown
  readonly [key: string]: unknown
}

/** An entry of middleware.json that an extension provides. */
export interface MiddlewareUse {
  /** As it is written there. */
  readonly written: string
  readonly paths: ReadonlyArray<string | RegExp>
  readonly params: readonly unknown[]
}

/** What is known when the extension registers itself with Fastify, after all boot scripts and before any route. */
export interface ExtensionContext {
  readonly app: HostApplication
  /** Options of `app.enableAuth`, or undefined when it was not called. */
  readonly auth: EnableAuthOptions | undefined
  /** Parameters of every `loopback#token` in middleware.json and every `app.use(loopback.token(…))`. */
  readonly tokens: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** A function that gets the application; one that keeps something with it may ask for more than `HostApplication`. */
type OfApplication<Given, Result> = { of (app: HostApplication, given: Given): Result }['of']

export interface BootExtension {
  /**
   * Built-in models, base models first. Each is defined when a folder names it, extends it or relates to it, or
   * `enableAuth` attaches it.
   */
  readonly models?: readonly BuiltinModel[]
  /**
   * Models that `app.enableAuth({ dataSource })` attaches when neither they nor a model that extends them are attached.
   * The value: whether it is published.
   */
  readonly attachedByEnableAuth?: Readonly<Record<string, boolean>>
  readonly connectors?: Readonly<Record<string, ConnectorFactory>>
  /** Components of component-config.json, by name. They run in the order of the file, before boot scripts. */
  readonly components?: Readonly<Record<string, OfApplication<unknown, Promise<unknown>>>>
  /** Entries of middleware.json, by `module#fragment`. */
  readonly middleware?: Readonly<Record<string, OfApplication<MiddlewareUse, void>>>
  /** Functions of the application object: `app.name(…)` calls them with the application before its arguments. */
  readonly methods?: Readonly<Record<string, OfApplication<unknown, unknown>>>
  /**
   * Data sources and models of the folder are there, and its components and boot scripts come next: models that no file
   * names become the application's by `app.model`, so that scripts find them in `app.models`.
   */
  modelsDefined? (app: HostApplication): void
  /** Whether `register` adds routes of its own for this application. */
  addsRoutes? (app: HostApplication): boolean
  /**
   * All code of the folder has run, its own server file included, and the application is about to serve: what nobody
   * set up may be set up now, with routes and middleware. Called again when the application opens again.
   * @param fastify what serves it: hooks that are added now come before the folder's own middleware
   */
  beforeOpen? (app: HostApplication, fastify: FastifyInstance): Promise<void>
  /** Adds hooks and decorators to the Fastify context of the application. */
  register? (fastify: FastifyInstance, context: ExtensionContext): Promise<void>
  /**
   * The access token of a request for Express code (`req.accessToken`); called where the token middleware stands.
   * @param reply has the headers of CORS by then
   */
  accessToken? (request: FastifyRequest, reply: FastifyReply): MaybePromise<unknown>
}
