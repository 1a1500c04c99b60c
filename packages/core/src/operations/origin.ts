/**
 * Who asks: somebody outside, over a transport, or code of the application. Limits, hidden names and the budget of a
 * request bind the former only (security.md, S-13, S-74). The mark is a symbol, so that no body, query or option of a
 * client can set it or take it off; copies of the options keep it.
 */
import {
  BY_SOCKET, LOOKED_AT, ORIGIN, READING, REQUEST_ID, type OperationOptions
} from '../interfaces/operation-options.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { CALLER, WORK, type Caller, type Work } from '../query/work.js'

/**
 * Whether the operation is part of a request from outside.
 *
 * ```js
 * Note.observe('before save', async ctx => {
 *   if (isRemote(ctx.options)) ctx.instance.source = 'web'
 * })
 * ```
 */
export const isRemote = (options: OperationOptions): boolean => options[ORIGIN] !== undefined

/**
 * Whether the filter is as somebody outside wrote it.
 *
 * ```js
 * isFromCaller(asRemote({})) // true
 * ```
 */
export const isFromCaller = (options: OperationOptions): boolean => options[ORIGIN] === 'caller'

/**
 * Options for what is asked of related rows: from outside, protected properties may not be asked about either
 * (security.md, S-12).
 *
 * ```js
 * parseFilter(Book.compiled, scope, parseOptions(Book.compiled, relatedOptions(options)))
 * ```
 */
export const relatedOptions = (options: OperationOptions): OperationOptions =>
  isFromCaller(options) ? { ...options, prohibitProtectedPropertiesInQuery: true } : options

/** What a transport knows of a request. */
export interface RemoteCall {
  readonly accessToken?: unknown
  readonly authorizedRoles?: unknown
  readonly includeGuard?: OperationOptions['includeGuard'] | null
  readonly rowGuard?: OperationOptions['rowGuard'] | null
  readonly rowRules?: OperationOptions['rowRules'] | null
  readonly methodRights?: OperationOptions['methodRights'] | null
  /** Levels of a filter. */
  readonly maxDepthOfQuery?: number | undefined
  /** Levels of the data of a row. */
  readonly maxDepthOfData?: number | undefined
  /** Whether the request only reads: replicas of a store may answer it. */
  readonly reads?: boolean | undefined
  /**
   * Whether the request came over a socket. One that code of this process makes up (`inject`) may come in the turn of
   * the event loop in which that code has changed the data.
   */
  readonly bySocket?: boolean | undefined
  /** The id of the request, which the log has as well. */
  readonly requestId?: string | undefined
  /** Who waits for the response: Node's `IncomingMessage`. */
  readonly caller?: Caller | undefined
  /** The budget that it takes part in. Default: one of its own. */
  readonly work?: Work | undefined
}

/**
 * Options of an operation that somebody outside asks for, as applications see them in `ctx.options`.
 *
 * All members stand there from the start, also those that are set later: a copy that gains a member costs V8 most of a
 * microsecond, one that changes a member next to nothing.
 *
 * ```js
 * Book.find(filter, remoteOptions({ accessToken: request.accessToken, caller: request.raw }))
 * ```
 */
export const remoteOptions = (call: RemoteCall): OperationOptions => ({
  accessToken: call.accessToken ?? undefined,
  prohibitHiddenPropertiesInQuery: true,
  prohibitProtectedPropertiesInQuery: undefined,
  maxDepthOfQuery: call.maxDepthOfQuery,
  maxDepthOfData: call.maxDepthOfData,
  authorizedRoles: call.authorizedRoles ?? undefined,
  includeGuard: call.includeGuard ?? undefined,
  rowGuard: call.rowGuard ?? undefined,
  rowRules: call.rowRules ?? undefined,
  methodRights: call.methodRights ?? undefined,
  [ORIGIN]: 'caller',
  [READING]: call.reads === true,
  [BY_SOCKET]: call.bySocket === true,
  [CALLER]: call.caller,
  [REQUEST_ID]: call.requestId,
  [WORK]: call.work,
  [LOOKED_AT]: undefined,
  [INCLUDE_PATH]: undefined
})

/**
 * The options for what somebody outside asks.
 *
 * ```js
 * const rows = await findRows(Note.compiled, request.query.filter, asRemote({}))
 * ```
 */
export const asRemote = (options: OperationOptions): OperationOptions =>
  ({ ...options, prohibitHiddenPropertiesInQuery: true, [ORIGIN]: 'caller' })

/**
 * The options for a query that has nothing from outside in it. Data that is written with it may.
 *
 * ```js
 * const rows = await findRows(Note.compiled, { where: { secret: key } }, asInternal(ctx.options))
 * ```
 */
export function asInternal (options: OperationOptions): OperationOptions {
  if (options[ORIGIN] === undefined && options.prohibitHiddenPropertiesInQuery !== true) return options
  return {
    ...options,
    prohibitHiddenPropertiesInQuery: false,
    prohibitProtectedPropertiesInQuery: false,
    [ORIGIN]: options[ORIGIN] === undefined ? undefined : 'framework'
  }
}

/**
 * The options for what the application asks on its own account: nothing of it is the caller's any more.
 *
 * ```js
 * const author = await Author.findById(note.authorId, undefined, asApplication(ctx.options))
 * ```
 */
export const asApplication = (options: OperationOptions | undefined): OperationOptions =>
  ({
    ...options,
    prohibitHiddenPropertiesInQuery: false,
    prohibitProtectedPropertiesInQuery: false,
    rowRules: undefined,
    [LOOKED_AT]: undefined,
    [ORIGIN]: undefined
  })
