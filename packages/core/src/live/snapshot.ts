/** The rows of a live query at one moment, and how to get there from others. */
import { changesBetween, textOfChanges, type LiveRow } from './row-changes.js'

/** Numbers of rows that a query keeps for those who come back, all of its moments together. */
const mostRows = 16_384
const mostMoments = 100

export class Snapshot {
  readonly #changes = new WeakMap<Snapshot, string>()
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

  /** Whether the rows are those of the other moment. */
  hasSame (rows: readonly LiveRow[]): boolean {
    return rows.length === this.rows.length && rows.every((row, i) => {
      const own = this.rows[i] as LiveRow
      return row === own || (row.key === own.key && row.text === own.text)
    })
  }
}

/** The last moments of a live query. */
export class Snapshots {
  readonly #epoch = Math.random().toString(36).slice(2, 12)
  #number = 0
  readonly #list: Snapshot[] = []

  /** @returns the moment of now: the last one where the rows are the same */
  add (rows: readonly LiveRow[]): Snapshot {
    const last = this.#list.at(-1)
    if (last?.hasSame(rows) === true) return last
    const made = new Snapshot(`${this.#epoch}.${++this.#number}`, rows, performance.now())
    this.#list.push(made)
    const most = Math.max(2, Math.min(mostMoments, Math.floor(mostRows / (rows.length + 1))))
    if (this.#list.length > most) this.#list.splice(0, this.#list.length - most)
    return made
  }

  find (id: string): Snapshot | undefined {
    return this.#list.find(each => each.id === id)
  }
}
