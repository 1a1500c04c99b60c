/** What the command palette offers: each part of the page adds what it can do. */
import { signal, type ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { IconName } from './components/icon-names.js'
import { useUi } from './ui.js'

export interface Command {
  /** Unique within the page: `data Note`. */
  readonly id: string
  readonly title: string
  /** What kind of thing it leads to: `Data`, `API`. */
  readonly group: string
  readonly icon: IconName
  readonly run: () => void
}

/** Gives commands when somebody looks for one: there may be a thousand of them. */
export type CommandSource = () => readonly Command[]

export class Commands {
  readonly #isOpen = signal(false)
  readonly #sources = new Set<CommandSource>()

  get isOpen (): ReadonlySignal<boolean> { return this.#isOpen }

  get all (): readonly Command[] {
    return [...this.#sources].flatMap(source => source())
  }

  open (): void { this.#isOpen.value = true }
  close (): void { this.#isOpen.value = false }

  /** @returns takes it away */
  add (source: CommandSource): () => void {
    this.#sources.add(source)
    return () => { this.#sources.delete(source) }
  }
}

/** Offers commands while a component is there. */
export function useCommands (source: CommandSource): void {
  const { commands } = useUi()
  useEffect(() => commands.add(source))
}
