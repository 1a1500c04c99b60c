/**
 * A condition of a rule with its variables, and what it becomes for a request. A comparison with a value that is
 * missing is neither true nor false, as in SQL: no row passes by it, also not below `nor`, `every` or `none`.
 */
import type { ModelClass } from '@fastback/core'
import { operatorNames, operatorOptionNames, type OperatorName } from '@fastback/core/query'
import { nearest, relationsOf } from '@fastback/core/remote'
import { readVariable, scalarOf, scalarsOf, type ValueOf, type Variable } from './variables.js'

export type Where = Readonly<Record<string, unknown>>

/** What no row passes, and what all do. */
export const never: Where = Object.freeze({ or: Object.freeze([]) })
const always: Where = Object.freeze({ and: Object.freeze([]) })

export type Operand = { readonly value: unknown } | { readonly variable: Variable }

export type Node =
  | { readonly kind: 'and' | 'or' | 'nor', readonly nodes: readonly Node[] }
  /** `quantifier` undefined: rows that a relation to one row leads to. */
  | { readonly kind: 'related', readonly name: string, readonly quantifier: string | undefined, readonly node: Node }
  | { readonly kind: 'written', readonly where: Where }
  | {
    readonly kind: 'compare'
    readonly name: string
    /** Undefined: equality. */
    readonly operator: string | undefined
    readonly operands: readonly Operand[]
    /** Whether it takes a list. */
    readonly isList: boolean
  }

/** A condition of a rule that has been read. */
export interface Template {
  readonly node: Node
  readonly variables: readonly Variable[]
  /** As written. */
  readonly written: unknown
}

const quantifiers: readonly string[] = ['some', 'every', 'none']
const scalarOperators: readonly string[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] satisfies OperatorName[]
const listOperators: readonly string[] = ['inq', 'nin'] satisfies OperatorName[]
const operators: readonly string[] = [...operatorNames, ...operatorOptionNames]
/** All others, whose operands are a language of their own: what a variable says there would be read in it. */
const otherOperators = operators.filter(name => !scalarOperators.includes(name) && !listOperators.includes(name))

/** Kinds of properties that are compared with objects. */
const objects: readonly string[] = ['any', 'object', 'model', 'array', 'geopoint', 'buffer']

class Reader {
  readonly variables: Variable[] = []
  readonly faults: string[] = []

  /** A condition of the rows of any of the models. */
  where (models: readonly ModelClass[], written: unknown): Node {
    if (!isRecord(written)) return this.#fault(`${shown(written)} is no condition.`)
    return { kind: 'and', nodes: Object.entries(written).map(([key, value]) => this.#part(models, key, value)) }
  }

  #part (models: readonly ModelClass[], key: string, value: unknown): Node {
    if (key === 'and' || key === 'or' || key === 'nor') {
      if (!Array.isArray(value)) return this.#fault(`"${key}" takes a list of conditions.`)
      return { kind: key, nodes: (value as unknown[]).map(each => this.where(models, each)) }
    }
    const [first = '', ...rest] = key.split('.')
    const property = models.map(Model => Model.compiled.propertyByName.get(first)).find(each => each !== undefined)
    if (property !== undefined) {
      return this.#property(key, value, rest.length > 0 || objects.includes(property.type.kind))
    }
    const relation = models.map(Model => relationsOf(Model).get(first)).find(each => each !== undefined)
    if (relation !== undefined) {
      const targets = relation.joins().map(({ target }) => target)
      return this.#related(targets, first, relation.multiple, rest.length === 0 ? value : { [rest.join('.')]: value })
    }
    const [Model] = models
    const known = models.flatMap(each => [...each.compiled.propertyByName.keys(), ...relationsOf(each).keys()])
    return this.#fault(
      `"${key}" is no property or relation of "${Model?.modelName ?? ''}".${nearest(first, known)}`)
  }

