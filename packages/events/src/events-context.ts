/** What the parts of this package have in common: jobs, outbox and webhooks. */
import type { DataSource, ModelRegistry } from '@fastback/core'
import type { FastifyBaseLogger } from 'fastify'
import type { JobEngine } from './engines/engine.js'
import type { Settings } from './options.js'

/** Where warnings and errors of background work go. */
export interface EventsLog {
  error (details: object, message: string): void
  warn (details: object, message: string): void
  info (details: object, message: string): void
  debug (details: object, message: string): void
}

export interface EventsContext {
  readonly registry: ModelRegistry
  /** Started before the parts are, and stopped after them. */
  readonly engine: JobEngine
  readonly log: FastifyBaseLogger
  /** Where internal models of this package are, except those that belong to the data source of another model. */
  readonly dataSource: DataSource
  readonly settings: Settings
}

/** A part of this package that works while the application runs. */
export interface EventsPart {
  /** All models are there, data sources are open, and the engine runs. */
  start (): Promise<void>
  /** The engine still runs. Data sources are still open. */
  stop (): Promise<void>
}
