/** What the tabs of one store do together: one works at a time, and all are told what changed (SYD-32). */
import { unref } from './timers.js'

export class Tabs {
  readonly #channel: BroadcastChannel | undefined
  readonly #name: string
  #last: Promise<unknown> = Promise.resolve()

  constructor (name: string, onChange: (tables: readonly string[]) => void) {
    this.#name = `fastback:${name}`
    if (typeof BroadcastChannel === 'undefined') return
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }: MessageEvent<string[]>) => { onChange(data) }
    unref(this.#channel)
  }

  tell (tables: readonly string[]): void {
    this.#channel?.postMessage(tables)
  }

  /**
   * Runs work while no other tab runs work of that name. Where there are no Web Locks (Node, pages without TLS), while
   * this client does not: the store and the keys of pushes bear several at once.
   */
  async alone<T> (what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { locks } = globalThis.navigator ?? {} as Partial<Navigator>
    if (locks !== undefined) return await locks.request(`${this.#name}:${what}`, { signal }, work) as T
    const own = this.#last.then(async () => {
      signal.throwIfAborted()
      return await work()
    })
    this.#last = own.catch(() => {})
    return await own
  }

  /** Runs work in one of the tabs at a time, until it ends: the others take over then. Without Web Locks in all. */
  async lead (signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const { locks } = globalThis.navigator ?? {} as Partial<Navigator>
    if (locks === undefined) await work()
    else await locks.request(`${this.#name}:live`, { signal }, work)
  }

  close (): void { this.#channel?.close() }
}
