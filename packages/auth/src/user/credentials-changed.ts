/** "Credentials changed": what ends everything that was given out for an account before (security.md, S-73). */
import { BusPayloadError } from '@fastback/core/bus'
import type { HookContext, MaybePromise, ModelClass, ModelRegistry } from '@fastback/core'
import { chain, eachInSequence, isPromise } from '@fastback/core/connector'
import { whenCommitted } from '@fastback/core/remote'

export type CredentialsReason = 'password' | 'email' | 'second factor' | 'deletion' | 'lock'

/** Plain data: what one process tells another, whatever carries it. */
export interface CredentialsChanged {
  /** Name of the user model: ids of different user models are different people. */
  readonly model: string
  readonly userIds: readonly unknown[]
  readonly reason: CredentialsReason
  /** Milliseconds since 1970: only what was given out until then ends. Without it: everything. */
  readonly before?: number
}

/** What stays in the process that made the change. */
export interface CredentialsContext {
  /** The token of the request that made the change: that one goes on. */
  readonly accessToken?: unknown
  /** The transaction of the change; see `withinChange`. */
  readonly transaction?: unknown
  /** Another process made the change, and has ended what is stored. */
  readonly elsewhere?: boolean
}

export interface ListenOptions {
  /**
   * Whether it is told of changes in other processes as well: who keeps something in this process's memory asks for
   * them. Default: false.
   */
  readonly elsewhere?: boolean
}

const topic = 'credentials changed'

/** Ends what it keeps of these users. The change is answered when it is done; where it fails, the change fails. */
export type CredentialsListener = (event: CredentialsChanged, context: CredentialsContext) => MaybePromise<unknown>

/**
 * Who wants to know that credentials have changed, and is told. One for each registry:
 * `authService(registry).credentials`.
 *
 * ```js
 * const { credentials } = authService(app.registry)
 * const end = credentials.listen(async ({ model, userIds }) => { await endSessions(model, userIds) })
 * await credentials.tell({ model: 'Customer', userIds: [7], reason: 'lock' })
 * ```
 */
export class Credentials {
  readonly #listeners = new Set<CredentialsListener>()
  /** Those that are told of other processes' changes. */
  readonly #everywhere = new Set<CredentialsListener>()

  constructor (readonly registry: ModelRegistry) {
    registry.bus.subscribe(topic, {
      message: event => {
        const heard = event as CredentialsChanged
        this.#tryTo(heard, () => this.#tellThese(this.#everywhere, heard, { elsewhere: true }))
      },
      // Anyone who keeps something looks again now and then, and when the rows of his rights may have changed.
      reset () {}
    })
  }

  /** Calls `listener` at every change from now on. Returns a function that ends this. */
  listen (listener: CredentialsListener, { elsewhere = false }: ListenOptions = {}): () => void {
    this.#listeners.add(listener)
    if (elsewhere) this.#everywhere.add(listener)
    return () => {
      this.#listeners.delete(listener)
      this.#everywhere.delete(listener)
    }
  }

  /**
   * Tells all listeners, one after the other, and other processes when that is done. User models do it by themselves
   * when a password or an address changes or an account is removed; anyone who changes a second factor or locks an
   * account calls this.
   */
  tell (event: CredentialsChanged, context: CredentialsContext = {}): MaybePromise<void> {
    return chain(this.#tellHere(event, context), () => { this.#publish(event) })
  }

  #tellHere (event: CredentialsChanged, context: CredentialsContext): MaybePromise<void> {
    return event.userIds.length === 0 ? undefined : this.#tellThese(this.#listeners, event, context)
  }

  #tellThese (listeners: ReadonlySet<CredentialsListener>, event: CredentialsChanged, context: CredentialsContext) {
    return eachInSequence([...listeners], listener => listener(event, context) as MaybePromise<void>)
  }

  /**
   * The same within a hook. While a transaction is open, others still see the old credentials, and are given tokens for
   * them: when it has been committed, what was given out until then ends as well, and other processes are told.
   */
  tellOfChange (hook: HookContext, event: CredentialsChanged, accessToken?: unknown): MaybePromise<void> {
    return chain(this.#tellHere(event, { accessToken, transaction: hook.options.transaction }), () => {
      let isOpen = false
      whenCommitted(hook, () => {
        if (isOpen) {
          const late = { ...event, before: Date.now() }
          this.#tryTo(late, () => this.tell(late, { accessToken }))
        } else this.#publish(event)
      })
      isOpen = true
    })
  }

  #tryTo (event: CredentialsChanged, work: () => MaybePromise<void>): void {
    const fail = (error: unknown): void => {
      this.registry.log.warn({ err: error, model: event.model },
        'rights of changed credentials could not be ended')
    }
    try {
      const told = work()
      if (isPromise(told)) told.catch(fail)
    } catch (error) { fail(error) }
  }

  /** Many users are told of in several messages. */
  #publish (event: CredentialsChanged): void {
    const { bus } = this.registry
    if (bus.driver === undefined || event.userIds.length === 0) return
    try {
      bus.publish(topic, event)
    } catch (error) {
      if (!(error instanceof BusPayloadError) || event.userIds.length === 1) throw error
      const half = Math.ceil(event.userIds.length / 2)
      this.#publish({ ...event, userIds: event.userIds.slice(0, half) })
      this.#publish({ ...event, userIds: event.userIds.slice(half) })
    }
  }
}

/**
 * Options for the writes of a listener: within the transaction of the change where the rows are on the data source of
 * the users; hooks of the rows are called.
 *
 * ```js
 * credentials.listen((event, context) =>
 *   Session.destroyAll({ userId: { inq: event.userIds } }, withinChange(Session, event, context)))
 * ```
 */
export function withinChange (Model: ModelClass, { model }: CredentialsChanged,
  { transaction }: CredentialsContext): Record<string, unknown> {
  const isNear = transaction !== undefined && Model.registry.findModel(model)?.dataSource === Model.dataSource
  return isNear ? { transaction } : {}
}
