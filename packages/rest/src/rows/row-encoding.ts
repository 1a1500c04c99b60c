/** How rows are written one by one: as lines of JSON, or as CSV. */
import type { Format } from '../handlers/format.js'
import { csvHeader, csvLine, type Column } from './csv.js'

/** Formats that are written row by row. */
export type RowFormat = Extract<Format, 'ndjson' | 'csv'>

/** Media types of the formats, which lists are offered in beside those of all results. */
export const rowTypes = ['application/x-ndjson', 'text/csv'] as const

export const isRowFormat = (format: Format): format is RowFormat => format === 'ndjson' || format === 'csv'

export interface RowEncoding {
  /** Media type, with its parameters. */
  readonly type: string
  /** What stands before the first row. */
  readonly begin: string
  /** A row, of which the JSON text is given. */
  line (json: string): string
}

/**
 * What writes rows in a format.
 *
 * ```js
 * rowEncoding('csv', [{ name: 'id', kind: 'number' }]).line('{"id":7}') // '7\r\n'
 * ```
 */
export function rowEncoding (format: RowFormat, columns: readonly Column[]): RowEncoding {
  if (format === 'ndjson') return lines
  return {
    type: 'text/csv; charset=utf-8; header=present',
    begin: csvHeader(columns),
    line: json => csvLine(columns, JSON.parse(json) as Record<string, unknown> | null)
  }
}

const lines: RowEncoding = { type: 'application/x-ndjson', begin: '', line: json => `${json}\n` }
