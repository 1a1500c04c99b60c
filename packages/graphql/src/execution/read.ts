/** Reads of rows with their relations: one call, and one more for each further way to ask for a relation. */
import type { PublishedRoute } from '@fastback/rest'
import type { ModelEntry, ReadPlan, RelatedPlan } from '../schema/entries.js'
import { notReadable } from '../request/errors.js'
import { callMethod, type CallContext, type CallResult } from './call.js'
import { filterOf, included, includeOf } from './plan.js'
import { keep, keepIncluded, listOf, relatedRows, rowKey, type ReadRow } from './related.js'

/** The route of a built-in method that is published; undefined where there is none. */
export const builtinRoute = ({ routes }: Pick<ModelEntry, 'routes'>, builtin: string): PublishedRoute | undefined =>
  routes.find(({ method, verb }) => method.builtin === builtin && verb !== 'HEAD')

/**
 * Reads rows by a method that takes a filter.
 * @param filter conditions, order and page
 */
export async function readRows (
  context: CallContext, route: PublishedRoute, plan: ReadPlan,
  { path = {}, filter = {} }: { path?: Record<string, unknown>, filter?: Record<string, unknown> }
): Promise<CallResult> {
  const whole = { ...filter, ...filterOf(plan) }
  const result = await callMethod(context, route, {
    path, query: Object.keys(whole).length === 0 ? {} : { filter: whole }
  })
  const rows = listOf(result.value)
  keepIncluded(rows, plan)
  await readFurther(context, plan, rows)
  return result
}

/** Rows that a method gave, with the relations that are asked of them. */
export async function withRelations (context: CallContext, plan: ReadPlan, value: unknown): Promise<unknown> {
  const rows = listOf(value)
  if (plan.relations.size === 0 || rows.length === 0) return value
  const { entry } = plan
  await merge(context, entry, rows, filterOf({ entry, fields: new Set(), relations: plan.relations }), (row, found) => {
    for (const [each] of plan.relations.values()) {
      // The keys of the relation, that of its rows' model among them.
      for (const [name, own] of Object.entries(found)) row[name] ??= own
      keep(row, found[(each as RelatedPlan).related.relation.name], each as RelatedPlan)
    }
  })
  await readFurther(context, plan, rows)
  return value
}

/** A way to ask for a relation that the first read could not have, and what leads to it. */
interface Further {
  readonly path: readonly RelatedPlan[]
  readonly wanted: RelatedPlan
}

function * furtherOf (plan: ReadPlan, path: readonly RelatedPlan[] = []): Generator<Further> {
  for (const ways of plan.relations.values()) {
    for (const [i, wanted] of ways.entries()) {
      if (i > 0) yield { path, wanted }
      if (wanted.plan !== undefined) yield * furtherOf(wanted.plan, [...path, wanted])
    }
  }
}

async function readFurther (context: CallContext, plan: ReadPlan, rows: readonly ReadRow[]): Promise<void> {
  if (rows.length === 0) return
  for (const { path, wanted } of furtherOf(plan)) {
    const include = path.reduceRight<object>(
      (inner, each) => includeOf(each, { ...keysOf(each), ...included([inner]) }), includeOf(wanted)
    )
    await merge(context, plan.entry, rows, { ...keysOf({ plan }), ...included([include]) }, (row, found) => {
      join(row, found, path, wanted)
    })
  }
}

/** Names of the properties that tell rows apart. */
const keysOf = ({ plan }: { readonly plan: ReadPlan | undefined }): object =>
  plan === undefined ? {} : { fields: plan.entry.Model.compiled.key.map(({ name }) => name) }

/** Follows the path through rows that are there and rows that were read again, and keeps what stands at its end. */
function join (
  row: ReadRow, found: ReadRow | undefined, [next, ...path]: readonly RelatedPlan[], wanted: RelatedPlan
): void {
  if (next === undefined) {
    keep(row, found?.[wanted.related.relation.name], wanted)
    return
  }
  const { entry } = next.plan as ReadPlan
  const again = new Map(listOf(found?.[next.related.relation.name]).map(each => [rowKey(entry, each), each]))
  for (const each of listOf(relatedRows(row, next.keys[0] as string))) {
    join(each, again.get(rowKey(entry, each)), path, wanted)
  }
}

/** Reads rows again by their keys, with another filter. */
async function merge (
  context: CallContext, entry: ModelEntry, rows: readonly ReadRow[], filter: Record<string, unknown>,
  take: (row: ReadRow, found: ReadRow) => void
): Promise<void> {
  const { key } = entry.Model.compiled
  const [id, ...others] = key
  const byId = rows.length === 1 ? builtinRoute(entry, 'findById') : undefined
  const find = builtinRoute(entry, 'find')
  if (id === undefined || (byId ?? find) === undefined || rows.some(row => rowKey(entry, row) === undefined)) {
    throw notReadable(entry.Model.modelName)
  }
  const result = byId !== undefined && others.length === 0
    ? await callMethod(context, byId, { path: { id: (rows[0] as ReadRow)[id.name] }, query: { filter } })
    : await callMethod(context, find as PublishedRoute, {
      query: { filter: { ...filter, where: whereOfKeys(key.map(({ name }) => name), rows), limit: rows.length } }
    })
  const found = new Map(listOf(result.value).map(row => [rowKey(entry, row), row]))
  for (const row of rows) take(row, found.get(rowKey(entry, row)) ?? {})
}

function whereOfKeys (names: readonly string[], rows: readonly ReadRow[]): object {
  const [name, ...others] = names as [string]
  return others.length === 0
    ? { [name]: { inq: [...new Set(rows.map(row => row[name]))] } }
    : { or: rows.map(row => Object.fromEntries(names.map(each => [each, row[each]]))) }
}
