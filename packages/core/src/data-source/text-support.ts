/** What a store offers that writes JSON text of rows itself. */
import type { Condition, ConditionValue, Query, Selection } from '../query/ast.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Row } from '../properties/types.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Id, StoreOptions } from './connector.js'

/** Answers as finished JSON text, for operations whose rows nothing in JavaScript needs (architecture §7). */
export interface TextSupport {
  /** A JSON array of the rows. */
  find(model: StoredModel, query: Query, options: StoreOptions): MaybePromise<string>
  /** A JSON object, or undefined when there is no such row. */
  findById(model: StoredModel, id: Id, select: Selection, options: StoreOptions): MaybePromise<string | undefined>
  /** The same, where the row is one of those that a condition leaves. Without it anyone who asks looks with `find`. */
  findByIdWhere? (
    model: StoredModel, id: Id, where: Condition, select: Selection, options: StoreOptions
  ): MaybePromise<string | undefined>
  /** Like `updateById`, answering the row's selected properties as JSON. */
  updateById(
    model: StoredModel,
    id: Id,
    changes: Row,
    select: Selection,
    options: StoreOptions
  ): MaybePromise<string | undefined>
  /**
   * Rows as pairs of join keys and JSON text, for include: `keys[i]` are the values of the properties `keyNames` of row
   * i (whether selected or not), `texts[i]` its JSON object.
   */
  findKeyed(
    model: StoredModel,
    query: Query,
    keyNames: readonly string[],
    options: StoreOptions
  ): MaybePromise<{ keys: ConditionValue[][]; texts: string[] }>
  /**
   * Rows as JSON text, each with what stands beside it, for stores that write all of it in one text. Undefined where
   * there is a row that the store does not write as JavaScript does.
   */
  findBeside? (
    model: StoredModel, query: Query, beside: AttachedRow, options: StoreOptions
  ): MaybePromise<RowsWithAttached | undefined>
  /**
   * Rows as JSON text, each with the text of rows of other models that belong to it, read in one step. Undefined where
   * that cannot be (keys that the store does not compare as JavaScript does, a row that it does not write so) or would
   * be no gain, and where one row has more of them than `share`: anyone who asks then reads model by model.
   */
  findIncluding? (
    model: StoredModel, query: Query, belonging: readonly Belonging[], share: Share, options: StoreOptions
  ): MaybePromise<RowsIncluding | undefined>
}

/** Rows of another model, each of which belongs to a row, and says to which. */
export interface AttachedRow {
  readonly model: StoredModel
  /** Its property that is the id of the row, as text. One row has at most one beside it. */
  readonly by: string
  /** What is wanted of it. */
  readonly property: string
  /** What stands before the JSON of a row's id, before that of what is wanted, before that of the row, and after it. */
  readonly around: readonly [string, string, string, string]
  /** Properties that no row itself may lack. */
  readonly present: readonly string[]
}

/** Rows with what stands beside them. */
export interface RowsWithAttached {
  /** Of each its id, what is wanted (`null` where nothing stands beside it) and itself, with the texts around them. */
  readonly texts: readonly string[]
  /** The largest id; undefined where there are no rows. */
  readonly last: ConditionValue | undefined
}

/** Rows of another model, kept where this one is, that belong to a row: `childKey` of theirs is `parentKey` of its. */
export interface Belonging {
  readonly model: StoredModel
  readonly parentKey: string
  readonly childKey: string
  /** Which of those that belong to a row, in which order, and what is selected of them. It includes nothing. */
  readonly query: Query
  /** Whether all of them are wanted, or the first. */
  readonly multiple: boolean
}

/** What the rows that belong to one row may come to at most, each model's by itself. */
export interface Share {
  readonly rows: number
  /** Of their text; a store may count bytes. */
  readonly characters: number
}

/** Rows with those that belong to them. */
export interface RowsIncluding {
  /** Of each row its JSON object. */
  readonly texts: string[]
  /** For each row what belongs to it, in the order of the models that were asked for; undefined where nothing does. */
  readonly belonging: ReadonlyArray<ReadonlyArray<RowTexts | undefined>>
}

/** The JSON objects of rows, with commas in between. */
export interface RowTexts { readonly text: string, readonly rows: number }
