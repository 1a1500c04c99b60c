/** What the processes of `serve --workers` tell each other. */
import type { ServeOptions } from '../serve.js'
import type { Addresses } from '../start-line.js'

/** What a worker is told to serve. */
export interface WorkerTask {
  readonly dir: string
  readonly options: ServeOptions
  /** How many workers there are. */
  readonly processes: number
  /** Milliseconds that open requests may take in the end. */
  readonly delay: number
  /** File with variables, absolute. It is read for each worker, so that a restart sees its changes. */
  readonly envFile: string | undefined
}

/** A data source whose rows no other process sees. */
export interface PrivateStore {
  readonly name: string
  /** Whether it writes its rows to a file, which is one process's. */
  readonly hasFile: boolean
}

/** What a worker says when it serves. */
export interface Serving extends Addresses {
  /** Whether its log has lines of the level "info": then those of the start and the end belong there. */
  readonly logsInfo: boolean
  readonly privateStores: readonly PrivateStore[]
  /** Milliseconds that it waits in the end until load balancers have noticed. */
  readonly drainDelay: number
}

/** Why a worker cannot serve: the error that it met. */
export interface Failure {
  readonly message: string
  readonly code?: string
  readonly stack?: string
}

/** From a worker: it listens to orders, which are lost before; it serves, or it cannot. */
export type WorkerReport = { readonly waiting: true } | { readonly serving: Serving } | { readonly failure: Failure }

/**
 * To a worker: what to serve; to make way for the one that has taken its place; to end because all do, which load
 * balancers learn first.
 */
export type WorkerOrder = { readonly serve: WorkerTask } | { readonly order: 'leave' | 'end' }
