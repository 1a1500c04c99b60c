/** Regular expressions in linear time: RE2's syntax and engine, never the backtracking one of JavaScript (security.md, S-22). */
import { RE2JS } from 're2js'
import { largestProgram } from './limits.js'

/** A pattern of JavaScript's syntax in RE2's, as far as that can be. */
export const translateRegExp = (source: string): string => RE2JS.translateRegExp(source)

interface Pattern { readonly source: string, readonly ignoreCase: boolean, readonly multiline: boolean }

/**
 * A test whether the pattern occurs anywhere in a text.
 * @throws Error saying what is wrong with the pattern: its syntax, something that takes backtracking, or its size
 */
export function compileRegExp ({ source, ignoreCase, multiline }: Pattern): (text: string) => boolean {
  const pattern = RE2JS.compile(source, (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0))
  if (pattern.programSize() > largestProgram) throw new Error('the pattern is too large')
  return text => pattern.test(text)
}
