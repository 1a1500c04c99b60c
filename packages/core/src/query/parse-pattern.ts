/** Patterns: like, nlike, ilike, nilike, regexp. */
import { queryTooExpensive } from '../errors.js'
import type { Condition, PropertyPath } from './ast.js'
import { badClause, checkLimit, type ParseContext } from './parse-context.js'
import { nameOf } from './parse-value.js'
import { costOfClasses, readProgram, translateRegExp } from './regexp.js'

type Clause = Readonly<Record<string, unknown>>
type LikeOperator = 'like' | 'nlike' | 'ilike' | 'nilike'

/** In code a JavaScript regular expression may stand for the pattern, as in LoopBack. */
export function readLike (
  context: ParseContext,
  path: PropertyPath,
  operator: LikeOperator,
  operand: unknown,
  clause: Clause
): Condition {
  const negated = operator === 'nlike' || operator === 'nilike'
  if (operand instanceof RegExp) {
    const positive = readRegExp(context, path, operand, clause)
    return negated ? { kind: 'nor', conditions: [positive] } : positive
  }
  const pattern = patternText(context, path, operator, operand)
  const ignoreCase = operator === 'ilike' || operator === 'nilike' || flagsOf(path, clause).includes('i')
  return { kind: 'like', path, negated, ignoreCase, pattern }
}

/** `^x`, `/^x/i`, or in code a RegExp. */
export function readRegExp (context: ParseContext, path: PropertyPath, operand: unknown, clause: Clause): Condition {
  const [source, flags] =
    operand instanceof RegExp
      ? [operand.source, operand.flags]
      : splitRegExp(patternText(context, path, 'regexp', operand))
  const all = flags + flagsOf(path, clause)
  if (/[^gimuy]/.test(all)) throw badClause(nameOf(path), { regexp: String(operand) }, `unknown flags "${all}"`)
  mustHoldText(path, 'regexp')
  const condition = {
    kind: 'regexp' as const,
    path,
    source: translateRegExp(source),
    ignoreCase: all.includes('i'),
    multiline: all.includes('m')
  }
  const patterns = context.counts.patterns ??= new Map()
  spendProgram(context, costOfClasses(condition, patterns))
  let size: number
  try {
    size = readProgram(condition, patterns)
  } catch (error) {
    throw badClause(nameOf(path), { regexp: String(operand) }, (error as Error).message)
  }
  spendProgram(context, size)
  return condition
}

/** @throws RequestError 400 QUERY_TOO_EXPENSIVE for patterns that are too large together */
function spendProgram ({ counts, limits: { program }, external }: ParseContext, instructions: number): void {
  if ((counts.program += instructions) > program && external) throw queryTooExpensive('program', program)
}

/** The parts of `/^x/i`; a text without slashes is a pattern as it is. */
function splitRegExp (text: string): [source: string, flags: string] {
  const match = /^\/(.*)\/([a-z]*)$/s.exec(text)
  return match === null ? [text, ''] : [match[1] as string, match[2] as string]
}

function patternText (context: ParseContext, path: PropertyPath, operator: string, operand: unknown): string {
  if (typeof operand !== 'string') throw badClause(nameOf(path), { [operator]: operand }, 'Expected a string or RegExp')
  checkLimit(context, operand.length, context.limits.patternLength, `characters in a ${operator} pattern`)
  mustHoldText(path, operator)
  return operand
}

/** Patterns are for text: on a number or a date every store would answer something else. */
function mustHoldText (path: PropertyPath, operator: string): void {
  let { type } = path
  while (type.kind === 'array' && type.items !== undefined) type = type.items
  if (type.kind !== 'string' && type.kind !== 'any' && type.kind !== 'object' && type.kind !== 'array') {
    throw badClause(nameOf(path), operator, `${operator} needs text, and the property is a ${type.kind}`)
  }
}

function flagsOf (path: PropertyPath, clause: Clause): string {
  const flags = clause.options ?? clause.$options
  if (flags === undefined || flags === null) return ''
  if (typeof flags !== 'string' || !/^[gim]*$/.test(flags)) {
    throw badClause(nameOf(path), clause, 'options must be letters of "gim"')
  }
  return flags
}
