/** The definitions of the application's models, read once for the whole part, and again after a change. */
import { signal, type ReadonlySignal } from '@preact/signals'
import type { Definitions } from '../../contracts/models.js'
import type { Ui } from '../ui.js'

class DefinitionsStore {
  readonly #value = signal<Definitions | undefined>(undefined)
  readonly #error = signal<Error | undefined>(undefined)
  #reading: Promise<void> | undefined

  constructor (private readonly ui: Ui) {
    ui.token.onChange(() => { this.reload() })
  }

  get value (): ReadonlySignal<Definitions | undefined> { return this.#value }
  get error (): ReadonlySignal<Error | undefined> { return this.#error }

  /** Reads them, unless they are there or being read. */
  load (): void {
    if (this.#value.peek() === undefined && this.#reading === undefined) this.reload()
  }

  reload (): void {
    const reading = this.ui.server.get<Definitions>('definitions.json').then(
      value => {
        if (this.#reading !== reading) return
        this.#value.value = value
        this.#error.value = undefined
      },
      (error: Error) => { if (this.#reading === reading) this.#error.value = error }
    ).finally(() => { if (this.#reading === reading) this.#reading = undefined })
    this.#reading = reading
  }
}

export const definitionsOf = (ui: Ui): DefinitionsStore => ui.slot('definitions', () => new DefinitionsStore(ui))
