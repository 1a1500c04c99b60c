/**
 * The applications that `loopback()` makes. LoopBack's functions (`loopback.createModel`, `loopback.User`) belong to no
 * application in particular: they mean the one that was made last, and before there is one, the one that comes next.
 */
import { ApplicationServer, loadExtensions, perform } from '@fastback/boot/server'
import type { Application, BootExtension, ServerOptions } from '@fastback/boot'
import { isPromise } from '@fastback/core/connector'
import { EsModulesError } from './errors.js'

export class Applications {
  /** How those to come are served: what `fastback serve` was told. */
  serverOptions: ServerOptions = {}
  readonly #servers = new WeakMap<Application, ApplicationServer>()
  #extensions: readonly BootExtension[] | undefined
  #current: ApplicationServer | undefined
  #isTaken = false

  /** A new application, or the one that functions of `loopback` have been at work on. */
  create (): Application {
    if (this.#isTaken || this.#current === undefined) this.#current = this.#make()
    this.#isTaken = true
    return this.#current.app
  }

  /** The application that functions of `loopback` mean. */
  get current (): Application {
    this.#current ??= this.#make()
    return this.#current.app
  }

  /** The application that code made last; undefined before it made one. */
  get last (): Application | undefined {
    return this.#isTaken ? this.#current?.app : undefined
  }

  /** The server of an application that `loopback()` made; undefined for anything else. */
  serverOf (app: unknown): ApplicationServer | undefined {
    return this.#servers.get(app as Application)
  }

  #make (): ApplicationServer {
    const server = new ApplicationServer(this.#installed(), this.serverOptions)
    this.#servers.set(server.app, server)
    this.#isTaken = false
    return server
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
