/** Which rows somebody sees by other rules, and which no longer. */
import type { ListAccess } from '@fastback/acl/review'
import type { CompiledModel, ModelClass, Row, RowRule, RowRules } from '@fastback/core'
import { bothConditions } from '@fastback/core/connector'
import { countRows, findRows } from '@fastback/core/remote'
import type { ChangedRows, WhatIf } from '@fastback/ui/contracts'

type Compared = NonNullable<WhatIf['rows']>
type Condition = RowRule['rows']

/** Rows that are named. */
const mostNamed = 20
/** Rows that are looked at to find them, in pages of so many. */
const page = 200
const pages = 10

/**
 * Counts and names the rows of two lists.
 * @param title the property that rows are called by
 */
export async function comparedRows (
  { compiled }: ModelClass, before: ListAccess, after: ListAccess, title: string | undefined
): Promise<Compared> {
  const countOf = async (...lists: readonly ListAccess[]): Promise<number> =>
    lists.every(({ allowed }) => allowed)
      ? await countRows(compiled, {}, optionsOf(compiled, allOf(lists)))
      : 0
  const [was, is, both] = await Promise.all([countOf(before), countOf(after), countOf(before, after)])
  const named = titleOf(compiled, title)
  return {
    before: was,
    after: is,
    gained: { count: is - both, rows: is === both ? [] : await rowsOnlyIn(compiled, after, before, named) },
    lost: { count: was - both, rows: was === both ? [] : await rowsOnlyIn(compiled, before, after, named) }
  }
}

const allOf = (lists: readonly ListAccess[]): Condition =>
  lists.reduce<Condition>((all, { rule }) => bothConditions(all, rule?.rows), undefined)

/** Nothing is done but reading, and hooks of the application hear nothing of it. */
function optionsOf (model: CompiledModel, rows: Condition): { notify: false, rowRules?: RowRules } {
  if (rows === undefined) return { notify: false }
  const rule: RowRule = {
    rows, check: undefined, preset: undefined, reads: undefined, writes: undefined, key: 'fastback.studio'
  }
  return { notify: false, rowRules: { concerns: each => each === model, of: () => rule } }
}

async function rowsOnlyIn (
  model: CompiledModel, list: ListAccess, other: ListAccess, title: string | undefined
): Promise<ChangedRows['rows']> {
  const { id } = model
  if (id === undefined) return []
  const found: Array<ChangedRows['rows'][number]> = []
  const fields = title === undefined ? [id.name] : [id.name, title]
  for (let at = 0; at < pages && found.length < mostNamed; at++) {
    const filter = { fields, order: id.name, limit: page, skip: at * page }
    const rows = await findRows(model, filter, optionsOf(model, allOf([list])))
    const ids = rows.map(row => row[id.name])
    const known = !other.allowed || ids.length === 0
      ? []
      : await findRows(
        model, { fields: [id.name], where: { [id.name]: { inq: ids } } }, optionsOf(model, allOf([other])))
    const seen = new Set(known.map(row => String(row[id.name])))
    found.push(...rows.filter(row => !seen.has(String(row[id.name]))).map(row => namedRow(row, id.name, title)))
    if (rows.length < page) break
  }
  return found.slice(0, mostNamed)
}

function namedRow (row: Row, id: string, title: string | undefined): ChangedRows['rows'][number] {
  const key = row[id]
  const text = title === undefined ? undefined : row[title]
  return {
    id: typeof key === 'number' ? key : String(key),
    ...(text === undefined || text === null ? {} : { title: String(text).slice(0, 200) })
  }
}

/** What is hidden titles nothing. */
function titleOf (model: CompiledModel, chosen: string | undefined): string | undefined {
  const isShown = (name: string): boolean => {
    const property = model.propertyByName.get(name)
    return property?.type.kind === 'string' && !property.hidden && !property.protected
  }
  return [...chosen === undefined ? [] : [chosen], 'title', 'name', 'label', 'subject', 'username'].find(isShown)
}
