/**
 * Conditions as LoopBack hands them to a connector that is trusted with them: all that `where` can say, each as the
 * store means it. What it cannot say is looked at again in the rows that come back, as with `where.ts`.
 */
import type { Comparison, Condition, ConditionValue, PropertyPath, StoredModel } from '@fastback/core'
import { holdsDecimals, ownComparison, plainKinds } from '@fastback/core/connector'
import type { Traits } from './traits.js'
import { anyOf, allOf, everything, exactly, never, type Pushed } from './pushed.js'
import { isStoredName } from './stored-names.js'

/** What of a condition a trusted connector is asked for. */
export function toTrustedWhere (condition: Condition, traits: Traits, model: StoredModel): Pushed {
  switch (condition.kind) {
    case 'and': return allOf(condition.conditions.map(inner => toTrustedWhere(inner, traits, model)))
    case 'or': return anyOf(condition.conditions.map(inner => toTrustedWhere(inner, traits, model)))
    // Connectors of tables take it for a property, and leave it out.
    case 'nor': return everything
    default: {
      const test = ownComparison(condition)
      return test.kind === 'search' ? everything : comparison(test, traits, model)
    }
  }
}

function comparison (test: Comparison, traits: Traits, model: StoredModel): Pushed {
  const { path, path: { property, visible } } = test
  // What the caller may not see of a value takes no part.
  if (visible !== undefined) return everything
  // No row has it, though the store has a value under that name (S-170).
  if (isStoredName(model, property, traits.connector)) return everything
  const name = [property, ...path.path].join('.')
  if (test.kind === 'exists') return exists(name, test, traits)
  // Stores may keep decimals as texts, which they would compare as these.
  if ((!traits.documents && !isPlain(path)) || holdsDecimals(path.type)) return everything
  switch (test.kind) {
    case 'compare': return compare(name, test, traits)
    case 'in': return among(name, test, traits)
    case 'between': return exactly({ [name]: { between: [test.from, test.to] } })
    case 'like': return like(name, test, traits)
    default: return everything
  }
}

/** What each store has: a declared property with single values. */
const isPlain = ({ path, declared, type }: PropertyPath): boolean =>
  path.length === 0 && declared && plainKinds.has(type.kind) && !holdsDecimals(type)

function exists (name: string, test: Comparison & { kind: 'exists' }, { relational, documents }: Traits): Pushed {
  if (relational && isPlain(test.path)) return exactly({ [name]: test.exists ? { neq: null } : null })
  // Who writes MongoDB's operators has a store that knows them.
  if (relational || (!documents && test.extended !== true)) return everything
  return exactly({ [name]: { [test.extended === true ? '$exists' : 'exists']: test.exists } })
}

/** What is null or missing is unequal to every value, which stores of tables see otherwise. */
const orNull = (name: string, where: unknown): Pushed => exactly({ or: [{ [name]: where }, { [name]: null }] })

/**
 * Of a rule's texts the collation of a column finds more rows than are meant: they are looked at again (security.md,
 * S-201).
 */
const again = (positive: Pushed, isPositive: boolean): Pushed =>
  isPositive && positive.never !== true ? { ...positive, exact: false } : everything

function compare (name: string, test: Comparison & { kind: 'compare' }, { exactText }: Traits): Pushed {
  const { op, value, isExact } = test
  if (isExact === true && !exactText) return again(exactly({ [name]: value }), op === 'eq')
  if (op === 'eq') return exactly({ [name]: value })
  if (op === 'neq') return value === null ? exactly({ [name]: { neq: null } }) : orNull(name, { neq: value })
  return value === null ? everything : exactly({ [name]: { [op]: value } })
}

function among (name: string, test: Comparison & { kind: 'in' }, { exactText }: Traits): Pushed {
  const { op, values, isExact } = test
  if (isExact === true && !exactText) return again(amongAll(name, 'inq', values), op === 'inq')
  return amongAll(name, op, values)
}

function amongAll (name: string, op: 'inq' | 'nin', values: readonly ConditionValue[]): Pushed {
  const given = values.filter(value => value !== null)
  const hasNull = given.length < values.length
  if (op === 'inq') {
    if (values.length === 0) return never
    if (given.length === 0) return exactly({ [name]: null })
    return hasNull ? orNull(name, { inq: given }) : exactly({ [name]: { inq: given } })
  }
  if (values.length === 0) return { where: undefined, exact: true }
  if (given.length === 0) return exactly({ [name]: { neq: null } })
  if (!hasNull) return orNull(name, { nin: given })
  return exactly({ and: [{ [name]: { nin: given } }, { [name]: { neq: null } }] })
}

/** Of the patterns each database has `like`; signs that only some of them know are looked at again. */
function like (name: string, test: Comparison & { kind: 'like' }, { relational, ignoresCase }: Traits): Pushed {
  if (/[\\[]/.test(test.pattern)) return everything
  const operator = `${test.negated ? 'n' : ''}${test.ignoreCase ? 'i' : ''}like`
  if (relational && test.ignoreCase && !ignoresCase) return everything
  // A document store takes the pattern for a regular expression.
  if (!relational) return everything
  return test.negated ? orNull(name, { [operator]: test.pattern }) : exactly({ [name]: { [operator]: test.pattern } })
}
