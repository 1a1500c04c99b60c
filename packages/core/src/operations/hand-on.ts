/**
 * What somebody outside asks of a model whose rows another application keeps (security.md, S-93): read by this model's
 * rules, narrowed by its default scope and its `access` hooks, and written anew. What goes on is what was judged.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Relation } from '../interfaces/relation.js'
import { RequestError } from '../errors.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { includedOf } from '../instances/included.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode, Query } from '../query/ast.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { compileCondition } from '../query/match.js'
import { OwnFilter } from '../query/own-filter.js'
import { WORK } from '../query/work.js'
import { filterJson, whereJson } from '../query/write-filter.js'
import { accessQuery } from './access.js'
import { accessCondition, visibleCondition, writeWhere } from './access-condition.js'
import { Operation } from './context.js'
import { filterIncluded } from './filter-included.js'
import { relatedOptions } from './origin.js'
import { bounded } from './read.js'
import { narrowsRows } from './row-rules.js'

type Json = Record<string, unknown>

/** A filter to hand on. */
export interface HandedOn {
  /** Undefined where it says nothing. */
  readonly json: Json | undefined
  readonly query: Query
  /** The relations that come with the rows, at every level. */
  readonly include: readonly HandedInclude[]
  /** @throws RequestError 400 QUERY_TOO_EXPENSIVE for more rows than a response may have */
  mustHold (rows: number): void
}

/** A relation that is included by anyone who has the rows. */
export interface HandedInclude {
  readonly relation: Relation
  readonly include: readonly HandedInclude[]
}

/**
 * A filter that came from outside, as it may be handed on.
 *
 * ```js
 * const { json } = await filterToHandOn(Note.compiled, { where: { stars: '2' } }, options)
 * json // { where: { stars: 2 } }
 * ```
 * @param relation whose rows are asked for: its own filter is added
 * @throws RequestError 400 as for any model; 501 NOT_SUPPORTED for a scope of a relation whose rows say themselves
 * where it leads
 */
export function filterToHandOn (
  model: CompiledModel, filter: unknown, options: OperationOptions, relation?: Relation
): MaybePromise<HandedOn> {
  const operation = new Operation(model, options)
  return chain(accessQuery(operation, filter, narrowingOf(model, relation)), async query => {
    if (query.distinct !== undefined) throw distinctOfOthers(model)
    const { options: counted } = operation
    const work = counted[WORK]
    const include: HandedInclude[] = []
    const written: unknown[] = []
    for (const node of query.include) {
      const { json, handed } = await handedInclude(model, node, counted)
      include.push(handed)
      written.push(json)
    }
    const json = {
      ...queryJson(work === undefined ? query : bounded(query, work), model),
      ...(written.length === 0 ? {} : { include: written.length === 1 ? written[0] : written })
    }
    return {
      json: Object.keys(json).length === 0 ? undefined : json,
      query,
      include,
      mustHold: (rows: number) => { work?.mustHold(rows) }
    }
  })
}

/**
 * A condition that came from outside, as it may be handed on: as JSON; undefined for all rows.
 *
 * ```js
 * await whereToHandOn(Note.compiled, { stars: '2' }, options, {}) // { stars: 2 }
 * ```
 * @param how `writes` for the condition of a write, which must say which rows; `relation` as for `filterToHandOn`
 * @throws RequestError 400
 */
export function whereToHandOn (
  model: CompiledModel, where: unknown, options: OperationOptions,
  { writes, relation }: { readonly writes?: 'update' | 'delete' | undefined, readonly relation?: Relation | undefined }
): MaybePromise<Json | undefined> {
  const operation = new Operation(model, options)
  const condition = writes !== undefined
    ? chain(writeWhere(operation, where, writes), ({ condition }) => condition)
    : accessCondition(operation, where, narrowingOf(model, relation))
  return chain(condition, found => found === undefined ? (writes === undefined ? undefined : {}) : whereJson(found))
}

