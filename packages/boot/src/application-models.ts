/** The models that applications are made over: of one application, or of all in a process that share them. */
import { PendingOperations } from '@fastback/core/remote'
import { ModelRegistry, type BootExtension, type ConnectorLog } from '@fastback/core'
import type { FastifyBaseLogger } from 'fastify'
import { LoopbackRegistry } from './app/registry.js'
import { registerBusDrivers } from './bus-drivers.js'
import { adaptConnector, connectorByName } from './connectors.js'
import { folderDefaults } from './folder-defaults.js'
import { ModelLookup } from './model-lookup.js'
import { watchReplication } from './replication.js'

type Write = (log: FastifyBaseLogger) => void

/**
 * A registry with the built-in models and connectors of extensions.
 *
 * ```js
 * const models = new ApplicationModels(await perform(loadExtensions()))
 * models.registry.createModel('Note', { title: String })
 * ```
 */
export class ApplicationModels {
  readonly core: ModelRegistry
  readonly lookup: ModelLookup
  readonly registry: LoopbackRegistry
  /** Where its log goes: to the application that was made last. Lines that nobody took yet are kept for it. */
  #write: ((write: Write) => void) | undefined
  #early: Write[] = []

  constructor (readonly extensions: readonly BootExtension[]) {
    this.core = new ModelRegistry({ log: this.#log(), settings: { ...folderDefaults }, bus: 'auto' })
    registerBusDrivers(this.core)
    watchReplication(this.core)
    for (const { connectors = {} } of extensions) {
      for (const [name, factory] of Object.entries(connectors)) this.core.connectors.register(name, factory)
    }
    this.core.connectors.lookUp = name => connectorByName(name)
    this.core.connectors.adapt = adaptConnector
    this.lookup = new ModelLookup(this.core, extensions)
    this.core.lookUp = name => this.lookup.find(name)
    this.registry = new LoopbackRegistry(this.core, this.lookup)
  }

  /** An application is made over the models: its settings and its log are theirs, until another one comes. */
  serve (settings: Record<string, unknown>, write: (write: Write) => void): void {
    this.core.settings = settings
    this.core.pending ??= new PendingOperations()
    this.#write = write
    this.#early.splice(0).forEach(write)
  }

  #log (): ConnectorLog {
    const write = (level: keyof ConnectorLog) => (...line: unknown[]): void => {
      const entry: Write = log => { (log[level] as (...line: unknown[]) => void).call(log, ...line) }
      if (this.#write === undefined) this.#early.push(entry)
      else this.#write(entry)
    }
    return { warn: write('warn'), info: write('info'), debug: write('debug') }
  }
}
