/** Conditions on sealed properties as those on their hashes: stores compare no sealed text. */
import { sealedInQuery } from '../errors.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Comparison, Condition, ConditionValue, OrderTerm, PropertyPath } from '../query/ast.js'
import { propertiesOfTerm, propertiesOfTest } from '../query/named-properties.js'
import { hashNameOf } from './sealed-properties.js'

/** What a text of a property is found by. */
export type Hashes = (property: string, text: string) => readonly string[]

/**
 * The same condition for the store.
 * @throws RequestError 400 SEALED_PROPERTY_IN_QUERY for anything but equality with a searchable property
 */
export function hashedCondition (
  model: StoredModel, condition: Condition | undefined, hashes: Hashes
): Condition | undefined {
  if (condition === undefined) return undefined
  if ('conditions' in condition) {
    const conditions = condition.conditions.map(each => hashedCondition(model, each, hashes) as Condition)
    return { ...condition, conditions }
  }
  if (condition.kind === 'linked') {
    mustBePlain(model, condition.from)
    return condition
  }
  if (condition.kind === 'related') return condition
  const sealed = propertiesOfTest(condition).find(name => model.propertyByName.get(name)?.sealed !== undefined)
  return sealed === undefined ? condition : hashedTest(model, sealed, condition as Comparison, hashes)
}

/** @throws RequestError 400 SEALED_PROPERTY_IN_QUERY for an order by what is sealed */
export function mustOrderPlain (model: StoredModel, order: readonly OrderTerm[]): void {
  for (const name of order.flatMap(propertiesOfTerm)) mustBePlain(model, name)
}

function mustBePlain (model: StoredModel, name: string): void {
  if (model.propertyByName.get(name)?.sealed !== undefined) throw sealedInQuery(model.name, name, 'query')
}

function hashedTest (model: StoredModel, name: string, test: Comparison, hashes: Hashes): Condition {
  const refuse = (): never => { throw sealedInQuery(model.name, name, 'where') }
  if (model.propertyByName.get(name)?.sealed !== 'searchable' || test.path.path.length > 0) return refuse()
  const hash: PropertyPath = { property: hashNameOf(name), path: [], type: { kind: 'string' }, declared: true }
  const asText: PropertyPath = { property: name, path: [], type: { kind: 'string' }, declared: true }
  const among = (op: 'inq' | 'nin', values: readonly ConditionValue[]): Condition => {
    const texts = values.filter(value => value !== null)
    const found = texts.flatMap(value => typeof value === 'string' ? hashes(name, value) : refuse())
    const tests: Condition[] = found.length === 0 ? [] : [{ kind: 'in', path: hash, op, values: found }]
    // Null is told by the value: rows that are not sealed yet have no hash.
    if (texts.length < values.length) {
      tests.push({ kind: 'compare', path: asText, op: op === 'inq' ? 'eq' : 'neq', value: null })
    }
    return tests.length === 1 ? tests[0] as Condition : { kind: op === 'inq' ? 'or' : 'and', conditions: tests }
  }
  switch (test.kind) {
    case 'in':
      return among(test.op, test.values)
    case 'compare':
      if (test.op !== 'eq' && test.op !== 'neq') return refuse()
      return test.value === null ? { ...test, path: asText } : among(test.op === 'eq' ? 'inq' : 'nin', [test.value])
    default:
      return refuse()
  }
}
