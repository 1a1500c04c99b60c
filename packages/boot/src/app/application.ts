/** The application object that boot scripts, model scripts and components get, as they see it. */
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { DataSource, EnableAuthOptions, ModelClass } from '@fastback/core'
import type { FastifyInstance } from 'fastify'
import type { Application as ExpressApplication } from 'express'
import type { Next } from '../middleware/exchange.js'
import type { Configuration } from './configure-model.js'
import type { LoopbackObject } from './loopback.js'
import type { LoopbackRegistry } from './registry.js'
import type { Remotes } from './remotes.js'

/** Models by name and by their other spellings; called, the list of the application's models. */
export type ModelTable = Record<string, ModelClass> & (() => ModelClass[])

/** LoopBack's methods take what their callers give: code of applications overrides them as it likes. */
export type Method = (...args: any[]) => any

/**
 * An application, as LoopBack code knows it: a request handler with settings, models, data sources, middleware, and
 * events.
 */
export interface Application extends EventEmitter {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void
  /** The same; `next` gets requests that nothing answered, with their error. */
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void
  readonly models: ModelTable
  readonly dataSources: Record<string, DataSource>
  readonly datasources: Record<string, DataSource>
  readonly connectors: Record<string, unknown>
  readonly registry: LoopbackRegistry
  readonly loopback: LoopbackObject
  readonly settings: Record<string, unknown>
  readonly locals: Record<string, unknown>
  /** The Fastify instance beneath, for what LoopBack had no word for. */
  readonly fastify: FastifyInstance
  readonly isAuthEnabled: boolean
  readonly booting: boolean
  /** A setting, with one argument; else an Express route. */
  get: Method
  use: Method
  middleware: Method
  middlewareFromConfig: Method
  defineMiddlewarePhases: Method
  route: Method
  param: Method
  all: Method
  set(name: string, value: unknown): this
  enable(name: string): this
  disable(name: string): this
  enabled(name: string): boolean
  disabled(name: string): boolean
  /** Adds a model to the application: attached and published as `config` says. */
  model(Model: ModelClass, config?: Configuration): ModelClass
  deleteModelByName(name: string): void
  dataSource(name: string, settings: Record<string, unknown>): DataSource
  /** Makes a connector known by a name: a factory, or a module of LoopBack's kind. */
  connector(name: string, connector: unknown): void
  remotes(): Remotes
  remoteObjects(): Record<string, ModelClass>
  handler(type: string): Method
  enableAuth(options?: EnableAuthOptions): void
  /** The path that it answers under, where it is part of another application; else the empty text. */
  path(): string
  start(): Promise<unknown>
  listen(...args: unknown[]): Server
  render: ExpressApplication['render']
  engine(...args: unknown[]): this
  [name: string]: any
}
