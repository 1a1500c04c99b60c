/**
 * The applications that `loopback()` makes, and the models that they share, as LoopBack's module has one registry for
 * a process.
 */
import { ApplicationModels, ApplicationServer, createLoopback, loadExtensions, perform } from '@fastback/boot/server'
import type { LoopbackObject } from '@fastback/boot/server'
import type { Application, BootExtension, BuiltinModel, ServerOptions } from '@fastback/boot'
import type { ModelRegistry } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import { bluebirdOf, programFolders } from './own-libraries.js'
import { EsModulesError } from './errors.js'

export interface LoopbackOptions {
  /** True: the application has models of its own, and shares none with others of this process. */
  readonly localRegistry?: boolean
  /**
   * Whether a registry of its own shows the built-in models (`User` …) from the beginning. Without it they are found
   * once the folder names `loopback/common/models` among its sources, or something extends them.
   */
  readonly loadBuiltinModels?: boolean
}

export class Applications {
  /** How those to come are served: what `fastback serve` was told. */
  serverOptions: ServerOptions = {}
  /** What applications have as `app.loopback`: the module, whose functions are those of `shared`. */
  module: LoopbackObject | undefined
  readonly #servers = new WeakMap<Application, ApplicationServer>()
  #extensions: readonly BootExtension[] | undefined
  #shared: ApplicationModels | undefined
  #loopback: LoopbackObject | undefined
  #last: Application | undefined
  readonly #made: Array<(app: Application) => void> = []

  /** A new application. */
  create ({ localRegistry = false, loadBuiltinModels = false }: LoopbackOptions = {}): Application {
    const models = localRegistry ? this.#models() : this.shared
    if (localRegistry) models.lookup.showsBuiltins = loadBuiltinModels
    const { module: loopback } = this
    const server = new ApplicationServer(
      this.#installed(), this.serverOptions, { models, ...(loopback === undefined ? {} : { loopback }) }
    )
    this.#servers.set(server.app, server)
    this.#last = server.app
    for (const tell of this.#made.splice(0)) tell(server.app)
    return server.app
  }

  /** The models of all applications that ask for none of their own. */
  get shared (): ApplicationModels {
    if (this.#shared !== undefined) return this.#shared
    const models = this.#models()
    // The next application begins where the one before has stopped.
    models.core.on('stopped', () => { models.core.reopen() })
    return (this.#shared = models)
  }

  /** As LoopBack's, models give the promises of the application's bluebird; it may be the folder's own. */
  findPromises (registry: ModelRegistry, folders: readonly string[]): void {
    registry.promises ??= bluebirdOf(folders)
  }

  #models (): ApplicationModels {
    const models = new ApplicationModels(this.#installed())
    this.findPromises(models.core, programFolders())
    return models
  }

  /** Functions and classes of the module. */
  get loopback (): LoopbackObject {
    return (this.#loopback ??= createLoopback(this.shared.registry))
  }

  /** The application that code made last; undefined before it made one. */
  get last (): Application | undefined {
    return this.#last
  }

  /** The application that code has made, or makes next. */
  get lastOrNext (): Promise<Application> {
    return new Promise(resolve => {
      if (this.#last === undefined) this.#made.push(resolve)
      else resolve(this.#last)
    })
  }

  /** The server of an application that `loopback()` made; undefined for anything else. */
  serverOf (app: unknown): ApplicationServer | undefined {
    return this.#servers.get(app as Application)
  }

  /** A built-in model, as the package that brings it has it. */
  builtinModel (name: string): BuiltinModel | undefined {
    return this.#installed().flatMap(({ models = [] }) => models).find(({ definition }) => definition.name === name)
  }

  #installed (): readonly BootExtension[] {
    if (this.#extensions !== undefined) return this.#extensions
    const extensions = perform(loadExtensions())
    if (isPromise(extensions)) throw new EsModulesError(process.version)
    return (this.#extensions = extensions)
  }
}

/** LoopBack's packages know one another as modules of one process, and so do these. */
export const applications = new Applications()
