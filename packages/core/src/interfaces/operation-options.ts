/** The options of an operation. */
import { INCLUDE_PATH, type IncludePath } from '../query/include-path.js'
import { CALLER, WORK, type Caller, type Work } from '../query/work.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Row } from '../properties/types.js'
import type { IncludeGuard, MethodRights, RowGuard } from './include-guard.js'
import type { Deletion, Id } from '../data-source/connector.js'
import type { RowRules } from './row-rules.js'

/** Where the options of an operation say who asks; undefined: code of the application. */
export const ORIGIN = Symbol.for('fastback.origin')

/** Where the options of an operation say that it is part of a request that only reads. */
export const READING = Symbol.for('fastback.reading')

/**
 * Where the options of an operation say that its request came over a socket, and so had begun to arrive before the turn
 * of the event loop in which it is answered.
 */
export const BY_SOCKET = Symbol.for('fastback.bySocket')

/** Where the options of an operation have the id of its request (Fastify's `request.id`). */
export const REQUEST_ID = Symbol.for('fastback.requestId')

/** Where the options of an operation say which delete it is a part of. */
export const DELETION = Symbol('fastback.deletion')

/** Where the options of an operation want to be told the cursors of the page that it reads. */
export const PAGE_ENDS = Symbol.for('fastback.pageEnds')

/** Where the options of an operation want to be told the row that it gives, before its JSON is written. */
export const ROW_SEEN = Symbol.for('fastback.rowSeen')

/** Where the options of a read by id say that the client has some version of the row, most likely this one. */
export const ROW_KNOWN = Symbol.for('fastback.rowKnown')

/**
 * Is told the row of a response, or what is known of it: its version is, where its model has one.
 * @returns whether the client has its text already, so that none need be written
 */
export type RowSeen = (model: StoredModel, row: Readonly<Row>) => boolean

/** The cursors of a page; undefined where nothing lies beyond. */
export interface PageEnds {
  next?: string | undefined
  prev?: string | undefined
}

/** Where the options of an operation have the values that were validated in another form (`operations/settled.ts`). */
export const SETTLED = Symbol('fastback.settled')

/** Where the options of a write have what its data were judged by (`operations/looked-at.ts`). */
export const LOOKED_AT = Symbol('fastback.lookedAt')

/** A row by which data of a client were judged. */
export interface LookedAt {
  readonly model: StoredModel
  readonly id: Id
  /** As it was. */
  readonly stored: Readonly<Row>
  /** As they were judged. */
  readonly data: Readonly<Row>
  /** The properties that it decides about. */
  readonly names: readonly string[]
}

/**
 * `caller`: the filter and the data are as somebody outside wrote them. `framework`: a query of the framework's own for
 * somebody outside, such as the rows that join two models; it may name anything, and its cost is still the request's.
 */
export type Origin = 'caller' | 'framework'

/** Options of an operation, handed through to hooks as `ctx.options`. Unknown keys are the application's own. */
export interface OperationOptions {
  transaction?: unknown
  /** LoopBack's option: hidden properties may not be named in queries. Who asks is told by `ORIGIN`. */
  prohibitHiddenPropertiesInQuery?: boolean
  prohibitProtectedPropertiesInQuery?: boolean | undefined
  /** In place of the model's setting, as the next two. */
  maxDepthOfQuery?: number | undefined
  allowExtendedOperators?: boolean | undefined
  /** Whether a filter of code in the process is not checked for its depth, circles and `$` operators. */
  disableSanitize?: boolean | undefined
  maxDepthOfData?: number | undefined
  /**
   * Of one row of a model with `version`: it is changed, replaced or deleted only if it has this version, else
   * VERSION_CONFLICT. With null, `updateOrCreate` and `replaceOrCreate` make a row, and change none. Hooks are not
   * handed it on.
   */
  ifVersion?: number | null | undefined
  /** Leaves validations out. */
  skipValidation?: boolean
  validate?: boolean
  /**
   * With a list that code creates: whether all of it is stored or nothing. Default: the setting `atomicCreate`, which
   * is true. False: the good rows are stored, and the operation rejects with the errors, a list by position.
   */
  atomic?: boolean | undefined
  /** Leaves operation hooks out (used by `notify: false` calls of LoopBack applications). */
  notify?: boolean
  accessToken?: unknown
  /**
   * Of a data source with replicas. True: the primary answers. False: a replica may, with at least what the session of
   * the operation wrote. Default: false in a request with GET or HEAD, else true.
   */
  primary?: boolean | undefined
  /** Of a data source with replicas: whose operation it is. Default: the user of `accessToken`. */
  session?: unknown
  /** What the caller may see through include; undefined: everything. */
  includeGuard?: IncludeGuard | undefined
  /** What the caller may do to single rows, for methods over many rows; undefined: everything. */
  rowGuard?: RowGuard | undefined
  /** Which rows and properties the rules leave to the caller; undefined: everything. */
  rowRules?: RowRules | undefined
  /** What the rules allow the caller by name, beside methods; undefined: nothing. */
  methodRights?: MethodRights | undefined
  /** The delete that rows are put away by, where rows go along with others. */
  [DELETION]?: Deletion | undefined
  /** Whether somebody outside asks (`operations/origin.ts`); undefined: code of the application. */
  [ORIGIN]?: Origin | undefined
  /** Whether a request asks that only reads (`primary`). */
  [READING]?: boolean
  /** Whether the request came over a socket (`StoreOptions.ofThisTick`). */
  [BY_SOCKET]?: boolean
  /** The request that waits for the response: work for a client that has gone is not finished. */
  [CALLER]?: Caller | undefined
  /** The id of the request. */
  [REQUEST_ID]?: string | undefined
  /** What the request may still cost; set by the first operation of a request that can be costly. */
  [WORK]?: Work | undefined
  /** What is told the cursors of the page, where the filter asks for them. */
  [PAGE_ENDS]?: PageEnds | undefined
  /** What is told the one row of the response, of a model with `version`. */
  [ROW_SEEN]?: RowSeen | undefined
  /** With `ROW_SEEN`: whether the version is to be looked at before the row. Default: no. */
  [ROW_KNOWN]?: boolean
  /** By property: the value that its validations have seen already. */
  [SETTLED]?: ReadonlyMap<string, unknown>
  /** What the data of this write were judged by; undefined: nothing of the row. */
  [LOOKED_AT]?: LookedAt | undefined
  /** The relations that led to this query of an include from outside. */
  [INCLUDE_PATH]?: IncludePath | undefined
  [key: string]: unknown
}
