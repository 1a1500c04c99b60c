/** What the type of a column lets in: a value beyond it is refused before the database is asked. */
import type { CatalogueColumn } from '../dialects/catalogue.js'

/** Bytes of whole numbers that people meet the ends of. Beyond 32 bits the database itself refuses (`refusals.ts`). */
const bytes: ReadonlyArray<readonly [type: RegExp, bytes: number]> = [
  [/^tinyint\b/i, 1],
  [/^(?:smallint|int2|smallserial)\b/i, 2],
  [/^mediumint\b/i, 3],
  [/^(?:int|integer|int4|serial)\b/i, 4]
]

/**
 * The keywords of a column, by the type that its property has. SQLite takes whatever it is given, and texts have the
 * length there that their author meant.
 */
export function boundsOf (column: CatalogueColumn, type: unknown, settingsKey: string): Record<string, unknown> {
  const { dataType, length } = column
  if (type === 'string' && length !== null && /char/i.test(dataType)) return { maxLength: length }
  if (type !== 'number' || settingsKey === 'sqlite3') return {}
  return wholeBounds(column) ?? decimalBounds(column)
}

function wholeBounds ({ dataType, fullType }: CatalogueColumn): Record<string, unknown> | undefined {
  const isUnsigned = /\bunsigned\b/i.test(fullType)
  const size = bytes.find(([type]) => type.test(dataType))?.[1]
  if (size === undefined) return /^bigint\b/i.test(dataType) ? (isUnsigned ? { minimum: 0 } : {}) : undefined
  const values = 2 ** (8 * size)
  if (size === 4 && !isUnsigned) return {}
  return isUnsigned ? { minimum: 0, maximum: values - 1 } : { minimum: -values / 2, maximum: values / 2 - 1 }
}

/** As many nines as there is room for; of more digits behind the point the database keeps the nearest. */
function decimalBounds ({ dataType, fullType, precision, scale }: CatalogueColumn): Record<string, unknown> {
  const places = scale ?? 0
  if (!/^(?:numeric|decimal)\b/i.test(dataType) || precision === null || places < 0 || places > precision) return {}
  const maximum = Number(`${'9'.repeat(precision - places)}.${'9'.repeat(places)}`)
  return { minimum: /\bunsigned\b/i.test(fullType) ? 0 : -maximum, maximum }
}
