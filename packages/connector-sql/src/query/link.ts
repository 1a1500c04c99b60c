/**
 * Conditions on rows of another table of the same database, as EXISTS: no join doubles rows, and the index of the key
 * finds them. What a statement of this kind cannot say exactly, or would have to look through a whole table for, is no
 * link: the core reads the keys first then (`core/operations/related-conditions.ts`).
 */
import type { Condition, LinkedCondition } from '@fastback/core'
import { hasPart } from '@fastback/core/connector'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'

/** A link with its table and columns. */
export interface TableLink {
  readonly table: Table
  /** The column of the other table, and that of this one which it equals. */
  readonly to: Column
  readonly from: Column
}

/** How rows of another table belong to one: by a condition, or for a value. */
type Link = Pick<LinkedCondition, 'from' | 'model' | 'to'>

/** A table in a statement: what its columns are named by from within an EXISTS, and how many EXISTS are around it. */
export interface NamedTable {
  readonly name: string
  readonly level: number
}

/** The outermost table of a statement. */
export const outermost = ({ quoted }: Table): NamedTable => ({ name: quoted, level: 0 })

/** That of a link within another one. */
export const linkedWithin = ({ level }: NamedTable): NamedTable =>
  ({ name: `linked_${String(level + 1)}`, level: level + 1 })

/** @throws TypeError for a link that `supportsLinks` did not let through */
export function tableLinkOf (link: Link, table: Table): TableLink {
  const found = findLink(link, table)
  if (found === undefined) throw new TypeError(`"${table.model.name}" cannot be linked to "${link.model.name}"`)
  return found
}

/** Undefined for what is not in this database, or has no such column. */
export function findLink ({ model, from, to }: Link, table: Table): TableLink | undefined {
  const other = table.peerOf(model)
  const columns = { to: other?.byProperty.get(to), from: table.byProperty.get(from) }
  if (other === undefined || columns.to === undefined || columns.from === undefined) return undefined
  return { table: other, to: columns.to, from: columns.from }
}

/** That the keys are equal; undefined where the database does not compare them as JavaScript does. */
export const sameKeySql = ({ table, to, from }: TableLink, outer: string): string | undefined =>
  table.dialect.sameKey(to, from, `${outer}.${from.quoted}`)

/** Whether a condition has links, whose statements name the table by its own name. */
export const hasLinks = (condition: Condition | undefined): boolean =>
  hasPart(condition, ({ kind }) => kind === 'linked')
