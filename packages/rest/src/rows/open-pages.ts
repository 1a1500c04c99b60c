/** Lists that are read page by page, where nothing of the application needs the whole of them. */
import type { OperationOptions, Row, RowPages, SharedMethod } from '@fastback/core'
import { PagedRows } from '@fastback/core/remote'
import { includesInCsv, tooSlow } from '../errors/request-errors.js'
import { hasOwnFunctions } from '../handlers/direct.js'
import type { RemoteRoute } from '../handlers/remote-route.js'
import type { RemoteContext } from '../hooks/context.js'
import type { RowFormat } from './row-encoding.js'

/** The result of a method whose rows are still to be read, but for the first of them. */
export class PagedResult {
  /**
   * @param deadline when the last row must be on its way, as `performance.now()` says it
   * @param seconds what that is from the beginning
   */
  constructor (readonly pages: RowPages, readonly deadline: number, readonly seconds: number) {}
}

/**
 * The rows of a call, page by page; undefined where a hook after the method, a phase or a function of the application
 * has to do with the whole list, and where the rows of a relation come by way of others.
 *
 * ```js
 * context.result = await openPages(route, context, 'csv') ?? await wholeList()
 * ```
 * @throws RequestError 400 for what cannot be read or takes too long
 */
export async function openPages (
  { method, hooks, streaming, settings: { phases } }: RemoteRoute, context: RemoteContext, format: RowFormat
): Promise<PagedResult | undefined> {
  if (format === 'csv') mustBeFlat(context.args.filter)
  if (streaming === undefined || !phases.isPlain || hasOwnFunctions(method)) return undefined
  if (hooks.after.length > 0 || method.rest.after.length > 0) return undefined
  const { rows, seconds, pageSize } = streaming
  const deadline = performance.now() + 1_000 * seconds
  const pages = await pagesOf(method, context, { rows, pageSize, includes: format !== 'csv' })
  if (pages === undefined) return undefined
  if (performance.now() > deadline) throw tooSlow(seconds)
  return new PagedResult(pages, deadline, seconds)
}

type Settings = Parameters<typeof PagedRows.open>[3]

function pagesOf (
  { builtin, model, relation: name, name: methodName, nested }: SharedMethod, context: RemoteContext, settings: Settings
): Promise<RowPages> | undefined {
  const { filter, options } = context.args as { filter?: { distinct?: unknown } | null, options: OperationOptions }
  // Values in place of rows are no more than a response has.
  if (filter?.distinct !== undefined) return undefined
  if (builtin === 'find') return PagedRows.open(model.compiled, filter, options, settings)
  if (name === undefined || nested !== undefined || methodName !== `__get__${name}`) return undefined
  return model.compiled.relations.get(name)?.pages?.(context.instance as Row, filter, options, settings)
}

/** @throws RequestError 400 INCLUDE_IN_CSV: a line has no place for related rows */
function mustBeFlat (filter: unknown): void {
  const { include } = (filter ?? {}) as { include?: unknown }
  const asked = typeof include === 'object' && include !== null ? Object.keys(include).length > 0 : Boolean(include)
  if (asked) throw includesInCsv()
}
