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
    text: string
  ) {
    this.#text = text
  }

  readonly #text: string

  /** `data` as JSON: made once, however many streams carry it. */
  get text (): string { return this.#text }
}
