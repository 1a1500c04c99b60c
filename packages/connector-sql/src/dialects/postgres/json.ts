/**
 * JSON text of whole rows, put together by PostgreSQL: nothing of a row but one text then comes over the wire, and none
 * of it is parsed.
 */
import type { ExtraFilter } from '../../tables/extra.js'
import type { Column } from '../../tables/table.js'
import type { JsonWriter } from '../column-types.js'
import { quoteText } from './quote.js'
import { codeText, decodeJsonText, hasCode } from './text-code.js'
import type { PostgresFormat } from './formats.js'

/**
 * With an extra column a NULL is a property that the row lacks, which `concat_ws` leaves out; without one it is a
 * null.
 */
function row (
  columns: readonly Column[],
  extra: string | undefined,
  filter: ExtraFilter | undefined
): string | undefined {
  if (filter !== undefined && 'only' in filter && asksUndeclared(columns, filter.only)) return undefined
  const members: string[] = []
  for (const { format, quoted, property } of columns) {
    const text = (format as PostgresFormat).jsonText?.(quoted)
    if (text === undefined) return undefined
    members.push(
      `${quoteText(`${JSON.stringify(property.name)}:`)} || ${extra === undefined ? `coalesce(${text}, 'null')` : text}`
    )
  }
  if (extra !== undefined && filter !== undefined) members.push(...extraMembers(extra, filter))
  return members.length === 0 ? "'{}'" : `'{' || concat_ws(',', ${members.join(', ')}) || '}'`
}

/** Names that come from requests never stand in a statement. */
const asksUndeclared = (columns: readonly Column[], names: readonly string[]): boolean =>
  names.some(name => !columns.some(({ property }) => property.name === name))

function extraMembers (extra: string, filter: ExtraFilter): string[] {
  if ('only' in filter) {
    return filter.only.map(
      name => `${quoteText(`${JSON.stringify(name)}:`)} || (${extra} -> ${quoteText(codeText(name))})::text`
    )
  }
  const rest =
    filter.except.length === 0
      ? extra
      : `(${extra} - ARRAY[${filter.except.map(name => quoteText(codeText(name))).join(', ')}])`
  return [`NULLIF(substr(${rest}::text, 2, length(${rest}::text) - 2), '')`]
}

export const json: JsonWriter = {
  row,
  value: ({ format, quoted }) => (format as PostgresFormat).jsonText?.(quoted),
  list: query => `SELECT '[' || coalesce(string_agg(text, ','), '') || ']' FROM (${query}) AS rows (text)`,
  literal: quoteText,
  joined: (text, separator) => `string_agg(${text}, ${quoteText(separator)})`,
  finish: decodeJsonText,
  isFinal: text => !hasCode(text)
}
