/** Rows that count their writes: each UPDATE does by itself. */
import type { Table } from '../tables/table.js'

const counted = (column: string): string => `COALESCE(${column}, 0)`

/**
 * What an UPDATE sets besides; nothing for tables without.
 * @param of the table, where another row is seen as well
 */
export const nextVersion = ({ version }: Table, of?: string): string[] => version === undefined
  ? []
  : [`${version.quoted} = ${counted(of === undefined ? version.quoted : `${of}.${version.quoted}`)} + 1`]

/** What stands before the placeholder of the version that a row must have; empty where it may have any. */
export const seenVersion = ({ version }: Table, wanted: number | undefined): string =>
  version === undefined || wanted === undefined ? '' : ` AND ${counted(version.quoted)} = `
