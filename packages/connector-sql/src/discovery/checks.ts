/** From checks of a table to what a property may hold (discovery.md, DT-1). */
import { isLinearPattern } from '@fastback/core/connector'

type Found = { readonly column: string, readonly rules: Record<string, unknown> }

const name = '["`[]?([\\w$]+)["`\\]]?(?:::\\w+(?: \\w+)*)?'
const number = "'?(-?\\d+(?:\\.\\d+)?)'?(?:::\\w+(?: \\w+)*)?"

/** Characters of a check that is looked at. */
const longest = 10_000

const bounds: Readonly<Record<string, string>> = {
  '>=': 'minimum', '<=': 'maximum', '>': 'exclusiveMinimum', '<': 'exclusiveMaximum'
}

/**
 * What one check says of one column; undefined where it says something else.
 * @param given the expression, or `CHECK (…)`
 */
export function ruleOf (given: string): Found | undefined {
  if (given.length > longest) return undefined
  const check = withoutBrackets(given.replace(/^\s*check\s*/i, ''))
  // Bounded: at most 10,000 characters, a check that is looked at.
  const both = /^(.+?)\s+and\s+(.+)$/is.exec(check)
  const between = new RegExp(`^${name} between ${number} and ${number}$`, 'i').exec(check)
  if (between !== null) {
    return { column: between[1] as string, rules: { minimum: Number(between[2]), maximum: Number(between[3]) } }
  }
  if (both !== null) {
    const [first, second] = [ruleOf(both[1] as string), ruleOf(both[2] as string)]
    return first === undefined || second === undefined || first.column !== second.column
      ? undefined
      : { column: first.column, rules: { ...first.rules, ...second.rules } }
  }
  const bound = new RegExp(`^\\(?${name}\\)?\\s*(>=|<=|>|<)\\s*\\(?${number}\\)?(?:::\\w+(?: \\w+)*)?$`, 'i').exec(check)
  if (bound !== null) {
    const keyword = bounds[bound[2] as string] as string
    return { column: bound[1] as string, rules: { [keyword]: Number(bound[3]) } }
  }
  const length = new RegExp(`^(?:char_|character_)?length\\s*\\(\\(*${name}\\)*(?:::text)?\\)\\s*(<=|>=|<|>|=)\\s*${number}$`, 'i').exec(check)
  if (length !== null) {
    return { column: length[1] as string, rules: lengths(length[2] as string, Number(length[3])) }
  }
  const pattern = new RegExp(`^\\(?${name}\\)?(?:::text)?\\s*(?:~|regexp)\\s*'((?:[^']|'')*)'(?:::text)?$`, 'i').exec(check)
  if (pattern !== null && isPattern(pattern[2] as string)) {
    return { column: pattern[1] as string, rules: { pattern: unescaped(pattern[2] as string) } }
  }
  return listOf(check)
}

function lengths (comparison: string, given: number): Record<string, unknown> {
  switch (comparison) {
    case '=': return { minLength: given, maxLength: given }
    case '<': return { maxLength: given - 1 }
    case '>': return { minLength: given + 1 }
    default: return { [comparison === '<=' ? 'maxLength' : 'minLength']: given }
  }
}

/** `column in ('a', 'b')`, also as PostgreSQL writes it: `column = any (array['a'::text, 'b'::text])`. */
function listOf (check: string): Found | undefined {
  const list = new RegExp(`^\\(*${name}\\)*(?:::text)?\\s*(?:in\\s*\\(|=\\s*any\\s*\\(+\\s*array\\s*\\[)(.*)$`, 'is').exec(check)
  const [, column = '', inside = ''] = list ?? []
  const numbers = /^\s*(-?\d+(?:\.\d+)?(?:\s*,\s*-?\d+(?:\.\d+)?)*)\s*[\])]+$/.exec(inside)?.[1]
  if (numbers !== undefined) return { column, rules: { enum: numbers.split(',').map(Number) } }
  // Behind the last text there are closing brackets, and types.
  const behind = inside.slice(inside.lastIndexOf("'") + 1).replaceAll(/::\w+(?: \w+)*(?:\[\])?/g, '')
  if (list === null || !/^[\])]+$/.test(behind)) return undefined
  const values = [...inside.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => unescaped(text as string))
  return values.length === 0 ? undefined : { column, rules: { enum: values } }
}

/** `json_valid(column)`: how MariaDB knows a column of JSON. */
export const jsonColumnOf = (check: string): string | undefined =>
  /^\s*(?:check\s*)?\(*json_valid\(["`]?([\w$]+)["`]?\)\)*\s*$/i.exec(check)?.[1]

const unescaped = (text: string): string => text.replaceAll("''", "'")

/** Brackets that hold the whole expression. */
function withoutBrackets (given: string): string {
  const text = given.trim()
  if (!text.startsWith('(') || !text.endsWith(')')) return text
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0 && at < text.length - 1) return text
  }
  return withoutBrackets(text.slice(1, -1))
}

/** One of JavaScript's that takes no long time, whoever wrote the check (security.md, S-191). */
function isPattern (text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '' && isLinearPattern(text)
  } catch {
    return false
  }
}
