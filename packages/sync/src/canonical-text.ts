/** Tells whether the JSON text of a row, as stores write it, is canonical already, without a look at each value. */
import type { CompiledModel } from '@fastback/core'
import { plainKinds } from '@fastback/core/connector'
import { canonicalJson, unescaped } from './canonical-json.js'

/** Characters of a row beyond which the expression for an object is not tried. */
const mostMatched = 20_000

/**
 * Makes the test for rows of a model: true where the text is the canonical JSON of what it says; false where it may not
 * be.
 *
 * ```js
 * const isCanonical = compileCanonicalTest(Note.compiled)
 * isCanonical('{"id":1,"title":"a"}') // true
 * isCanonical('{"id":1.0,"title":"a"}') // false
 * ```
 * @returns a test for JSON objects whose declared properties stand in the order of their names, those that are null
 * perhaps behind the others
 */
export function compileCanonicalTest (
  { open, properties, selectByName }: Pick<CompiledModel, 'open' | 'properties' | 'selectByName'>
): (row: string) => boolean {
  const canonical = objectOf(selectByName.names)
  const fits = (row: string): boolean => row.length <= mostMatched && canonical.test(row)
  const hasMembers = open || properties.some(({ type }) => !plainKinds.has(type.kind))
  return hasMembers ? fits : row => isPlain(row) || fits(row)
}

/** A number that all write alike. */
const number = '(?:0|-?[1-9]\\d{0,14}|-?(?:0|[1-9]\\d{0,8})\\.\\d{0,5}[1-9])'

/** What may be another number; null, since such a property may stand behind the others. */
const doubtful = new RegExp(`":(?:null|(?=[-\\d])(?!${number}[,}]))`)

/**
 * Whether all is ASCII with short escapes, no value is null, and numbers are such that all write alike. Where values
 * have no members that is enough, and seen in half the time that `objectOf` takes.
 */
const isPlain = (row: string): boolean =>
  Buffer.byteLength(row) === row.length && !row.includes('\u007f') && !row.includes('\\u') && !doubtful.test(row)

/** A string without characters that the protocol writes in another way, or such a number. */
const value = `(?:"${unescaped}*(?:\\\\["\\\\bfnrt]${unescaped}*)*"|true|false|null|${number})`

/** Members of these names, in this order; some may be missing. */
function objectOf (names: readonly string[]): RegExp {
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const members = names.map(name => `(?:${literal(`${canonicalJson(name)}:`)}${value}(?:,(?=")|(?=\\})))?`)
  return new RegExp(`^\\{${members.join('')}\\}$`)
}
