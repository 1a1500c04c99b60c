/**
 * What rules let a caller read of a model at one moment, for what goes on after a request: streams, and clients that
 * come back for what has changed.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { RowRule } from '../interfaces/row-rules.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Condition } from '../query/ast.js'
import { resolving } from './access-condition.js'
import { hasRelated, resolveRelated } from './related-conditions.js'
import { ruleOf } from './row-rules.js'

/** What rules leave to be read. */
export interface RuleView {
  readonly rule: RowRule
  /** Its rows, as a condition that can be tested row by row: related rows were looked at. */
  readonly rows: Condition | undefined
  /** Another one where the caller may read other rows than before, other than by the passing of time. */
  readonly key: string
}

/**
 * What the rules of the caller leave of a model; undefined: everything.
 *
 * ```js
 * const view = await ruleView(Note.compiled, await rulesOfNow(options))
 * ```
 */
export const ruleView = (model: CompiledModel, options: OperationOptions): MaybePromise<RuleView | undefined> =>
  chain(ruleOf(model, 'read', options), rule => {
    if (rule === undefined) return undefined
    if (!hasRelated(rule.rows)) return { rule, rows: rule.rows, key: rule.key }
    const resolved = resolveRelated(model, undefined, { ...resolving({ options }), mayLink: false }, rule.rows)
    return chain(resolved, rows => ({ rule, rows, key: `${rule.key} ${textOf(rows)}` }))
  })

/**
 * Options with the rules, roles and memberships of the caller as they are now.
 *
 * ```js
 * const rows = await findRows(Note.compiled, {}, await rulesOfNow(options))
 * ```
 */
export function rulesOfNow (options: OperationOptions): MaybePromise<OperationOptions> {
  const { rowRules, includeGuard } = options
  const guarded = includeGuard?.anew === undefined ? options : { ...options, includeGuard: includeGuard.anew() }
  return rowRules?.anew === undefined ? guarded : chain(rowRules.anew(), now => ({ ...guarded, rowRules: now }))
}

/** Instants that rules count from now on are others each time, and mean the same. */
const textOf = (condition: Condition | undefined): string =>
  JSON.stringify(condition, function (this: Record<string, unknown>, name, value: unknown) {
    if (this[name] instanceof Date) return 'time'
    return typeof value === 'bigint' ? String(value) : value
  }) ?? ''
