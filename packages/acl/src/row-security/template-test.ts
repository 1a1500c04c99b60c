/**
 * A condition of a rule as a test of policies. A comparison with a value that the caller has not is decided where it
 * stands, as `bindTemplate` does: false, and true below a negation.
 */
import type { Condition, ModelClass, PolicyTest, PropertyPath, Relation } from '@fastback/core'
import { hasPart, parseWhere } from '@fastback/core/connector'
import { relationsOf } from '@fastback/core/remote'
import type { Node, Operand, Where } from '../rows/template.js'
import type { Variable } from '../rows/variables.js'
import { allOf, always, anyOf, callerValue, notOf, Unsayable } from './tests.js'

type Comparing = Extract<Node, { kind: 'compare' }>
type Related = Extract<Node, { kind: 'related' }>
type Quantifier = 'some' | 'every' | 'none'
type Compare = Extract<PolicyTest, { kind: 'compare' }>

/**
 * @param isAsked false below a negation
 * @throws Unsayable
 */
export function testOf (Model: ModelClass, node: Node, isAsked: boolean): PolicyTest {
  switch (node.kind) {
    case 'written': return whereTest(Model, node.where, isAsked)
    case 'and': return allOf(node.nodes.map(each => testOf(Model, each, isAsked)))
    case 'or': return anyOf(node.nodes.map(each => testOf(Model, each, isAsked)))
    case 'nor': return notOf(anyOf(node.nodes.map(each => testOf(Model, each, !isAsked))))
    case 'related': return relatedTemplate(Model, node, isAsked)
    case 'compare': return compareTest(Model, node, isAsked)
  }
}

/** A condition without variables, in JSON. */
function whereTest (Model: ModelClass, where: Where, isAsked = true): PolicyTest {
  return conditionTest(Model, readWhere(Model, where), isAsked)
}

function readWhere ({ compiled, modelName }: ModelClass, where: Where): Condition | undefined {
  try {
    return parseWhere(compiled, where, compiled.parsing.rules)
  } catch (error) {
    throw new Unsayable(`has a condition on rows of "${modelName}" that cannot be read: ${(error as Error).message}`)
  }
}

function conditionTest (Model: ModelClass, condition: Condition | undefined, isAsked: boolean): PolicyTest {
  if (condition === undefined) return always
  if (!hasPart(condition, ({ kind }) => kind === 'related')) return { kind: 'row', condition }
  switch (condition.kind) {
    case 'and': return allOf(condition.conditions.map(each => conditionTest(Model, each, isAsked)))
    case 'or': return anyOf(condition.conditions.map(each => conditionTest(Model, each, isAsked)))
    case 'nor': return notOf(anyOf(condition.conditions.map(each => conditionTest(Model, each, !isAsked))))
    case 'related': return alongTest(Model, condition.relation, condition.quantifier, target => conditionTest(
      target, condition.targets.find(({ modelName }) => modelName === target.modelName)?.condition, isAsked))
    default: throw new Unsayable('looks at related rows within embedded ones')
  }
}

function relatedTemplate (Model: ModelClass, { name, node, ...related }: Related, isAsked: boolean): PolicyTest {
  const quantifier = (related.quantifier ?? 'some') as Quantifier
  const isPositive = isAsked && quantifier === 'some'
  const innerAsked = quantifier === 'none' ? !isAsked : isAsked
  const test = alongTest(Model, name, quantifier, target => testOf(target, node, innerAsked))
  if (isPositive) return test
  // What follows from there being no related row at all must not follow from a value that is missing.
  const lacks = missing(variablesOf(node))
  return isAsked ? allOf([...lacks.map(notOf), test]) : anyOf([...lacks, test])
}

/** @param inner what related rows are tested by, of each model that they may be of */
function alongTest (
  Model: ModelClass, name: string, quantifier: Quantifier, inner: (target: ModelClass) => PolicyTest
): PolicyTest {
  const relation = relationsOf(Model).get(name) as Relation
  if (relation.embedded) throw new Unsayable(`looks at "${name}", whose rows are embedded`)
  const some = anyOf(relation.joins().map(join => {
    const { target, from, to, when, only, where, between, isPaged } = join
    if (isPaged) throw new Unsayable(`looks at "${name}", which has a page`)
    const passing = quantifier === 'every' ? notOf(inner(target)) : inner(target)
    const end = allOf([scopeTest(target), passing])
    const first = between?.model ?? target
    const beyond: PolicyTest = between === undefined
      ? end
      : { kind: 'linked', from: between.keyThrough, model: target.compiled, to: between.targetKey, test: end }
    const test = allOf([whereTest(first, only), conditionTest(first, where, true), beyond])
    return allOf([whereTest(Model, when), { kind: 'linked', from, model: first.compiled, to, test }])
  }))
  return quantifier === 'some' ? some : notOf(some)
}

