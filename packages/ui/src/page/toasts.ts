/** What happened, told in passing: the last messages, the newest one last. */
import { signal, type ReadonlySignal } from '@preact/signals'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
  /** What may be done about it, such as "Undo". */
  readonly action?: { readonly label: string, readonly run: () => void } | undefined
}

/** Milliseconds that a message stays; one about a failure, or with something to do, stays longer. */
const short = 5000
const long = 12_000

/** Messages that are there at a time. */
const most = 4

export class Toasts {
  readonly #shown = signal<readonly Toast[]>([])
  #count = 0

  get shown (): ReadonlySignal<readonly Toast[]> { return this.#shown }

  /** Tells what was done. */
  tell (text: string, action?: Toast['action']): void {
    this.#add({ text, kind: 'good', action })
  }

  /** Tells of a failure that no part of a view shows. */
  fail (error: unknown): void {
    this.#add({ text: error instanceof Error ? error.message : String(error), kind: 'bad' })
  }

  close (id: number): void {
    this.#shown.value = this.#shown.peek().filter(toast => toast.id !== id)
  }

  #add (toast: Omit<Toast, 'id'>): void {
    const id = ++this.#count
    this.#shown.value = [...this.#shown.peek(), { ...toast, id }].slice(-most)
    window.setTimeout(() => { this.close(id) }, toast.kind === 'bad' || toast.action !== undefined ? long : short)
  }
}
