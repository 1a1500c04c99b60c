/** Operators and conditions in words. */
import type { OperatorName, OperatorOption } from '@fastback/core/query'
import type { Where } from './subjects.js'

const wording: Readonly<Record<OperatorName | OperatorOption<'distances'> | '', string>> = {
  '': 'is',
  eq: 'is',
  neq: 'is not',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  inq: 'is one of',
  nin: 'is none of',
  between: 'is between',
  like: 'is like',
  nlike: 'is not like',
  ilike: 'is like, in any case',
  nilike: 'is not like, in any case',
  regexp: 'fits the expression',
  exists: 'has a value',
  near: 'is near',
  maxDistance: 'at most away',
  minDistance: 'at least away',
  unit: 'distances in'
}
const words: ReadonlyMap<string, string> = new Map(Object.entries(wording))

/** Characters of a value that are said. */
const most = 60

/** An operator as it is offered. */
export const operatorWords = (operator: string): string => words.get(operator) ?? operator

/**
 * A condition in words.
 *
 * ```js
 * conditionWords({ stars: { gte: 4 } }) // 'stars ≥ 4'
 * ```
 */
export function conditionWords (where: Where): string {
  return Object.entries(where).map(([name, condition]) => {
    if (name === 'and' || name === 'or') {
      const all = ([condition].flat() as Where[]).filter(each => each !== null && typeof each === 'object').map(conditionWords)
      return all.join(name === 'and' ? ', ' : ' or ')
    }
    return testWords(name, condition)
  }).join(', ')
}

function testWords (name: string, condition: unknown): string {
  if (condition === null || typeof condition !== 'object' || Array.isArray(condition)) return `${name} is ${textOf(condition)}`
  return Object.entries(condition).map(([operator, value]) => {
    if (words.has(operator)) return operator === 'exists' ? `${name} ${existsWords(value)}` : `${name} ${operatorWords(operator)} ${textOf(value)}`
    // Of a related row.
    return testWords(operator === 'some' ? name : `${name}.${operator}`, value)
  }).join(', ')
}

const existsWords = (value: unknown): string => value === false ? 'has no value' : 'has a value'

function textOf (value: unknown): string {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
