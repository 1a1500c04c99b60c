/**
 * Conditions on rows of another table of the same database, as EXISTS: no join doubles rows, and the index of the key
 * finds them. What a statement of this kind cannot say exactly, or would have to look through a whole table for, is no
 * link: the core reads the keys first then (`core/operations/related-conditions.ts`).
 */
import type { Condition, LinkedCondition, StoreOptions } from '@fastback/core'
import type { Column, Table } from '../tables/table.js'
import { residualFilterOf, testedOf } from './residual-filter.js'

/** A link with its table and columns. */
export interface TableLink {
  readonly table: Table
  /** The column of the other table, and that of this one which it equals. */
  readonly to: Column
  readonly from: Column
}

/** Where a statement looks for rows: a table, and what its columns are named by from within an EXISTS. */
export interface Outer {
  readonly table: Table
  readonly name: string
  readonly level: number
}

/** The outermost table of a statement. */
export const outermost = (table: Table): Outer => ({ table, name: table.quoted, level: 0 })

/** That of a link within `outer`. */
export const linkedWithin = ({ level }: Outer, table: Table): Outer =>
  ({ table, name: `linked_${String(level + 1)}`, level: level + 1 })

/** @throws TypeError for a link that `supportsLinks` did not let through */
export function tableLinkOf (link: LinkedCondition, table: Table): TableLink {
  const found = findLink(link, table)
  if (found === undefined) throw new TypeError(`"${table.model.name}" cannot be linked to "${link.model.name}"`)
  return found
}

function findLink ({ model, from, to }: LinkedCondition, table: Table): TableLink | undefined {
  const other = table.peerOf(model)
  const columns = { to: other?.byProperty.get(to), from: table.byProperty.get(from) }
  if (other === undefined || columns.to === undefined || columns.from === undefined) return undefined
  return { table: other, to: columns.to, from: columns.from }
}

/** That the keys are equal; undefined where the database does not compare them as JavaScript does. */
export function sameKeySql ({ table, to, from }: TableLink, outer: string): string | undefined {
  const value = `${outer}.${from.quoted}`
  const { texts } = table.dialect
  return texts === undefined ? plainKey(to, from, value) : texts.sameKey(to, from, value)
}

/** Whole numbers beyond the safe ones are bigints in JavaScript, which equal no number. */
const safe = `BETWEEN ${String(Number.MIN_SAFE_INTEGER)} AND ${String(Number.MAX_SAFE_INTEGER)}`

/** Columns that compare as they are: numbers, and texts of one collation that tells all texts apart. */
function plainKey ({ quoted, format }: Column, other: Column, value: string): string | undefined {
  const isPlain = [format, other.format].every(({ equality, comparable, boundByValues, sorted }) =>
    comparable && equality === undefined && boundByValues !== true && sorted('column') === 'column')
  if (!isPlain || format.unsigned !== other.format.unsigned) return undefined
  switch (`${format.name} ${other.format.name}`) {
    case 'integer integer': case 'real real': case 'text text': return `${quoted} = ${value}`
    case 'integer real':
      return `${quoted} = CASE WHEN ${value} ${safe} AND ${value} = FLOOR(${value}) THEN CAST(${value} AS SIGNED) END`
    case 'real integer': return `${quoted} = CASE WHEN ${value} ${safe} THEN ${value} END`
    default: return undefined
  }
}

/** Whether the database answers a condition with links by itself. */
export function supportsLinks (
  table: Table, condition: Condition, isWrite: boolean, { work }: StoreOptions
): boolean {
  // A database in this process is asked for what it says without JavaScript, which would keep everybody else waiting.
  const asked = work === undefined ? table : table.withoutCallbacks
  return isAnswered(condition, asked, isWrite ? [table] : []) &&
    !testedOf(table, condition, work).some(hasLinks)
}

/** @param written tables that the statement changes, which MySQL reads no rows of at the same time */
function isAnswered (condition: Condition, table: Table, written: readonly Table[]): boolean {
  if ('conditions' in condition) return condition.conditions.every(inner => isAnswered(inner, table, written))
  if (condition.kind !== 'linked') return condition.kind !== 'related'
  const link = findLink(condition, table)
  if (link === undefined || !link.table.isIndexed(link.to) || sameKeySql(link, 'other') === undefined) return false
  if (!link.table.dialect.readsWhatItChanges && written.some(({ name }) => name === link.table.name)) return false
  return condition.condition === undefined || (
    isAnswered(condition.condition, link.table, written) &&
    residualFilterOf(link.table, condition.condition, undefined) === undefined
  )
}

/** Whether a condition has links, whose statements name the table by its own name. */
export function hasLinks (condition: Condition | undefined): boolean {
  if (condition === undefined) return false
  return 'conditions' in condition ? condition.conditions.some(hasLinks) : condition.kind === 'linked'
}
