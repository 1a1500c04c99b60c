/** The rows of a live query at one moment, and how to get there from others. */
import { changesBetween, textOfChanges, type LiveRow } from './row-changes.js'

/** Numbers of rows that a query keeps for those who come back, all of its moments together. */
const mostRows = 16_384
const mostMoments = 100
/** Characters that former rows may have in any case; beyond, no more than the rows of now (security.md, S-205). */
const fewCharacters = 8_192

export class Snapshot {
  #changes = new WeakMap<Snapshot, string>()
  #text: string | undefined

  /** @param id what readers come back with */
  constructor (readonly id: string, readonly rows: readonly LiveRow[], readonly madeAt: number) {}

  /** All rows as JSON. Made once, however many read it. */
  get text (): string {
    return (this.#text ??= `[${this.rows.map(({ text }) => text).join(',')}]`)
  }

  /** The steps from another moment, as JSON; undefined where the rows are the same. */
  changesFrom (before: Snapshot): string | undefined {
    let text = this.#changes.get(before)
    if (text === undefined) {
      const changes = changesBetween(before.rows, this.rows)
      text = changes.length === 0 ? '' : textOfChanges(changes)
      this.#changes.set(before, text)
    }
    return text === '' ? undefined : text
  }

  /** Is called when there is another moment: what was written out for all readers is as long as all rows. */
  supersede (): void {
    this.#text = undefined
    this.#changes = new WeakMap()
  }

  /** Whether the rows are those of the other moment. */
  hasSame (rows: readonly LiveRow[]): boolean {
    return rows.length === this.rows.length && rows.every((row, i) => {
      const own = this.rows[i] as LiveRow
      return row === own || (row.key === own.key && row.text === own.text)
    })
  }
}

/** A moment of before, and how many characters its rows have that no later one has. */
interface Former { readonly snapshot: Snapshot, readonly characters: number }

/** The last moments of a live query. */
export class Snapshots {
  readonly #epoch = Math.random().toString(36).slice(2, 12)
  #number = 0
  readonly #former: Former[] = []
  /** Characters of rows that former moments alone have. */
  #characters = 0
  #last: Snapshot | undefined

  /** @returns the moment of now: the last one where the rows are the same */
  add (given: readonly LiveRow[]): Snapshot {
    const last = this.#last
    if (last?.hasSame(given) === true) return last
    const rows = sharedRows(given, last?.rows ?? [])
    const made = new Snapshot(`${this.#epoch}.${++this.#number}`, rows, performance.now())
    this.#last = made
    if (last === undefined) return made
    last.supersede()
    const there = new Set(rows)
    const characters = lengthOf(last.rows.filter(row => !there.has(row)))
    this.#former.push({ snapshot: last, characters })
    this.#characters += characters
    this.#forget(rows)
    return made
  }

  find (id: string): Snapshot | undefined {
    return this.#last?.id === id ? this.#last : this.#former.find(({ snapshot }) => snapshot.id === id)?.snapshot
  }

  #forget (rows: readonly LiveRow[]): void {
    const most = Math.max(1, Math.min(mostMoments, Math.floor(mostRows / (rows.length + 1))) - 1)
    const mostCharacters = Math.max(fewCharacters, lengthOf(rows))
    while (this.#former.length > most || this.#characters > mostCharacters) {
      this.#characters -= this.#former.shift()?.characters ?? 0
    }
  }
}

const lengthOf = (rows: readonly LiveRow[]): number => rows.reduce((sum, { text }) => sum + text.length, 0)

/** The rows by themselves, as they may hang on more than is shown of them; those of before where these are the same. */
function sharedRows (rows: readonly LiveRow[], before: readonly LiveRow[]): LiveRow[] {
  const known = new Map(before.map(row => [row.key, row]))
  return rows.map(({ key, text }) => {
    const was = known.get(key)
    return was?.text === text ? was : { key, text }
  })
}
