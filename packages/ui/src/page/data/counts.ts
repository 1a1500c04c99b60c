/** How many rows models have, for those who may count them: asked when somebody looks, a few at a time. */
import { signal, type Signal } from '@preact/signals'
import type { Api } from '../api/client.js'
import type { DataModel } from './models/models.js'

/** Requests at a time. */
const most = 2

export class Counts {
  readonly #counts = new Map<string, Signal<number | undefined>>()
  readonly #wanted = new Map<string, DataModel>()
  readonly #known = new Set<string>()
  readonly #version = signal(0)
  #running = 0

  constructor (private readonly api: Api) {}

  /** The number; undefined while it is not known. Reading it asks for it. */
  of (model: DataModel): number | undefined {
    const count = this.#of(model.name)
    this.#version.value satisfies number
    if (!this.#known.has(model.name) && model.count !== undefined) {
      this.#known.add(model.name)
      this.#wanted.set(model.name, model)
      this.#next()
    }
    return count.value
  }

  /** What is known is so no longer: of one model, or of all. It is shown until there is news. */
  forget (name?: string): void {
    if (name === undefined) {
      this.#known.clear()
      for (const count of this.#counts.values()) count.value = undefined
    } else this.#known.delete(name)
    this.#version.value++
  }

  #of (name: string): Signal<number | undefined> {
    const found = this.#counts.get(name) ?? signal<number | undefined>(undefined)
    this.#counts.set(name, found)
    return found
  }

  #next (): void {
    const [first] = this.#wanted
    if (first === undefined || this.#running >= most) return
    const [name, model] = first
    this.#wanted.delete(name)
    this.#running++
    this.#ask(model)
      .then(count => { this.#of(name).value = count }, () => { this.#of(name).value = undefined })
      .finally(() => {
        this.#running--
        this.#next()
      })
    this.#next()
  }

  async #ask (model: DataModel): Promise<number | undefined> {
    if (!this.api.may(model.count)) return undefined
    const { value } = await this.api.call(model.count)
    const { count } = value as { readonly count?: unknown }
    return typeof count === 'number' ? count : undefined
  }
}
