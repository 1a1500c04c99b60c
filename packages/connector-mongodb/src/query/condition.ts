/** Conditions as filters of MongoDB. */
import type { Comparison, Condition } from '@fastback/core'
import { ownComparison } from '@fastback/core/connector'
import type { DocumentMap } from '../documents/document-map.js'
import { wordsFilter } from './search.js'
import { never, translatePositive, type Translated } from './comparison.js'

/**
 * A filter that lets every document through that meets a condition; exactly those where it says so. What is not exact
 * counts as always true, also under a negation.
 */
export function translate (condition: Condition, map: DocumentMap): Translated {
  switch (condition.kind) {
    case 'and': return all(condition.conditions.map(inner => translate(inner, map)))
    case 'or': return some(condition.conditions.map(inner => translate(inner, map)))
    case 'nor': return none(condition.conditions.map(inner => translate(inner, map)))
    default: {
      const comparison = ownComparison(condition)
      if (comparison.kind === 'search') return { filter: wordsFilter(comparison, map), exact: false }
      const positive = translatePositive(comparison, map)
      return isNegated(comparison) ? none([positive]) : positive
    }
  }
}

function isNegated (comparison: Comparison): boolean {
  switch (comparison.kind) {
    case 'compare': return comparison.op === 'neq'
    case 'in': return comparison.op === 'nin'
    case 'like': return comparison.negated
    case 'exists': return !comparison.exists
    default: return false
  }
}

function all (parts: readonly Translated[]): Translated {
  const filters = parts.map(({ filter }) => filter).filter(filter => Object.keys(filter).length > 0)
  return {
    filter: filters.length < 2 ? filters[0] ?? {} : { $and: filters },
    exact: parts.every(({ exact }) => exact)
  }
}

function some (parts: readonly Translated[]): Translated {
  const exact = parts.every(({ exact }) => exact)
  if (parts.length < 2) return { filter: parts[0]?.filter ?? never, exact }
  return { filter: { $or: parts.map(({ filter }) => filter) }, exact }
}

/** What may pass for other reasons says nothing when it is negated. */
function none (parts: readonly Translated[]): Translated {
  const filters = parts.filter(({ exact }) => exact).map(({ filter }) => filter)
  return { filter: filters.length === 0 ? {} : { $nor: filters }, exact: filters.length === parts.length }
}
