/** The client: rows that are here, and their agreement with the server. */
import { clearRefusals, conflictsOf, refusalsOf, type Conflict, type Refusal } from './conflicts.js'
import { Background } from './engine/background.js'
import { listen } from './engine/live-streams.js'
import { Local } from './engine/local.js'
import { Observable } from './engine/observable.js'
import { pullAll } from './engine/pull.js'
import { pushAll, type Wire } from './engine/push.js'
import { outboxOf, refusedOf, type Pending, type Row } from './engine/records.js'
import { Transport } from './engine/transport.js'
import { asClientError, ClientError, isCode } from './errors.js'
import { modelApi, type CallOptions, type ModelApi } from './model-api.js'
import { modelsOf, type ClientOptions, type Model, type RowTypes } from './options.js'
import { openSession } from './session.js'

/** How it stands with the server. */
export interface SyncState {
  /** `offline`: the server could not be reached; `error`: it answered, and `error` says what. */
  readonly status: 'idle' | 'syncing' | 'offline' | 'error'
  /** Why the last sync did not go through. */
  readonly error: ClientError | undefined
  /** Rows with writes that the server does not have yet. */
  readonly pending: number
  /** Rows of these that wait for a decision. */
  readonly conflicts: number
  /** Writes that the server refused and that nobody has cleared. */
  readonly refused: number
  /** When the last sync went through, in this tab. */
  readonly syncedAt: Date | undefined
}

/** What can be listened to; `value` is the same object until it changes. */
export interface Watched<T> {
  readonly value: T
  /** @returns what ends it */
  subscribe (listener: (value: T) => void): () => void
}

export interface ClientMembers {
  readonly state: Watched<SyncState>
  /** Rows that wait for a decision. */
  readonly conflicts: { list (): Promise<Conflict[]> }
  /** Writes that the server did not take. They were rolled back; here is what they were. */
  readonly refused: { list (): Promise<Refusal[]>, clear (): Promise<void> }
  /** Resolves when the store is open. @throws ClientError OTHER_USER, STORE_NEWER, and what the store throws */
  ready (): Promise<void>
  /**
   * Pushes and pulls now. What was written before the call has gone up when it ends, but for conflicts.
   * @throws ClientError OFFLINE, UNAUTHORIZED, CLIENT_OUTDATED, REQUEST_FAILED
   */
  sync (options?: CallOptions): Promise<void>
  /** Ends everything and closes the store. What waits is sent when it is opened again. */
  close (): Promise<void>
  /** Removes all rows and waiting writes, here and for the other tabs, and closes. */
  signOut (): Promise<void>
}

export type Client<M extends RowTypes<M>> = { readonly [K in keyof M]: ModelApi<M[K]> } & ClientMembers

/**
 * Makes an offline-first client: its models read and write rows that are here, and it agrees with the server whenever
 * there is a line.
 *
 * ```js
 * const client = createClient({
 *   baseUrl: 'https://example.com/api', token: () => sessionStorage.token, user: 'ann',
 *   models: { Note: {} }, store: indexedDbStore({ name: 'notes' })
 * })
 * await client.Note.create({ title: 'milk' })
 * client.Note.live({ order: 'title' }, notes => { render(notes) })
 * ```
 * @throws ClientError BAD_OPTIONS
 */
export function createClient<M extends RowTypes<M>> (options: ClientOptions<M>): Client<M> {
  const core = new Core(options)
  const apis = core.models.map(model => [model.name, modelApi<Row>(core.opened, model, core.wrote)])
  return Object.assign(core.members(), Object.fromEntries(apis)) as unknown as Client<M>
}

const idle: SyncState = { status: 'idle', error: undefined, pending: 0, conflicts: 0, refused: 0, syncedAt: undefined }

class Core {
  readonly models: Model[]
  readonly #names: string[]
  readonly #state = new Observable<SyncState>(idle)
  readonly #end = new AbortController()
  readonly #local: Local
  readonly #background: Background
  readonly #wire: Wire
  readonly #opening: Promise<Local>

