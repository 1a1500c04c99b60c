/** An order by related rows as one that the store answers by itself, where it does. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { LinkedCondition, LinkedValue, OrderTerm, PropertyPath } from '../query/ast.js'
import { resolving } from './access-condition.js'
import { storeOptions, type Operation } from './context.js'
import { linkAlong, type Resolving } from './related-conditions.js'

/** Undefined where rows must be read to be put in order. */
export function linkedOrder (
  operation: Operation, order: readonly OrderTerm[]
): MaybePromise<readonly OrderTerm[] | undefined> {
  const { model, options } = operation
  const { connector } = model
  if (connector.supportsLinkedOrder === undefined) return undefined
  const terms: OrderTerm[] = []
  const add = (term: OrderTerm): MaybePromise<void> => {
    if (!('related' in term)) {
      terms.push(term)
      return
    }
    const { related: { relations, path }, descending } = term
    return chain(linkedValue(model, relations, path, resolving(operation)), linked => {
      if (linked !== undefined) terms.push({ linked, descending })
    })
  }
  return chain(eachInSequence(order, add), () => {
    if (terms.length < order.length) return undefined
    return connector.supportsLinkedOrder?.(model, terms, storeOptions(model, options)) === true ? terms : undefined
  })
}

function linkedValue (
  model: CompiledModel, [name = '', ...further]: readonly string[], path: PropertyPath | undefined,
  how: Resolving
): MaybePromise<LinkedValue | undefined> {
  return chain(linkAlong(model, name, how), link => {
    if (link === undefined) return undefined
    const { from, model: first, to, condition } = link
    const value = further.length > 0
      ? linkedValue(model.relations.get(name)?.target()?.compiled as CompiledModel, further, path, how)
      : path ?? { countOf: countedBy(model, name, link) }
    return chain(value, value => value && { from, model: first, to, condition, value })
  })
}

/** Rows in between are counted by the rows that they lead to. */
function countedBy (model: CompiledModel, name: string, { model: { id }, to }: LinkedCondition): string {
  return model.relations.get(name)?.joins()[0]?.between?.keyThrough ?? id?.name ?? to
}