/** Related rows are those that reads of their model find. */
function scopeTest (Model: ModelClass): PolicyTest {
  const { definition: { scope }, hooks } = Model.compiled
  if (hooks.access !== undefined) throw new Unsayable(`looks at rows of "${Model.modelName}", whose reads a hook narrows`)
  if (scope === undefined || scope === null) return always
  if (typeof scope === 'function') throw new Unsayable(`looks at rows of "${Model.modelName}", whose scope is a function`)
  const { where } = scope as { where?: Where }
  return where === undefined ? always : whereTest(Model, where)
}

function variablesOf (node: Node): Variable[] {
  switch (node.kind) {
    case 'written': return []
    case 'and': case 'or': case 'nor': return node.nodes.flatMap(variablesOf)
    case 'related': return variablesOf(node.node)
    case 'compare': return node.operands.flatMap(operand => 'variable' in operand ? [operand.variable] : [])
  }
}

/** What is a list where a list is compared is no other value. Those of both kinds are missing as either. */
const missing = (variables: readonly Variable[], isList = false): PolicyTest[] => variables
  .filter(({ of }) => of !== 'now' && of !== 'roles')
  .map(variable => ({ kind: 'missing', value: callerValue(variable), isList }))

function compareTest (Model: ModelClass, node: Comparing, isAsked: boolean): PolicyTest {
  const { name, operator = 'eq', operands } = node
  if (operands.every(each => 'value' in each)) return whereTest(Model, writtenAgain(node), isAsked)
  if (operator === 'inq' || operator === 'nin') return listTest(Model, name, operands, operator === 'nin', isAsked)
  if (operator === 'between') {
    const [from, to] = operands as [Operand, Operand]
    return allOf([operandTest(Model, name, 'gte', from, isAsked), operandTest(Model, name, 'lte', to, isAsked)])
  }
  return operandTest(Model, name, operator as Compare['op'], operands[0] as Operand, isAsked)
}

function writtenAgain ({ name, operator, operands, isList }: Comparing): Where {
  const values = operands.map(each => 'value' in each ? each.value : undefined)
  // A list that is one operand stands as it was written.
  const value = isList ? values : values[0]
  return { [name]: operator === undefined ? value : { [operator]: value } }
}

function operandTest (
  Model: ModelClass, name: string, op: Compare['op'], operand: Operand, isAsked: boolean
): PolicyTest {
  return 'value' in operand
    ? whereTest(Model, { [name]: op === 'eq' ? operand.value : { [op]: operand.value } }, isAsked)
    : { kind: 'compare', path: pathOf(Model, name), op, value: callerValue(operand.variable), otherwise: !isAsked }
}

/** Whether a value is among several, of which callers may lack some: what is among the others is among all. */
function listTest (
  Model: ModelClass, name: string, operands: readonly Operand[], isNegated: boolean, isAsked: boolean
): PolicyTest {
  const values = operands.flatMap(each => 'value' in each ? [each.value] : [])
  const variables = operands.flatMap(each => 'variable' in each ? [each.variable] : [])
  const lacks = variables.filter(({ of }) => of !== 'now' && of !== 'roles')
    .map((variable): PolicyTest => ({ kind: 'missing', value: callerValue(variable), isList: true }))
  // Where the value is missing is decided below.
  const among = anyOf([
    ...values.length === 0 ? [] : [whereTest(Model, { [name]: { inq: values } })],
    ...variables.map((variable): PolicyTest =>
      ({ kind: 'compare', path: pathOf(Model, name), op: 'in', value: callerValue(variable), otherwise: false }))
  ])
  if (!isNegated && isAsked) return among
  const test = isNegated ? notOf(among) : among
  return isAsked ? allOf([...lacks.map(notOf), test]) : anyOf([...lacks, test])
}

function pathOf ({ compiled, modelName }: ModelClass, name: string): PropertyPath {
  const [property = name, ...path] = name.split('.')
  const type = compiled.propertyByName.get(property)?.type
  if (type === undefined) throw new Unsayable(`compares "${name}", which is no property of "${modelName}"`)
  return { property, path, type, declared: true }
}