  constructor (options: ClientOptions<any>) {
    const { store, automatic = true, version, batch, retry, live = automatic } = options
    this.models = modelsOf(options)
    this.#names = this.models.map(({ name }) => name)
    this.#local = new Local(store, options.name ?? store.name, () => { this.#close().catch(() => {}) })
    this.#wire = {
      local: this.#local,
      transport: new Transport(options, options.timeout ?? 30_000),
      version,
      batch: { push: batch?.push ?? 100, pull: batch?.pull ?? 1_000 }
    }
    const timing = {
      pollInterval: options.pollInterval ?? 60_000,
      retry: { first: retry?.first ?? 1_000, most: retry?.most ?? 300_000 }
    }
    const outcome = {
      started: () => { this.#set({ status: 'syncing' }) },
      ended: async (error?: ClientError) => { await this.#ended(error) }
    }
    const { signal } = this.#end
    this.#background = new Background(
      this.#local.tabs, async signal => { await this.#sync(signal) }, timing, outcome, signal, automatic)
    this.#opening = this.#open(options).then(() => {
      if (live) listen(this.#wire, this.models, timing, signal, this.#background.request)
      this.#background.request()
      return this.#local
    })
    // Anyone who uses the client is told.
    this.#opening.catch(this.#failed)
  }

  opened = async (): Promise<Local> => await this.#opening

  /** The state knows of a write when its caller does. */
  wrote = async (): Promise<void> => {
    await this.#count()
    this.#background.request()
  }

  /** What nobody waits for is told by the state. */
  readonly #failed = (error: unknown): void => {
    this.#set({ status: 'error', error: asClientError(error) })
  }

  members (): ClientMembers {
    const names = this.#names
    return {
      state: this.#state,
      conflicts: { list: async () => await conflictsOf(await this.opened(), names, this.wrote) },
      refused: {
        list: async () => await refusalsOf(await this.opened(), names),
        clear: async () => { await clearRefusals(await this.opened(), names) }
      },
      ready: async () => { await this.opened() },
      sync: async ({ signal } = {}) => {
        await this.opened()
        await this.#background.now(signal)
      },
      close: async () => { await this.#close() },
      signOut: async () => {
        // A store that could not be opened for this user can be wiped nevertheless.
        await this.opened().catch((error: unknown) => { if (!isCode(error, 'OTHER_USER', 'STORE_NEWER')) throw error })
        this.#end.abort()
        await this.#local.wipe()
        await this.#close()
        this.#state.set(idle)
      }
    }
  }

  async #open ({ store, user, version, migrate }: ClientOptions<any>): Promise<void> {
    await store.open()
    const session = await openSession(this.#local, {
      user: user === undefined ? null : String(user), version: version ?? null, models: this.#names, migrate
    })
    this.#local.bind(session)
    this.#local.listen(tables => {
      const isCounted = this.#names.some(name => tables.has(outboxOf(name)) || tables.has(refusedOf(name)))
      if (isCounted || tables.size === 0) this.#count().catch(this.#failed)
    })
    await this.#count()
  }

  /** One model that fails does not keep the others back, unless all would. */
  async #sync (signal: AbortSignal): Promise<void> {
    if (globalThis.navigator?.onLine === false) throw new ClientError('OFFLINE', 'There is no line.')
    let failure: unknown
    for (const step of [pushAll, pullAll]) {
      const isUp = step === pushAll
      for (const model of this.models) {
        try {
          await step(this.#wire, model, signal)
        } catch (error) {
          if (!isCode(error, 'REQUEST_FAILED')) throw error
          failure ??= error
        }
      }
      // Nothing is pulled over rows whose push has no response: `take` sees to that, model by model.
      if (isUp) signal.throwIfAborted()
    }
    if (failure !== undefined) throw failure
  }

  async #ended (error: ClientError | undefined): Promise<void> {
    await this.#count()
    if (error === undefined) this.#set({ status: 'idle', error, syncedAt: new Date() })
    else this.#set({ status: isCode(error, 'OFFLINE') ? 'offline' : 'error', error })
  }

  async #count (): Promise<void> {
    let [pending, conflicts, refused] = [0, 0, 0]
    try {
      for (const name of this.#names) {
        const outbox = await this.#local.all<Pending>(outboxOf(name))
        pending += outbox.size
        for (const { conflict } of outbox.values()) if (conflict !== undefined) conflicts++
        refused += (await this.#local.all(refusedOf(name))).size
      }
    } catch (error) {
      if (isCode(error, 'CLOSED')) return
      throw error
    }
    this.#set({ pending, conflicts, refused })
  }

  #set (changes: Partial<SyncState>): void {
    const before = this.#state.value
    const names = Object.keys(changes) as Array<keyof SyncState>
    if (names.some(name => before[name] !== changes[name])) this.#state.set({ ...before, ...changes })
  }

  async #close (): Promise<void> {
    this.#end.abort()
    await this.#opening.catch(() => {})
    await this.#local.close()
  }
}
