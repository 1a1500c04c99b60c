/**
 * Conditions as LoopBack's `where`, as far as every connector means the same by them. What is left out is looked at
 * again in the rows that come back: a `where` matches every row that the condition matches, perhaps more.
 */
import type { Comparison, Condition, ConditionValue, PropertyPath, StoredModel } from '@fastback/core'
import { ownComparison } from '@fastback/core/connector'
import { allOf, anyOf, everything, exactly, never, type Pushed } from './pushed.js'
import type { Traits } from './traits.js'
import { toTrustedWhere } from './trusted-where.js'

type Asked = Pick<Traits, 'relational' | 'exactText'>

/** What of a condition the connector is asked for. */
export function toWhere (condition: Condition | undefined, traits: Traits, model: StoredModel): Pushed {
  if (condition === undefined) return { where: undefined, exact: true }
  return traits.trusted ? toTrustedWhere(condition, traits, model) : toCertainWhere(condition, traits)
}

/** What every connector means as we do. */
function toCertainWhere (condition: Condition, traits: Asked): Pushed {
  switch (condition.kind) {
    case 'and': return allOf(condition.conditions.map(inner => toCertainWhere(inner, traits)))
    case 'or': return anyOf(condition.conditions.map(inner => toCertainWhere(inner, traits)))
    case 'nor': return everything
    default: {
      const test = ownComparison(condition)
      return test.kind === 'search' ? everything : comparison(test, traits)
    }
  }
}

const plain = ['number', 'integer', 'long', 'bigint', 'boolean', 'date']

/** How a connector compares values at a path: `exact`, `wide` (equal text equals, and perhaps other text), or not. */
function comparing ({ path, declared, type }: PropertyPath, { exactText }: Asked): 'exact' | 'wide' | undefined {
  if (path.length > 0 || !declared) return undefined
  if (plain.includes(type.kind)) return 'exact'
  return type.kind === 'string' ? exactText ? 'exact' : 'wide' : undefined
}

const orNull = (name: string, where: unknown): Pushed => exactly({ or: [{ [name]: where }, { [name]: null }] })

function comparison (test: Comparison, traits: Asked): Pushed {
  const { path } = test
  const how = comparing(path, traits)
  if (test.kind === 'exists' && path.path.length === 0 && path.declared && traits.relational) {
    return exactly({ [path.property]: test.exists ? { neq: null } : null })
  }
  if (how === undefined) return everything
  const name = path.property
  const isText = path.type.kind === 'string'
  switch (test.kind) {
    case 'compare': return compare(name, test.op, test.value, how, isText)
    case 'in': return test.op === 'inq' ? among(name, test.values, how) : notAmong(name, test.values, how)
    case 'between':
      return isText ? everything : exactly({ [name]: { between: [test.from, test.to] } })
    case 'like':
      return isText && traits.relational && !test.negated && !test.ignoreCase && !/[\\[]/.test(test.pattern)
        ? { where: { [name]: { like: test.pattern } }, exact: false }
        : everything
    default: return everything
  }
}

function compare (
  name: string,
  op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte',
  value: ConditionValue,
  how: 'exact' | 'wide',
  isText: boolean
): Pushed {
  if (op === 'eq') return { where: { [name]: value }, exact: value === null || how === 'exact' }
  if (op === 'neq') {
    if (value === null) return exactly({ [name]: { neq: null } })
    return how === 'exact' ? orNull(name, { neq: value }) : everything
  }
  // Text is put in order by the collation of the store.
  return isText || value === null ? everything : exactly({ [name]: { [op]: value } })
}

function among (name: string, values: readonly ConditionValue[], how: 'exact' | 'wide'): Pushed {
  if (values.length === 0) return never
  const given = values.filter(value => value !== null)
  if (given.length === 0) return exactly({ [name]: null })
  const some = given.length === values.length ? exactly({ [name]: { inq: given } }) : orNull(name, { inq: given })
  return { ...some, exact: how === 'exact' } as Pushed
}

function notAmong (name: string, values: readonly ConditionValue[], how: 'exact' | 'wide'): Pushed {
  const given = values.filter(value => value !== null)
  if (values.length === 0) return { where: undefined, exact: true }
  if (given.length === 0) return exactly({ [name]: { neq: null } })
  if (how === 'wide') return everything
  return given.length === values.length
    ? orNull(name, { nin: given })
    : exactly({ and: [{ [name]: { nin: given } }, { [name]: { neq: null } }] })
}
