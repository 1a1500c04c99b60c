/** The last changes of a model, by their numbers, for readers that come back. */
import { Change, type ChangeGap } from './change.js'

/** A change, or that some may be missing. */
export type HistoryEntry = Change | ChangeGap

export class ChangeHistory {
  readonly #entries: HistoryEntry[] = []
  readonly #mostChanges: number
  readonly #mostCharacters: number
  #characters = 0
  /**
   * Begins where no other process, and no earlier time of observing, has come to: numbers of those are then known to be
   * lost.
   */
  #sequence = 0

  /**
   * @param mostChanges at least one stays
   * @param mostCharacters of their rows, as JSON
   */
  constructor (mostChanges: number, mostCharacters: number) {
    this.#mostChanges = Math.max(1, mostChanges)
    this.#mostCharacters = mostCharacters
  }

  /** The number of the last change. */
  get sequence (): number {
    return this.#sequence
  }

  /** The number behind which all changes are known. */
  get begin (): number {
    return this.#sequence - this.#entries.length
  }

  reaches (sequence: number): boolean {
    return sequence <= this.#sequence && sequence >= this.begin
  }

  /** What came after a number that is reached; undefined for the last one. */
  after (sequence: number): HistoryEntry | undefined {
    return this.#entries[sequence - this.begin]
  }

  /** Begins anew, with numbers from here on, or from where it was. */
  beginAt (sequence: number): void {
    this.clear()
    this.#sequence = Math.max(this.#sequence + 1, sequence)
  }

  clear (): void {
    this.#entries.length = 0
    this.#characters = 0
  }

  add (entry: HistoryEntry): void {
    this.#sequence++
    this.#entries.push(entry)
    this.#characters += sizeOf(entry)
    while (
      this.#entries.length > this.#mostChanges || (this.#characters > this.#mostCharacters && this.#entries.length > 1)
    ) {
      this.#characters -= sizeOf(this.#entries.shift() as HistoryEntry)
    }
  }
}

/** The row before is about as large as the one after. */
const sizeOf = (entry: HistoryEntry): number =>
  entry instanceof Change ? entry.text.length * (entry.before === undefined ? 1 : 2) : 1
