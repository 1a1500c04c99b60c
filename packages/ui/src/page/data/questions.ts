/** Questions that are decided before anything happens: windows over the page, one at a time. */
import { signal, type ReadonlySignal } from '@preact/signals'
import type { ComponentChild } from 'preact'

/** Draws a window; `close` ends it with what was decided, undefined for nothing. */
export type Question<T> = (close: (decision?: T) => void) => ComponentChild

interface Open {
  readonly id: number
  readonly draw: () => ComponentChild
}

export class Questions {
  readonly #open = signal<readonly Open[]>([])
  #count = 0

  get open (): ReadonlySignal<readonly Open[]> { return this.#open }

  /** Shows a window until something is decided. */
  async ask<T> (question: Question<T>): Promise<T | undefined> {
    const id = ++this.#count
    return await new Promise<T | undefined>(resolve => {
      const close = (decision?: T): void => {
        this.#open.value = this.#open.peek().filter(each => each.id !== id)
        resolve(decision)
      }
      this.#open.value = [...this.#open.peek(), { id, draw: () => question(close) }]
    })
  }
}
