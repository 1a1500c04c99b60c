/** "Credentials changed": what ends everything that was given out for an account before (security.md, S-73). */
import type { HookContext, MaybePromise, ModelClass, ModelRegistry } from '@fastback/core'
import { chain, eachInTurn, isPromise } from '@fastback/core/connector'
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
}

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

  constructor (readonly registry: ModelRegistry) {}

  /** Calls `listener` at every change from now on. Returns a function that ends this. */
  listen (listener: CredentialsListener): () => void {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /**
   * Tells all listeners, one after the other. User models do it by themselves when a password or an address changes or
   * an account is removed; whoever changes a second factor, locks an account or hears of a change in another process
   * calls this.
   */
  tell (event: CredentialsChanged, context: CredentialsContext = {}): MaybePromise<void> {
    return event.userIds.length === 0
      ? undefined
      : eachInTurn([...this.#listeners], listener =>
        listener(event, context) as MaybePromise<void>)
  }

  /**
   * The same within a hook. While a transaction is open, others still see the old credentials, and are given tokens for
   * them: when it has been committed, what was given out until then ends as well.
   */
  tellOfChange (hook: HookContext, event: CredentialsChanged, accessToken?: unknown): MaybePromise<void> {
    return chain(this.tell(event, { accessToken, transaction: hook.options.transaction }), () => {
      let isOpen = false
      whenCommitted(hook, () => { if (isOpen) this.#tellLater({ ...event, before: Date.now() }, accessToken) })
      isOpen = true
    })
  }

  #tellLater (event: CredentialsChanged, accessToken: unknown): void {
    const fail = (error: unknown): void => {
      this.registry.log.warn({ err: error, model: event.model },
        'rights of changed credentials could not be ended')
    }
    try {
      const told = this.tell(event, { accessToken })
      if (isPromise(told)) told.catch(fail)
    } catch (error) { fail(error) }
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
