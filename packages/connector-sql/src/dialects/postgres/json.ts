/**
 * JSON text of whole rows, put together by PostgreSQL: nothing of a row but one text then comes over the wire, and none
 * of it is parsed.
 */
import type { ExtraFilter } from '../../tables/extra.js'
import type { Column } from '../../tables/column.js'
import type { JsonWriter, TextAround } from '../column-types.js'
import { joined } from '../../query/statement-builder.js'
import { textWithin } from '../text-within.js'
import { quoteText } from './quote.js'
import { codeText, decodeJsonText, hasCode } from './text-code.js'
import type { PostgresFormat } from './formats.js'

function row (
  columns: readonly Column[], extra: string | undefined, filter: ExtraFilter | undefined, around?: TextAround
): string | undefined {
  const text = rowAlone(columns, extra, filter)
  return text === undefined || around === undefined ? text : textWithin(around, text, quoteText)
}

function rowAlone (
  columns: readonly Column[], extra: string | undefined, filter: ExtraFilter | undefined
): string | undefined {
  if (filter !== undefined && 'only' in filter && asksUndeclared(columns, filter.only)) return undefined
  const values: string[] = []
  for (const { format, quoted } of columns) {
    const text = (format as PostgresFormat).jsonText?.(quoted)
    if (text === undefined) return undefined
    values.push(text)
  }
  const names = columns.map(({ property }) => `${JSON.stringify(property.name)}:`)
  return extra === undefined ? wholeRow(names, values) : anyRow(names, values, extra, filter)
}

/** Without an extra column a NULL is a null. In brackets, or each `||` would copy all that stands before it. */
function wholeRow (names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return "'{}'"
  const parts = names.flatMap((name, i) => [quoteText(`${i === 0 ? '{' : ','}${name}`), `coalesce(${values[i]}, 'null')`])
  return joined([...parts, "'}'"], ' || ')
}

/** With one it is a property that the row lacks, which `concat_ws` leaves out. */
function anyRow (
  names: readonly string[], values: readonly string[], extra: string, filter: ExtraFilter | undefined
): string {
  const members = names.map((name, i) => `${quoteText(name)} || ${values[i]}`)
  if (filter !== undefined) members.push(...extraMembers(extra, filter))
  return members.length === 0 ? "'{}'" : `'{' || ${withCommas(members)} || '}'`
}

/** Arguments that a function of PostgreSQL takes at most (`FUNC_MAX_ARGS`), less the comma. */
const mostMembers = 99

/** `concat_ws` of members, those that are NULL left out; of more than it takes, in several steps. */
function withCommas (members: readonly string[]): string {
  if (members.length <= mostMembers) return `concat_ws(',', ${members.join(', ')})`
  const parts: string[] = []
  for (let from = 0; from < members.length; from += mostMembers) {
    // A part of which nothing is left is no member.
    parts.push(`NULLIF(${withCommas(members.slice(from, from + mostMembers))}, '')`)
  }
  return withCommas(parts)
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
  asText: (_, value) => `'' || ${value}`,
  joined: (text, separator) => `string_agg(${text}, ${quoteText(separator)})`,
  finish: decodeJsonText,
  mostJoined: undefined,
  length: text => `octet_length(${text})`,
  isFinal: text => !hasCode(text)
}
