/** An application that was loaded to be looked at, whether a folder, a module or code gave it. */
import type { DataSource, ModelRegistry } from '@fastback/core'
import type { ExplorerOptions } from '@fastback/explorer'
import type { FastifyInstance } from 'fastify'

/**
 * The path of an application folder, the path of a module that exports an application, or the application itself: a
 * Fastify instance with `@fastback/core`.
 */
export type ApplicationSource = string | FastifyInstance

export interface LoadOptions {
  /** Name of the environment. Default: NODE_ENV, else `development`. An application itself has its own by then. */
  readonly env?: string | undefined
}

/** What of the stored data is needed. */
export interface StoreOptions {
  /** Names of the data sources that are opened, or all of them. Default: none. */
  readonly stores?: readonly string[] | 'all' | undefined
}

export interface LoadedApplication {
  readonly fastify: FastifyInstance
  readonly registry: ModelRegistry
  /** What its explorer was told, as far as it has one. */
  readonly explorer: ExplorerOptions
  /** The data sources that were asked for, open, by the names that the application has for them. */
  readonly stores: ReadonlyMap<string, DataSource>
  /** Whether the application itself makes what the tables of a data source lack when it starts. */
  makesTables (dataSource: string): boolean
  /** Lets its models work on the stores. */
  useStores (): void
  /** Closes what loading has opened. */
  close (): Promise<void>
}
