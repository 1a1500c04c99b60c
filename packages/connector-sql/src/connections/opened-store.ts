/** The primary of a data source and its replicas, from when they are opened until they are closed. */
import type { Around, ConnectorContext, MaybePromise, PoolUsage } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import type { Database } from '../dialects/driver.js'
import { CallerRoleError, NotConnectedError } from '../errors.js'
import { Replicas } from '../replicas/replicas.js'
import { mayActAs } from '../row-security/catalogue.js'
import type { SqlSettings } from '../settings.js'
import { ofNoModel, translating } from '../translating.js'
import { Connections } from './connections.js'

/** Milliseconds after which a write is taken to have reached replicas that do not tell. */
const assumedLag = 2000

export class OpenedStore {
  #primary: Connections | undefined
  #replicas: Replicas | undefined
  #around: Around | undefined

  constructor (readonly dialect: Dialect, readonly settings: SqlSettings, readonly context: ConnectorContext) {}

  get isOpen (): boolean {
    return this.#primary !== undefined
  }

  /** @throws FBK_SQL_NOT_CONNECTED */
  get primary (): Connections {
    if (this.#primary === undefined) throw new NotConnectedError(this.context.dataSource)
    return this.#primary
  }

  get replicas (): Replicas | undefined {
    return this.#replicas
  }

  /** Connections of the pool, where there is one and it is open. */
  get usage (): PoolUsage | undefined {
    return this.#primary?.database.usage
  }

  /** Whether observers are told of statements: they may take their time. */
  get isObserved (): boolean {
    return this.#around !== undefined
  }

  /** @throws FBK_SQL_CALLER_ROLE */
  open (): MaybePromise<void> {
    const { dialect, settings, context } = this
    const opened = translating(dialect, ofNoModel, () => dialect.open(settings, context))
    return chain(chain(opened, database => this.#checked(database)), database => {
      this.#primary = this.#connectionsOf(database)
      this.#replicas = this.#openReplicas(this.#primary)
      this.observe(this.#around)
    })
  }

  /** By what observers are told of statements, if there are any. */
  observe (around: Around | undefined): void {
    this.#around = around
    this.#primary?.observe(around)
    this.#replicas?.observe(around)
  }

  /** Nothing new begins; open transactions are rolled back, and what is under way is waited for. */
  async close (settled: () => Promise<void>): Promise<void> {
    const [primary, replicas] = [this.#primary, this.#replicas]
    this.#primary = undefined
    this.#replicas = undefined
    await primary?.rollback()
    await settled()
    await replicas?.close()
    await primary?.close()
  }

  #connectionsOf (database: Database): Connections {
    const { transactionTimeout, busyTimeout } = this.settings
    return new Connections(database, transactionTimeout, busyTimeout, this.context.log)
  }

  #checked (database: Database): MaybePromise<Database> {
    const { callerRole: role } = this.settings
    if (role === undefined) return database
    return mayActAs(database.main, role).then(async may => {
      if (may) return database
      await database.close()
      const quoted = this.dialect.quote(role)
      throw new CallerRoleError(this.context.dataSource, role, quoted, quoted)
    })
  }

  /** Nothing waits for them: until one answers the primary does. */
  #openReplicas (primary: Connections): Replicas | undefined {
    const { dialect, settings, context } = this
    if (settings.replicas === undefined) return undefined
    const { servers, retry, wait, primaryAfterWrite: window } = settings.replicas
    const opens = servers.map(server => async () =>
      this.#connectionsOf(await dialect.open({ ...settings, server }, context)))
    const replication = window === undefined ? dialect.replication : undefined
    return new Replicas({ opens, primary, replication, retry, wait, window: window ?? assumedLag, log: context.log })
  }
}
