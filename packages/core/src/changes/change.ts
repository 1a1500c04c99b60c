import type { Row } from '../properties/types.js'

/** What only judges of a change see: rows with their hidden properties. */
export interface UnfilteredRows {
  /** The row after the change (removals: as it was). Default: `data`. */
  readonly row?: Row
  /** Of an update: the row before it. Default: `before`. */
  readonly before?: Row | undefined
  /** Whether hidden properties of what was there before are missing, as another process has told of it. */
  readonly isPartial?: boolean
}

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
  readonly #text: string
  readonly #whole: UnfilteredRows

  constructor (
    /** Grows with every change of the feed; the id of the event for `Last-Event-ID`. */
    readonly sequence: number,
    readonly type: 'create' | 'update' | 'remove',
    /** The row's id. */
    readonly target: unknown,
    readonly data: Row,
    text: string,
    /** Of an update: the row as it was, without hidden properties; undefined where the write did not know it. */
    readonly before?: Row,
    whole: UnfilteredRows = {}
  ) {
    this.#text = text
    this.#whole = whole
  }

  /**
   * What `judge` says of the row with its hidden properties, which nobody else gets to see.
   *
   * ```js
   * const isMine = change.ask(row => row.userId === 7)
   * ```
   */
  ask<T> (judge: (row: Row) => T): T {
    return judge(this.#whole.row ?? this.data)
  }

  /** The same of the row before an update; undefined where that is not known. */
  askBefore<T> (judge: (row: Row) => T): T | undefined {
    const before = this.#whole.before ?? this.before
    return before === undefined ? undefined : judge(before)
  }

  /** Whether `ask` of a removal, and `askBefore`, judge by a row whose hidden properties are not known. */
  get isPartial (): boolean { return this.#whole.isPartial === true }

  /** This update as it looks to who watches rows that the row is no longer among. */
  get departure (): Change {
    const { row, before, isPartial = false } = this.#whole
    const was = this.before ?? this.data
    return new Change(this.sequence, 'remove', this.target, was, this.#text, undefined, {
      row: before ?? this.before ?? row ?? was,
      isPartial
    })
  }

  /** This update as it looks to who did not see the row before. */
  get arrival (): Change {
    return new Change(this.sequence, 'create', this.target, this.data, this.#text, undefined, {
      row: this.#whole.row ?? this.data
    })
  }

  /**
   * This change with less of its row.
   * @param data what is left of the row
   * @param text the same as JSON
   */
  showing (data: Row, text: string): Change {
    return new Change(this.sequence, this.type, this.target, data, text, undefined, {
      row: this.#whole.row ?? this.data,
      before: this.#whole.before ?? this.before,
      isPartial: this.isPartial
    })
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
  readonly #data: Readonly<Record<string, unknown>>

  /** @param id with which a reader comes back */
  constructor (readonly event: string, data: Readonly<Record<string, unknown>> = {}, readonly id?: string) {
    this.#data = data
  }

  get data (): Readonly<Record<string, unknown>> { return this.#data }

  /** `data` as JSON. */
  get text (): string { return JSON.stringify(this.data) }
}

/**
 * An event of a live query: `rows` has all of them, `changes` the steps from those that the event before has left.
 *
 * ```js
 * for await (const { event, data } of await openLiveQuery(Note, { order: 'title' })) {
 *   if (event === 'rows') show(data.rows)
 * }
 * ```
 */
export class LiveEvent extends StreamSignal {
  readonly #text: string

  /** @param list what it has, as JSON */
  constructor (event: 'rows' | 'changes', id: string, list: string) {
    super(event, undefined, id)
    this.#text = `{"${event}":${list}}`
  }

  override get data (): Readonly<Record<string, unknown>> {
    return JSON.parse(this.#text) as Record<string, unknown>
  }

  override get text (): string { return this.#text }
}