/** The properties of a filter; all of them need no list. */
function queryJson (query: Query, model: CompiledModel): Json {
  const { select } = query
  const isWhole = select === model.selectAll || select === model.selectVisible || select === model.selectIncluded
  const json = filterJson(isWhole ? { ...query, select: model.selectAll } : query, model)
  // An empty list would stand for all.
  return Array.isArray(json.fields) && json.fields.length === 0 ? { ...json, fields: [model.id?.name ?? 'id'] } : json
}

/** The filter that a relation's definition has. */
function narrowingOf (model: CompiledModel, relation: Relation | undefined): OwnFilter | undefined {
  const scope: unknown = relation?.definition.scope
  const filter = typeof scope === 'function' ? (scope as () => unknown).call(relation) : scope
  if (filter === null || typeof filter !== 'object') return undefined
  return new OwnFilter(model, filter)
}

async function handedInclude (
  model: CompiledModel, node: IncludeNode, options: OperationOptions
): Promise<{ readonly json: unknown, readonly handed: HandedInclude }> {
  const relation = model.relations.get(node.relation) as Relation
  if (node.count === true) throw countOfOthers(model, relation)
  const target = relation.target()
  if (target === undefined) {
    if (node.scope !== undefined) throw scopeOfSeveral(model, relation)
    return { json: relation.name, handed: { relation, include: [] } }
  }
  const asking: OperationOptions = { ...relatedOptions(options), [INCLUDE_PATH]: node.includePath }
  const { json, include } = await filterToHandOn(target.compiled, node.scope, asking, relation)
  return {
    json: json === undefined ? relation.name : { relation: relation.name, scope: json },
    handed: { relation, include }
  }
}

const distinctOfOthers = ({ name }: CompiledModel): RequestError =>
  new RequestError(
    501,
    `Another application has the rows of "${name}", and is not asked for their values: leave "distinct" out.`,
    { code: 'NOT_SUPPORTED' }
  )

const countOfOthers = ({ name }: CompiledModel, relation: Relation): RequestError =>
  new RequestError(
    501,
    `Another application has the rows of "${relation.name}" of "${name}", and is not asked how many there are: include ` +
    'them without "count".',
    { code: 'NOT_SUPPORTED' }
  )

const scopeOfSeveral = ({ name }: CompiledModel, relation: Relation): RequestError =>
  new RequestError(
    501,
    `"${relation.name}" of "${name}" leads to several models, and another application has the rows: include it ` +
    'without a scope.',
    { code: 'NOT_SUPPORTED' }
  )

/**
 * Takes from rows that came with their relations what the caller may not see, as `include` does where the rows are at
 * hand.
 *
 * ```js
 * await guardHandedOn(rows, include, options)
 * ```
 * @param rows instances, with the related ones beside them (`setIncluded`)
 * @throws RequestError 401, 403, 404 for a relation that the caller may not read
 */
export function guardHandedOn (
  rows: readonly Row[], include: readonly HandedInclude[], options: OperationOptions
): MaybePromise<void> {
  const { includeGuard } = options
  if (includeGuard === undefined) return
  return eachInSequence(include, ({ relation, include: further }) => {
    const judged = chain(includeGuard.concerns(relation), concerns => {
      if (!concerns) return
      return chain(includeGuard.check(relation, rows), () => {
        const shows = relation.embedded ? undefined : includeGuard.filter(relation)
        return shows === undefined ? undefined : filterIncluded(rows, relation, shows)
      })
    })
    return chain(judged, () => {
      const related = rows.flatMap((row): readonly Row[] => [includedOf(row)?.[relation.name] ?? []].flat())
      return related.length === 0 ? undefined : guardHandedOn(related, further, options)
    })
  })
}

/**
 * Tells which rows of a model its default scope and its `access` hooks leave in sight; undefined: all of them.
 *
 * ```js
 * const isInSight = await sightOf(Note.compiled, options)
 * if (isInSight !== undefined && !isInSight(row)) throw errors.noInstance(id)
 * ```
 */
export function sightOf (
  model: CompiledModel, options: OperationOptions
): MaybePromise<((row: Row) => boolean) | undefined> {
  if (model.definition.scope === undefined && model.hooks.access === undefined && !narrowsRows(model, options)) {
    return undefined
  }
  return chain(visibleCondition(model, options), condition =>
    condition === undefined ? undefined : compileCondition(condition))
}
