/** What a live query is: the rows that a `find` of the same caller would give, as rules and hooks say it now. */
import { badQuery, liveQueryTooLarge } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { RowRule } from '../interfaces/row-rules.js'
import { unresolvedQuery } from '../operations/access.js'
import { Operation } from '../operations/context.js'
import { isRemote } from '../operations/origin.js'
import { hasRelated } from '../operations/related-conditions.js'
import { narrowsRows, ruleOf } from '../operations/row-rules.js'
import { rulesOfNow } from '../operations/rule-view.js'
import type { Condition, Query } from '../query/ast.js'
import { hasPart } from '../query/condition-parts.js'
import { keysetOf } from '../query/keyset.js'
import { bothConditions } from '../query/merge.js'
import { liveRowLimit } from './limits.js'
import { conditionText, pageText } from './query-text.js'
import { watchedModels } from './watched-models.js'

export interface LivePlan {
  readonly filter: unknown
  /** With the caller's rules as they are now. */
  readonly options: OperationOptions
  /** With scope and hooks; with the rows of the rules where `judged` is there. */
  readonly query: Query
  /** Whether hooks or rules have to be asked again as time goes by. */
  readonly asks: boolean
  /** The models whose rows decide. */
  readonly watched: ReadonlySet<ModelClass>
  /** How rows are judged one by one; undefined: the query has to be read as a whole. */
  readonly judged: JudgedPlan | undefined
}

export interface JudgedPlan {
  /** Plans with the same key have the same rows, shown alike. */
  readonly key: string
  /** The same with the instants that rules count from now on. */
  readonly exactKey: string
  /** The properties that rules let the caller read. */
  readonly reads: RowRule['reads']
}

/**
 * The plan of a live query, by the rules and hooks of now.
 *
 * ```js
 * const plan = await livePlan(Order.compiled, { where: { open: true }, order: 'at DESC', limit: 20 }, options)
 * ```
 * @throws RequestError 400 for a filter that cannot be, or that is not live: LIVE_QUERY_NOT_SUPPORTED,
 * LIVE_QUERY_TOO_LARGE; 401 or 403 for relations that the caller may not read; what a hook throws
 */
export async function livePlan (
  model: CompiledModel, filter: unknown, given: OperationOptions
): Promise<LivePlan> {
  const options = await rulesOfNow(given)
  const query = await unresolvedQuery(new Operation(model, options), filter)
  mustBeLive(model, query)
  const rule = await ruleOf(model, 'read', options)
  return {
    filter,
    options,
    query: { ...query, where: bothConditions(query.where, rule?.rows) },
    asks: isRemote(options) && asksAgain(model, options),
    watched: watchedModels(model, query, rule?.rows),
    judged: isJudgedByRow(model, query, rule?.rows, options) ? judgedPlan(model, query, rule) : undefined
  }
}

function mustBeLive (model: CompiledModel, { distinct, cursor, deleted, skip, limit }: Query): void {
  if (model.key.length === 0) throw notLive(`rows of "${model.name}", which have no id`)
  if (distinct !== undefined) throw notLive('values ("distinct")')
  if (cursor !== undefined) throw notLive('pages by cursors ("after", "before")')
  if (deleted !== undefined) throw notLive('rows that were put away ("deleted")')
  const most = liveRowLimit(model)
  if (skip + (limit ?? 0) > most) throw liveQueryTooLarge(most)
}

const notLive = (what: string): Error =>
  badQuery(`A live query is not for ${what}. Use "find", and ask again.`, 'LIVE_QUERY_NOT_SUPPORTED')

const asksAgain = (model: CompiledModel, options: OperationOptions): boolean =>
  (model.hooks.access !== undefined && options.notify !== false) || narrowsRows(model, options) ||
    options.includeGuard !== undefined || typeof model.definition.scope === 'function'

/** Whether nothing but a row itself says whether it is among the rows, and where. */
const isJudgedByRow = (
  model: CompiledModel, query: Query, rows: Condition | undefined, options: OperationOptions
): boolean =>
  query.include.length === 0 && (model.hooks.loaded === undefined || options.notify === false) &&
    !hasRelated(rows) && !hasPart(query.where, needsStore) && keysetOf(model, query) !== undefined

/** Related rows, words as an index has them, and values of which a part takes part in the comparison. */
const needsStore = (part: Condition): boolean =>
  part.kind === 'related' || part.kind === 'search' || part.kind === 'element' ||
    ('path' in part && part.path.visible !== undefined)

function judgedPlan (model: CompiledModel, query: Query, rule: RowRule | undefined): JudgedPlan {
  const keyOf = (times: boolean): string => JSON.stringify([
    model.name, conditionText(query.where), conditionText(rule?.rows, times), rule?.key ?? null, pageText(query)
  ])
  return { key: keyOf(false), exactKey: keyOf(true), reads: rule?.reads }
}
