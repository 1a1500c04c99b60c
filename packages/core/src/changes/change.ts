import type { Row } from '../properties/types.js'

/**
 * One changed row. `data` has no hidden properties; removals carry the row as it was, so that conditions can be applied
 * to it.
 *
 * ```js
 * for await (const change of createChangeStream(Note)) {
 *   if (change instanceof Change) console.log(change.type, change.target, change.data)
 * }
 * ```
 */
export class Change {
  constructor (
    /** Grows with every change of the feed; the id of the event for `Last-Event-ID`. */
    readonly sequence: number,
    readonly type: 'create' | 'update' | 'remove',
    /** The row's id. */
    readonly target: unknown,
    readonly data: Row,
    text: string,
    /** Of an update: the row as it was, without hidden properties; undefined where the write did not know it. */
    readonly before?: Row
  ) {
    this.#text = text
  }

  readonly #text: string

  /** This update as it looks to who watches rows that the row is no longer among. */
  get departure (): Change {
    return new Change(this.sequence, 'remove', this.target, this.before ?? this.data, this.#text)
  }

  /** `data` as JSON: made once, however many streams carry it. */
  get text (): string { return this.#text }
}

/**
 * Stands in a stream for changes that are lost: the reader has to look at the rows themselves.
 *
 * ```js
 * for await (const change of createChangeStream(Note, { after: 41 })) {
 *   if (change instanceof ChangeGap) await readAllRowsAgain()
 * }
 * ```
 */
export class ChangeGap {}

/**
 * A word in a stream of events that is none of its objects: the name of the event, and what it says.
 *
 * ```js
 * stream.push(new StreamSignal('changed')) // event: changed, data: {}
 * ```
 */
export class StreamSignal {
  constructor (readonly event: string, readonly data: Readonly<Record<string, unknown>> = {}) {}
}
