/** Values by key in the memory of the process. They end with it, also where the connector keeps rows in a file. */
import type { KeyValueSupport, StoredModel } from '@fastback/core'
import { compileGlob } from '@fastback/core/connector'
import { tag, untag } from './tagged.js'

interface Entry {
  /** JSON, so that nobody holds what is stored; dates and buffers come back as such. */
  readonly text: string
  /** Time of its end; Infinity for a key that stays. */
  readonly end: number
}

/** Milliseconds between two looks for keys whose time is over; reading one of them finds that out at once. */
const sweepInterval = 1000

export class MemoryKeyValue implements KeyValueSupport {
  readonly #entries = new Map<string, Map<string, Entry>>()
  #timer: NodeJS.Timeout | undefined

  #of (model: StoredModel): Map<string, Entry> {
    let entries = this.#entries.get(model.name)
    if (entries === undefined) this.#entries.set(model.name, entries = new Map())
    return entries
  }

  #entry (model: StoredModel, key: string): Entry | undefined {
    const entry = this.#of(model).get(key)
    if (entry === undefined || entry.end > Date.now()) return entry
    this.#of(model).delete(key)
    return undefined
  }

  get (model: StoredModel, key: string): unknown {
    const entry = this.#entry(model, key)
    return entry === undefined ? undefined : untag(JSON.parse(entry.text))
  }

  set (model: StoredModel, key: string, value: unknown, ttl: number | undefined): void {
    this.#put(model, key, JSON.stringify(tag(value)), ttl)
  }

  ttl (model: StoredModel, key: string): number | null | undefined {
    const entry = this.#entry(model, key)
    return entry === undefined ? undefined : entry.end === Infinity ? null : entry.end - Date.now()
  }

  expire (model: StoredModel, key: string, ttl: number): boolean {
    const entry = this.#entry(model, key)
    if (entry === undefined) return false
    this.#put(model, key, entry.text, ttl)
    return true
  }

  delete (model: StoredModel, key: string): boolean {
    const found = this.#entry(model, key) !== undefined
    this.#of(model).delete(key)
    return found
  }

  deleteAll (model: StoredModel): void {
    this.#entries.delete(model.name)
  }

  * keys (model: StoredModel, match: string | undefined): Generator<string> {
    const matches = match === undefined ? () => true : compileGlob(match)
    for (const [key, { end }] of this.#of(model)) if (end > Date.now() && matches(key)) yield key
  }

  #put (model: StoredModel, key: string, text: string, ttl: number | undefined): void {
    this.#of(model).set(key, { text, end: ttl === undefined ? Infinity : Date.now() + ttl })
    if (ttl !== undefined) this.#timer ??= setTimeout(() => { this.#sweep() }, sweepInterval).unref()
  }

  /** Forgets what nobody will ask for again; goes on as long as there are keys that end. */
  #sweep (): void {
    this.#timer = undefined
    const now = Date.now()
    let left = false
    for (const entries of this.#entries.values()) {
      for (const [key, { end }] of entries) {
        if (end <= now) entries.delete(key)
        else if (end !== Infinity) left = true
      }
    }
    if (left) this.#timer = setTimeout(() => { this.#sweep() }, sweepInterval).unref()
  }

  close (): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
