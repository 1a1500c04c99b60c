/** Conditional requests (RFC 9110, section 13) and ranges of bytes (section 14), for one file. */
import type { IncomingHttpHeaders } from 'node:http'

/** What a file is compared by. */
export interface Validators {
  /** In quotes. */
  readonly etag: string
  readonly lastModified: Date
}

/**
 * What the conditions of a request come to, in the order of RFC 9110, section 13.2.2.
 *
 * ```js
 * evaluate({ 'if-none-match': '"a"' }, { etag: '"a"', lastModified: new Date() }) // 304
 * ```
 */
export function evaluate (headers: IncomingHttpHeaders, file: Validators): 200 | 304 | 412 {
  const ifMatch = headers['if-match']
  const unmodifiedSince = dateOf(headers['if-unmodified-since'])
  if (ifMatch !== undefined) {
    if (!lists(ifMatch, file.etag, false)) return 412
  } else if (unmodifiedSince !== undefined && seconds(file.lastModified) > unmodifiedSince) return 412
  const ifNoneMatch = headers['if-none-match']
  const modifiedSince = dateOf(headers['if-modified-since'])
  if (ifNoneMatch !== undefined) return lists(ifNoneMatch, file.etag, true) ? 304 : 200
  return modifiedSince !== undefined && seconds(file.lastModified) <= modifiedSince ? 304 : 200
}

/** Whether a range may be sent: without `If-Range` always, else only of the file that it names. */
export function holdsRange (headers: IncomingHttpHeaders, file: Validators): boolean {
  const ifRange = headers['if-range'] as string | undefined
  if (ifRange === undefined) return true
  if (ifRange.startsWith('"')) return ifRange === file.etag
  return dateOf(ifRange) === seconds(file.lastModified)
}

/** `W/` counts where the comparison is a weak one. */
function lists (header: string, etag: string, isWeak: boolean): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some(one => {
    const given = one.trim()
    return (isWeak ? given.replace(/^W\//, '') : given) === etag
  })
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

function dateOf (header: string | undefined): number | undefined {
  const time = header === undefined ? NaN : Date.parse(header)
  return Number.isNaN(time) ? undefined : time / 1000
}

/** First and last byte, inclusive. */
export interface ByteRange { readonly start: number, readonly end: number }

const oneRange = /^bytes\s*=\s*(\d*)-(\d*)\s*$/i

/**
 * The one range that a request asks for. What is no valid range, another unit or several ranges counts for nothing
 * (storage.md, SD-8).
 *
 * ```js
 * rangeOf('bytes=-5', 100) // { start: 95, end: 99 }
 * rangeOf('bytes=200-', 100) // 'unsatisfiable'
 * ```
 * @param size bytes of the file
 */
export function rangeOf (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = oneRange.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Number(last)
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) }
}
