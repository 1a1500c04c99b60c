/** The value that a new column has in the rows that are there, as an expression of the database. */
import type { ColumnDesign } from '../migration/design.js'

/** How a database writes texts and bytes. */
export interface Literals {
  readonly text: (text: string) => string
  readonly bytes: (hex: string) => string
}

/** Undefined for a column that is added empty. */
export function fillSql ({ fill, format }: ColumnDesign, literals: Literals): string | undefined {
  return fill === undefined ? undefined : format.bound(literal(format.encode(fill), literals))
}

function literal (value: unknown, { text, bytes }: Literals): string {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return bytes(Buffer.from(value).toString('hex'))
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : text(String(value))
}