  #related (targets: readonly ModelClass[], name: string, isSeveral: boolean, value: unknown): Node {
    if (value === null && !isSeveral) return { kind: 'written', where: { [name]: null } }
    if (!isRecord(value)) return this.#fault(`the relation "${name}" takes a condition.`)
    const keys = Object.keys(value)
    const isQuantified = keys.length > 0 && keys.every(key => quantifiers.includes(key))
    if (isQuantified) {
      const nodes = keys.map((quantifier): Node =>
        ({ kind: 'related', name, quantifier, node: this.where(targets, value[quantifier]) }))
      return { kind: 'and', nodes }
    }
    if (isSeveral) return this.#fault(`"${name}" leads to several rows: write { "${name}": { "some": { … } } }.`)
    return { kind: 'related', name, quantifier: undefined, node: this.where(targets, value) }
  }

  /** @param mayHoldObjects whether an object may be a value to compare with */
  #property (name: string, value: unknown, mayHoldObjects: boolean): Node {
    if (!isRecord(value)) return this.#compare(name, undefined, value)
    const keys = Object.keys(value)
    const isOperators = keys.length > 0 && keys.every(key => operators.includes(key))
    if (!isOperators) {
      const isValue = mayHoldObjects && !keys.some(key => operators.includes(key) || key.startsWith('$'))
      const odd = isValue ? undefined : keys.find(key => !operators.includes(key)) ?? '{}'
      if (odd !== undefined) return this.#fault(`"${odd}" of "${name}" is no operator.${nearest(odd, operators)}`)
      this.#mustBePlain(value, `"${name}"`)
      return { kind: 'written', where: { [name]: value } }
    }
    const others = keys.filter(key => otherOperators.includes(key) && key !== 'between')
    for (const key of others) this.#mustBePlain(value[key], `"${key}" of "${name}"`)
    const nodes = keys.filter(key => !others.includes(key)).map(key => this.#compare(name, key, value[key]))
    if (others.length > 0) {
      nodes.push({ kind: 'written', where: { [name]: Object.fromEntries(others.map(key => [key, value[key]])) } })
    }
    return { kind: 'and', nodes }
  }

  #compare (name: string, operator: string | undefined, written: unknown): Node {
    const isList = operator !== undefined && (listOperators.includes(operator) || operator === 'between')
    const takesList = operator === 'inq' || operator === 'nin'
    if (!isList && Array.isArray(written)) {
      this.#mustBePlain(written, `"${name}"`)
      return { kind: 'written', where: { [name]: operator === undefined ? written : { [operator]: written } } }
    }
    const values: unknown[] = isList ? [written].flat() : [written]
    const operands = values.map(each => this.#operand(each, takesList, name))
    if (operator === 'between' && operands.length !== 2) return this.#fault(`"between" of "${name}" takes two values.`)
    return { kind: 'compare', name, operator, operands, isList }
  }

  #operand (written: unknown, takesList: boolean, name: string): Operand {
    const read = readVariable(written)
    if ('fault' in read) {
      this.faults.push(read.fault)
      return { value: null }
    }
    if ('variable' in read) {
      this.variables.push(read.variable)
      if (read.variable.of === 'roles' && !takesList) {
        this.faults.push(`"$roles" of "${name}" is a list: write { "${name}": { "inq": "$roles" } }.`)
      }
    } else this.#mustBePlain(read.value, `"${name}"`, true)
    return read
  }

  /** Variables stand for values that are compared, and nowhere else. */
  #mustBePlain (value: unknown, at: string, isRead = false): void {
    if (typeof value === 'string') {
      if (!isRead && !('value' in readVariable(value))) this.faults.push(`${at} takes no variable there.`)
    } else if (Array.isArray(value)) for (const each of value as unknown[]) this.#mustBePlain(each, at)
    else if (isRecord(value)) for (const each of Object.values(value)) this.#mustBePlain(each, at)
  }

  #fault (says: string): Node {
    this.faults.push(says)
    return { kind: 'written', where: never }
  }
}

/**
 * Reads a condition of a rule of a model.
 *
 * ```js
 * readTemplate(Note, { ownerId: '$user.id' }).faults // []
 * ```
 * @returns the template, and what in it cannot be meant: sentences
 */
export function readTemplate (Model: ModelClass, written: unknown): { template: Template, faults: readonly string[] } {
  const reader = new Reader()
  let node: Node
  try {
    node = reader.where([Model], written)
  } catch (error) {
    // A relation that leads nowhere yet.
    node = { kind: 'written', where: never }
    reader.faults.push((error as Error).message)
  }
  return { template: { node, variables: reader.variables, written }, faults: reader.faults }
}

/**
 * The condition with the values of a request, for the query language.
 *
 * ```js
 * bindTemplate(template, () => 7) // { and: [{ ownerId: 7 }] }
 * ```
 * @param isNegated whether it stands below a negation: what is not known counts as true then, so that nothing passes
 */
export const bindTemplate = ({ node }: Template, valueOf: ValueOf, isNegated = false): Where =>
  bind(node, valueOf, !isNegated)

/** @param isAsked false below a negation, where what is not known has to count as true */
function bind (node: Node, valueOf: ValueOf, isAsked: boolean): Where {
  const unknown = isAsked ? never : always
  switch (node.kind) {
    case 'written': return node.where
    case 'and': case 'or': return { [node.kind]: node.nodes.map(each => bind(each, valueOf, isAsked)) }
    case 'nor': return { nor: node.nodes.map(each => bind(each, valueOf, !isAsked)) }
    case 'related': {
      const { name, quantifier } = node
      const isPositive = isAsked && (quantifier === undefined || quantifier === 'some')
      // What follows from there being no related row at all must not follow from a value that is missing.
      if (!isPositive && lacks(node.node, valueOf)) return unknown
      const inner = { and: [bind(node.node, valueOf, isPositive)] }
      return { [name]: quantifier === undefined ? inner : { [quantifier]: inner } }
    }
    case 'compare': return compared(node, valueOf, isAsked) ?? unknown
  }
}

type Comparing = Extract<Node, { kind: 'compare' }>

/** Undefined: a value is missing. */
function compared (
  { name, operator, operands, isList }: Comparing, valueOf: ValueOf, isAsked: boolean
): Where | undefined {
  if (operator === 'inq' || operator === 'nin') {
    const values = operands.map(each => 'value' in each ? [each.value] : scalarsOf(valueOf(each.variable)))
    // What is among those that are there is among all of them.
    const known = operator === 'inq' && isAsked ? values.filter(each => each !== undefined) : values
    return known.includes(undefined) ? undefined : { [name]: { [operator]: known.flat() } }
  }
  const values = operands.map(each => 'value' in each ? each.value : scalarOf(valueOf(each.variable)))
  if (operands.some((each, i) => 'variable' in each && values[i] === undefined)) return undefined
  const value = isList ? values : values[0]
  return { [name]: operator === undefined ? value : { [operator]: value } }
}

function lacks (node: Node, valueOf: ValueOf): boolean {
  switch (node.kind) {
    case 'written': return false
    case 'and': case 'or': case 'nor': return node.nodes.some(each => lacks(each, valueOf))
    case 'related': return lacks(node.node, valueOf)
    case 'compare': return compared(node, valueOf, false) === undefined
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) && !(value instanceof RegExp)

export const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)
