/** Related rows, kept with the rows that they belong to under the names that the response has for them. */
import type { ModelEntry, ReadPlan, RelatedPlan } from '../schema/entries.js'

export type ReadRow = Record<string, unknown>

const RELATED = Symbol('fastback.related')
const TYPE = Symbol('fastback.rowType')

interface Kept {
  [RELATED]?: Map<string, unknown>
  [TYPE]?: string
}

/** What was read for a name of the response: rows, a row, or how many; undefined: nothing. */
export const relatedRows = (row: Kept, key: string): unknown => row[RELATED]?.get(key)

/** The type of a row that one relation gives of several. */
export const rowType = (row: Kept): string | undefined => row[TYPE]

export const listOf = (value: unknown): ReadRow[] =>
  value === null || value === undefined ? [] : [value].flat() as ReadRow[]

/** Keeps what a query included, all levels down. */
export function keepIncluded (rows: readonly ReadRow[], plan: ReadPlan): void {
  for (const [first] of plan.relations.values()) {
    for (const row of rows) keep(row, row[(first as RelatedPlan).related.relation.name], first as RelatedPlan)
  }
}

/** Keeps what one relation of a row gave. */
export function keep (row: ReadRow & Kept, value: unknown, { keys, isCount, plan, related }: RelatedPlan): void {
  const kept = (row[RELATED] ??= new Map())
  const shown = isCount ? (value as { count?: number } | undefined)?.count ?? 0 : value
  for (const key of keys) kept.set(key, shown)
  if (plan !== undefined) keepIncluded(listOf(value), plan)
  else if (related.discriminator !== undefined) {
    const named = row[related.discriminator]
    const type = related.targets.find(({ Model }) => Model.modelName === named)?.name
    for (const each of listOf(value) as Kept[]) if (type !== undefined) each[TYPE] = type
  }
}

/** What tells the rows of a model apart, as a text; undefined for a row that does not show it. */
export function rowKey ({ Model: { compiled: { key } } }: ModelEntry, row: ReadRow): string | undefined {
  const values = key.map(({ name }) => row[name])
  return key.length === 0 || values.includes(undefined) ? undefined : JSON.stringify(values)
}
