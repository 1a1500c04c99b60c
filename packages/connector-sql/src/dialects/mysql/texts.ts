/** How MySQL's columns hold texts (README, storage layout). */
import { encodeWellFormedJson as encodeJson } from '../../tables/json-text.js'
import { isWritten, type Calendar } from '../calendar.js'
import type { Server } from './flavour.js'
import { every, itself, longText, scalar, type MysqlFormat } from './formats.js'

/** What columns of a character set lack. What MySQL calls latin1 is windows-1252. */
const lacks: Readonly<Record<string, RegExp | undefined>> = {
  ascii: /[^\0-\x7f]/,
  latin1: /[^\0-\x7f\xa0-\xff\x81\x8d\x8f\x90\x9d€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/,
  utf8mb3: /[\ud800-\udfff]/,
  utf8: /[\ud800-\udfff]/,
  utf8mb4: undefined
}

/** Whether a column can have a text: its character set does, and it does not end with blanks that it would lose. */
function canHave (declaredType: string, set: string): (value: unknown) => boolean {
  const lacking = lacks[set]
  const isPadded = /^char\b/i.test(declaredType)
  if (lacking === undefined && !isPadded) return every
  return value => !(lacking?.test(value as string) === true || (isPadded && (value as string).endsWith(' ')))
}

export const encodeText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? encodeJson(value) : String(value)
const decodeText = (raw: unknown): string => Buffer.isBuffer(raw) ? raw.toString() : String(raw)

/** Texts; in columns of other collations `=` is the column's own, ranges and orders are not. */
export function text ({ flavour: { collation } }: Server, declaredType: string | undefined): MysqlFormat {
  const isExact = declaredType === undefined || declaredType.includes(` ${collation}`)
  const [, set = 'utf8mb4'] = / ([a-z0-9]+)(?:_\w+)?$/.exec(declaredType ?? '') ?? []
  const sorted = isExact ? itself : (column: string) => `CONVERT(${column} USING utf8mb4) COLLATE ${collation}`
  return scalar({
    name: 'text',
    declaredType: longText,
    accepts: value => typeof value === 'string',
    canStore: declaredType === undefined ? every : canHave(declaredType, set),
    encode: encodeText,
    decode: decodeText,
    verbatim: 'string',
    listType: `LONGTEXT CHARACTER SET utf8mb4 COLLATE ${collation}`,
    sorted,
    // The database refuses to compare with what a set lacks; which that is, it knows alone.
    equality: Object.hasOwn(lacks, set)
      ? undefined
      : {
          sql: (column, next) => `${sorted(column)} = ${next()}`,
          values: value => [value === null ? null : encodeText(value)],
          among: sorted,
          leavesShown: false
        },
    isLoose: !isExact
  })
}

const types: Readonly<Record<Calendar, string>> = { date: 'DATE', time: 'TIME(6)' }

/** Days and times of day: texts here, and compared as what they are there. All digits of a second come from there. */
export function calendarOf (calendar: Calendar): MysqlFormat {
  const bound = (placeholder: string): string => `CAST(${placeholder} AS ${types[calendar]})`
  const decode = (raw: unknown): string => decodeText(raw).replace(/\.0{1,6}$|(\.\d{0,5}[1-9])0{1,5}$/, '$1')
  return scalar({
    name: 'text',
    declaredType: types[calendar],
    accepts: value => typeof value === 'string',
    canStore: isWritten(calendar),
    encode: encodeText,
    decode: calendar === 'date' ? decodeText : decode,
    verbatim: calendar === 'date' ? 'string' : undefined,
    bound,
    sortedBound: bound,
    boundByValues: true
  })
}
