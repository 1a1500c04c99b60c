/**
 * What `pattern` of a schema is tested with (security.md, S-191). JavaScript's engine is the fastest, and may take the
 * square of a text's length, or more: so where a text is too long for that, RE2's engine tests it, in linear time.
 */
import { compileRegExp } from '../query/regexp.js'
import { degreeOf } from './pattern-degree.js'
import { toRe2 } from './to-re2.js'

/** Steps that JavaScript's engine may take for one text: some milliseconds. */
const mostSteps = 1_000_000
/** Characters that JavaScript's engine takes in any case, up to the power that stands beside. */
const shortText = { characters: 16, degree: 5 }

/** As much of a regular expression as Ajv uses. */
export interface Pattern {
  test (text: string): boolean
  /** Tells it from others. */
  toString (): string
}

/** Patterns are Unicode's; those that are none (a needless escape is enough) are taken as older ones. */
function nativePattern (pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return new RegExp(pattern)
  }
}

/** The pattern in RE2; undefined where that does not have it. */
function linearTest (native: RegExp): ((text: string) => boolean) | undefined {
  const source = native.unicode ? toRe2(native.source) : undefined
  if (source === undefined) return undefined
  try {
    return compileRegExp({ source, ignoreCase: false, multiline: false })
  } catch {
    // Its program is too large, or it has a property of characters that RE2 has not.
    return undefined
  }
}

class GuardedPattern implements Pattern {
  /** Characters up to which JavaScript's engine tests a text. */
  readonly #longest: number
  #linear: { readonly test: ((text: string) => boolean) | undefined } | undefined

  constructor (readonly native: RegExp, degree: number, readonly isForeign: boolean) {
    const { characters, degree: most } = shortText
    this.#longest = degree > most ? 0 : Math.max(characters, Math.floor(mostSteps ** (1 / degree)))
  }

  test (text: string): boolean {
    if (text.length <= this.#longest) return this.native.test(text)
    const { test } = this.#linear ??= { test: linearTest(this.native) }
    if (test !== undefined) return test(text)
    // Nobody here has written it, and nobody can say how long it takes.
    return this.isForeign ? false : this.native.test(text)
  }

  toString (): string {
    return String(this.native)
  }
}

/**
 * Makes what tests texts by the `pattern` of a schema.
 * @param isForeign whether somebody else wrote it (a description of an API): a text that is too long for JavaScript's
 * engine, and of a pattern that RE2 does not have, does not match then
 * @throws SyntaxError
 */
export function makePattern (pattern: string, flags: string, isForeign = false): Pattern {
  const native = nativePattern(pattern, flags)
  const degree = degreeOf(native.source)
  return degree === 1 ? native : new GuardedPattern(native, degree, isForeign)
}

/**
 * Whether a text can be tested by a pattern in time, however long it is: for what takes patterns over from others.
 *
 * ```js
 * isLinearPattern('^(a+)+$') // true: RE2 has it
 * isLinearPattern('^(?=(a+)+$)') // false
 * ```
 */
export function isLinearPattern (pattern: string): boolean {
  try {
    const native = nativePattern(pattern, 'u')
    return degreeOf(native.source) === 1 || linearTest(native) !== undefined
  } catch {
    return false
  }
}
