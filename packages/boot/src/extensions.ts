/**
 * What other packages contribute to application folders. `@fastback/auth` and `@fastback/acl` export an object of this
 * shape under the name `boot`; boot asks whoever is there and knows nothing else of them.
 */
import type { ConnectorFactory, MaybePromise, ModelClass, ModelDefinitionInput } from '@fastback/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Application } from './app/application.js'

export interface BuiltinModel {
  readonly definition: ModelDefinitionInput
  /** Puts methods, hooks and validations on the class, as `user.js` beside `user.json` would. */
  setUp? (Model: ModelClass): void
}

/** Options of `app.enableAuth`. */
export interface AuthOptions {
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
  readonly app: Application
  /** Options of `app.enableAuth`, or undefined when it was not called. */
  readonly auth: AuthOptions | undefined
  /** Parameters of every `loopback#token` in middleware.json and every `app.use(loopback.token(…))`. */
  readonly tokens: ReadonlyArray<Readonly<Record<string, unknown>>>
}

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
  readonly components?: Readonly<Record<string, (app: any, options: unknown) => Promise<unknown>>>
  /** Entries of middleware.json, by `module#fragment`. */
  readonly middleware?: Readonly<Record<string, (app: any, use: any) => void>>
  /** Functions of the application object: `app.name(…)` calls them with the application before its arguments. */
  readonly methods?: Readonly<Record<string, (app: any, options: unknown) => unknown>>
  /** Whether `register` adds routes of its own for this application. */
  addsRoutes? (app: Application): boolean
  /** Adds hooks and decorators to the Fastify context of the application. */
  register? (fastify: FastifyInstance, context: ExtensionContext): Promise<void>
  /** The access token of a request for Express code (`req.accessToken`); called where the token middleware stands. */
  accessToken? (request: FastifyRequest): MaybePromise<unknown>
}

/** The extensions that are installed with boot. */
export async function loadExtensions (): Promise<BootExtension[]> {
  const modules: object[] = await Promise.all([
    import('@fastback/oauth2/boot'),
    import('@fastback/auth'),
    import('@fastback/acl')
  ])
  return modules.flatMap(module => 'boot' in module ? [module.boot as BootExtension] : [])
}
