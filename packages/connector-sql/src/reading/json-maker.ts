/**
 * JSON text straight from raw values, without row objects. Texts come from the database as JSON strings already (which
 * also keeps a NUL that drivers would cut at), numbers, booleans and dates are written as they are; generated per
 * selection as in `row-maker.ts`.
 */
import { decodeExtra, passes, type ExtraFilter } from '../tables/extra.js'
import { clientJson } from '../tables/json-text.js'
import type { Column } from '../tables/column.js'

export type JsonMaker = (raw: readonly unknown[]) => string

/** @param filter for tables with an extra column, whose text is then the last raw value */
export function makeJson (columns: readonly Column[], filter: ExtraFilter | undefined): JsonMaker {
  const writers = columns.map(({ format, property }) => format.jsonEncoding === 'date'
    ? (text: string) => JSON.stringify(format.decode(JSON.parse(text)))
    : decodedWriter(format, clientJson(property.type)))
  const build = filter === undefined ? allMembers(columns) : membersThatAreThere(columns)
  // eslint-disable-next-line no-new-func
  const factory = new Function('writers', 'dateText', 'extraMembers', `return raw => { let v; ${build} }`) as
    (writers: unknown, dateText: (time: number) => string, extraMembers: (text: unknown) => string) => JsonMaker
  return factory(writers, dateText, filter === undefined ? () => '' : extraWriter(filter))
}

const decodedWriter = ({ decode }: Column['format'], write: (value: unknown) => string) =>
  (raw: unknown) => write(decode(raw))

const isSafe = `v >= ${Number.MIN_SAFE_INTEGER}n && v <= ${Number.MAX_SAFE_INTEGER}n`

/** Last millisecond of the year 9999: later ones are written in another form. */
const lastTime = 253_402_300_799_999

const dateText = (time: number): string => `"${new Date(time).toISOString()}"`

const member = ({ property }: Column, before: string): string =>
  JSON.stringify(`${before}${JSON.stringify(property.name)}:`)

/** Without an extra column a NULL is a null. */
function allMembers (columns: readonly Column[]): string {
  const members = columns.map((column, i) => `${member(column, i === 0 ? '{' : ',')} + ${written(column, i, true)}`)
  return `return ${members.length === 0 ? "'{}'" : `${members.join(' + ')} + '}'`}`
}

/** With one, a NULL is a property that the row lacks, unless the extra column has it. */
function membersThatAreThere (columns: readonly Column[]): string {
  const lines = columns.map((column, i) => {
    const isThere = isJson(column) ? `raw[${i}] !== 'null'` : `raw[${i}] !== null`
    return `if (${isThere}) { t += s + ${member(column, '')} + ${written(column, i, false)}; s = ',' }`
  })
  const extra = `if ((v = raw[${columns.length}]) !== null && (v = extraMembers(v)) !== '') { t += s + v; s = ',' }`
  return `let t = '', s = '{'; ${lines.join(' ')} ${extra} return s === ',' ? t + '}' : '{}'`
}

/** Whether the database gives JSON text, and `null` for NULL. */
const isJson = ({ format }: Column): boolean => format.jsonEncoding === 'json' || format.jsonEncoding === 'date'

function written ({ format }: Column, i: number, nullable: boolean): string {
  const other = nullable ? `v === null ? 'null' : writers[${i}](v)` : `writers[${i}](v)`
  switch (format.jsonEncoding) {
    case 'json':
      return `raw[${i}]`
    case 'number':
      return `((typeof (v = raw[${i}]) === 'number' ? v - v === 0 : typeof v === 'bigint' && ${isSafe}) ? v : ${other})`
    case 'boolean':
      return `((v = raw[${i}]) === 1 ? 'true' : v === 0 ? 'false' : ${other})`
    case 'date':
      return `((v = raw[${i}]).length === 26 && v.charCodeAt(11) === 84 && v.charCodeAt(24) === 90 || v === 'null' ? v : writers[${i}](v))`
    case 'milliseconds':
      return `(typeof (v = raw[${i}]) === 'number' && v >= 0 && v <= ${lastTime} ? dateText(v) : ${other})`
    case 'decoded':
      return `((v = raw[${i}]), ${other})`
  }
}

/** The members of the extra text that pass, without brackets. */
function extraWriter (filter: ExtraFilter): (text: unknown) => string {
  if ('except' in filter && filter.except.length === 0) return text => typeof text === 'string' ? text.slice(1, -1) : ''
  const passing = passes(filter)
  return text => {
    const extra = decodeExtra(text)
    const members = Object.keys(extra)
      .filter(passing)
      .map(name => `${JSON.stringify(name)}:${JSON.stringify(extra[name])}`)
    return members.join(',')
  }
}
