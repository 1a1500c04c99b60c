/**
 * Regular expressions in linear time: RE2's syntax and engine, never the backtracking one of JavaScript (security.md,
 * S-22).
 */
import { RE2JS, RE2Set } from 're2js'
import { largestProgram } from './limits.js'
import { sizeWrittenOut } from './pattern-size.js'
import type { Meter } from './work.js'

/** A pattern of JavaScript's syntax in RE2's, as far as that can be. */
export const translateRegExp = (source: string): string => RE2JS.translateRegExp(source)

interface Pattern { readonly source: string, readonly ignoreCase: boolean, readonly multiline: boolean }

export interface CompiledRegExp {
  /** Instructions of the program. */
  readonly size: number
  /** Units of work that a test of this text takes. */
  units (text: string): number
  test (text: string): boolean
}

/** Compiled when a condition is read, used when its rows are looked at; it hangs on the condition and goes with it. */
const COMPILED = Symbol('fastback.compiledPattern')

/**
 * Up to this many instructions a pattern begins on an automaton that learns its states from the texts: mostly ten times
 * as fast.
 */
const smallProgram = 32
/** Bytes that such an automaton may take; beyond, it begins anew or does without. */
const automatonSize = 16_384
/** Where learning costs more than it saves: so many units were counted, and one of them took so many milliseconds. */
const learning = { units: 20_000, perUnit: 0.000_04 }

/** How many times too much the size may be that is worked out of a pattern before it is compiled. */
const doubt = 4

function compile (pattern: Pattern): CompiledRegExp {
  const known = (pattern as { [COMPILED]?: CompiledRegExp })[COMPILED]
  if (known !== undefined) return known
  const { source, ignoreCase, multiline } = pattern
  // Without this, 256 characters (`(…){1000}`) are compiled to a quarter of a million instructions, to be refused then.
  if (sizeWrittenOut(source) > doubt * largestProgram) throw new Error('the pattern is too large')
  const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0)
  const program = RE2JS.compile(source, flags)
  const size = program.programSize()
  if (size > largestProgram) throw new Error('the pattern is too large')
  const plain = {
    size,
    units: (text: string) => (size + 8) * (text.length + 1),
    test: (text: string) => program.matcher(text).find()
  }
  const made = size > smallProgram ? plain : new Learning(source, flags, plain)
  return hang(pattern, made)
}

function hang (pattern: Pattern, made: CompiledRegExp): CompiledRegExp {
  Object.defineProperty(pattern, COMPILED, { value: made, configurable: true })
  return made
}

/**
 * Runs on an automaton until it shows that trying all instructions on each character is quicker. Both give the same
 * answers, so that the clock may decide.
 */
class Learning implements CompiledRegExp {
  #automaton: RE2Set | undefined
  #units = 0
  #milliseconds = 0

  constructor (source: string, flags: number, readonly plain: CompiledRegExp) {
    this.#automaton = new RE2Set(RE2Set.UNANCHORED, flags, automatonSize)
    this.#automaton.add(source)
  }

  get size (): number {
    return this.plain.size
  }

  /** An automaton looks at each character once. */
  units (text: string): number {
    return this.#automaton === undefined ? this.plain.units(text) : 20 + 2 * text.length
  }

  test (text: string): boolean {
    if (this.#automaton === undefined) return this.plain.test(text)
    const begun = performance.now()
    const found = this.#automaton.match(text).length > 0
    this.#milliseconds += performance.now() - begun
    this.#units += this.plain.units(text)
    if (this.#units > learning.units) {
      if (this.#milliseconds > this.#units * learning.perUnit) this.#automaton = undefined
      this.#units = this.#milliseconds = 0
    }
    return found
  }
}

const keyOf = ({ source, ignoreCase, multiline }: Pattern): string =>
  `${ignoreCase ? 'i' : ''}${multiline ? 'm' : ''}/${source}`

/**
 * Compiles a pattern that is being read.
 * @param others those of the same query, which is compiled once where it stands several times
 * @returns how many instructions it has
 * @throws Error saying what is wrong with it: its syntax, something that takes backtracking, or its size
 */
export function readProgram (pattern: Pattern, others: Map<string, CompiledRegExp>): number {
  const key = keyOf(pattern)
  const same = others.get(key)
  const made = same === undefined ? compile(pattern) : hang(pattern, same)
  others.set(key, made)
  return made.size
}

/** Where letters end that have another case. */
const lastFolded = 0x1e943
/** Instructions that characters are as much work as: classes are made of Unicode's tables, which takes its time. */
const classCost = { any: 1, ofUnicode: 25, range: 2, foldedCharacters: 200 }

const countOf = (text: string, part: RegExp): number => text.match(part)?.length ?? 0

/**
 * What compiling a pattern takes beside its instructions, in instructions: a class is one of these, and may have a
 * hundred thousand characters, whose other case is looked for one by one. Known before anything is compiled.
 *
 * ```js
 * costOfClasses({ source: '[a-z]', ignoreCase: true, multiline: false }, new Map()) // 1
 * costOfClasses({ source: '[a-\uffff]', ignoreCase: true, multiline: false }, new Map()) // 331
 * ```
 * @param others those of the same query, which cost nothing more
 */
export function costOfClasses (pattern: Pattern, others: ReadonlyMap<string, CompiledRegExp>): number {
  if (others.has(keyOf(pattern))) return 0
  const { source } = pattern
  const folds = pattern.ignoreCase || /\(\?[a-z]*i/i.test(source)
  let cost = countOf(source, /\[|\\[wds]/gi) * classCost.any + countOf(source, /\\p/gi) * classCost.ofUnicode
  // The end of a range, or what may be one; where it begins makes it no larger.
  for (const [, hex, character] of source.matchAll(/-(?:\\[xu]\{?([\da-f]+)|([^\0-\x7f]))/giu)) {
    const end = hex === undefined ? (character as string).codePointAt(0) as number : Number.parseInt(hex, 16)
    cost += classCost.range
    if (folds) cost += Math.ceil(Math.min(end, lastFolded) / classCost.foldedCharacters)
  }
  return cost
}

/**
 * A test whether the pattern occurs anywhere in a text. The same pattern object is compiled once.
 *
 * ```js
 * compileRegExp({ source: '^a.c$', ignoreCase: true, multiline: false })('ABC') // true
 * ```
 * @param meter counts instructions times characters, before a text is looked at; less where an automaton does it
 * @throws Error as `readProgram`
 */
export function compileRegExp (pattern: Pattern, meter?: Meter): (text: string) => boolean {
  const made = compile(pattern)
  if (meter === undefined) return text => made.test(text)
  return text => {
    meter.spend(made.units(text))
    return made.test(text)
  }
}
