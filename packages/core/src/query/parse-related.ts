/**
 * Conditions on related rows: `{ "customer.city": "Lima" }`, `{ customer: { city: "Lima" } }` for relations to one row,
 * `{ items: { some: { … }, every: { … }, none: { … } } }` for relations to several. They are read against the related
 * model by the rules for the scope of an include: what an include may not show, no condition may ask about.
 */
import { badQuery, hiddenInQuery, RequestError } from '../errors.js'
import type { Condition, Quantifier, RelatedTarget } from './ast.js'
import { isPrototypeKey } from './guard-input.js'
import { extendIncludePath, refuseSecondReturn, type IncludePath } from './include-path.js'
import { bothConditions } from './merge.js'
import { always } from './parse-value.js'
import { checkLimit, excerpt, isPlainObject, parseContext, type ParseContext } from './parse-context.js'
import { propertyPath } from './path.js'
import type { QueriedClass, QueriedRelation } from './queried-model.js'
import { quantifiers } from './quantifiers.js'
import { isSpellingOf } from './query-names.js'

/** Reads a condition of a model; `parse-where.ts`, which reads these conditions in turn. */
export type ReadCondition = (context: ParseContext, where: unknown) => Condition | undefined

type Where = Readonly<Record<string, unknown>>

/**
 * The relation that a name in a condition begins with, where such conditions are allowed. A property of the same name
 * comes first.
 */
export function relationNamed (
  { model, names, options, secrets }: ParseContext, name: string
): QueriedRelation | undefined {
  if (!model.hasRelatedConditions && options.related !== true) return undefined
  if (model.relations.size === 0 || names.paths.has(name)) return undefined
  const dot = name.indexOf('.')
  const first = dot === -1 ? name : name.slice(0, dot)
  const relation = model.relations.get(first)
  if (relation === undefined || names.paths.has(first)) return undefined
  if (secrets !== undefined && (secrets.has(first) || isSpellingOf(secrets, first, model.name))) {
    throw hiddenInQuery(model.name, 'where')
  }
  return relation
}

/**
 * Reads one condition on related rows.
 * @param name as written: that of the relation, perhaps with a path behind it
 * @throws RequestError 400 RELATION_IN_QUERY for a form that says nothing of related rows, and whatever a condition of
 * the related model can be refused for
 */
export function readRelated (
  context: ParseContext, relation: QueriedRelation, name: string, value: unknown, read: ReadCondition
): Condition {
  const [first = '', ...rest] = name.split('.')
  if (rest.some(part => part === '' || isPrototypeKey(part))) {
    throw badQuery(`The name ${excerpt(name)} is not allowed in a query.`)
  }
  if (context.external && relation.definition.options?.disableInclude === true) {
    throw refused(first, 'its rows are not shown with others ("disableInclude")')
  }
  if (rest.length > 0) {
    if (relation.multiple) throw refused(first, several(first))
    return quantified(context, relation, 'some', { [rest.join('.')]: value }, read)
  }
  if (value === null && !relation.multiple) return quantified(context, relation, 'none', {}, read)
  if (!isPlainObject(value)) {
    throw refused(first, relation.multiple ? several(first) : `write { "${first}": { "property": … } }`)
  }
  const keys = Object.keys(value)
  const isQuantified = keys.length > 0 && keys.every(key => quantifiers.has(key)) &&
    (relation.multiple || !hasProperty(relation, keys))
  if (!isQuantified) {
    if (relation.multiple) throw refused(first, several(first))
    return quantified(context, relation, 'some', value, read)
  }
  const conditions = keys.map(key => {
    const where = value[key]
    if (!isPlainObject(where)) throw refused(first, `"${key}" takes a condition`)
    return quantified(context, relation, key as Quantifier, where, read)
  })
  return conditions.length === 1 ? conditions[0] as Condition : { kind: 'and', conditions }
}

const several = (name: string): string =>
  `it leads to several rows: write { "${name}": { "some": { … } } }, "every" or "none"`

const refused = (relation: string, why: string): RequestError =>
  badQuery(`The where names the relation "${relation}": ${why}.`, 'RELATION_IN_QUERY', { relation })

/** Whether a related model has a property or relation of such a name, which comes first. */
const hasProperty = (relation: QueriedRelation, names: readonly string[]): boolean =>
  relation.joins().some(({ target: { compiled } }) =>
    names.some(name => compiled.propertyByName.has(name) || compiled.relations.has(name)))

function quantified (
  context: ParseContext, relation: QueriedRelation, quantifier: Quantifier, where: Where, read: ReadCondition
): Condition {
  const { counts, limits } = context
  checkLimit(context, ++counts.includes, limits.includes, 'relations in conditions and includes')
  checkLimit(context, (context.includePath?.level ?? 0) + 1, limits.includeDepth, 'levels of relations')
  const includePath = extendIncludePath(context.includePath, relation)
  if (context.external) refuseSecondReturn(includePath)
  const joins = relation.joins()
  if (joins.some(({ isPaged }) => isPaged)) {
    throw refused(relation.name, 'its own scope has a limit, which conditions cannot keep')
  }
  const isNegated = quantifier === 'none' ? !context.negated : context.negated
  const among = quantifier === 'some' ? context.among : quantifier
  const readFor = (target: QueriedClass): RelatedTarget => ({
    modelName: target.modelName,
    where,
    condition: readInner(context, target, where, includePath, isNegated, among, read)
  })
  const targets = readTargets(joins.map(({ target }) => target), readFor)
  return relation.embedded
    ? embedded(context, relation, quantifier, targets[0] as RelatedTarget)
    : { kind: 'related', relation: relation.name, quantifier, targets }
}

function readInner (
  context: ParseContext, target: QueriedClass, where: Where, includePath: IncludePath, isNegated: boolean,
  among: string | undefined, read: ReadCondition
): Condition | undefined {
  const options = { ...context.options, protectedHidden: true, paged: false }
  const inner = parseContext(target.compiled, options, context.counts, includePath)
  inner.negated = isNegated
  inner.among = among
  return read(inner, where)
}

/** Rows may name their own model: those of models without the property do not pass, as long as one of them has it. */
function readTargets (models: readonly QueriedClass[], read: (target: QueriedClass) => RelatedTarget): RelatedTarget[] {
  const found: RelatedTarget[] = []
  let unknown: unknown
  for (const model of models) {
    try {
      found.push(read(model))
    } catch (error) {
      if (models.length === 1 || (error as { code?: unknown }).code !== 'UNKNOWN_PROPERTY_IN_QUERY') throw error
      unknown = error
    }
  }
  if (found.length === 0 && unknown !== undefined) throw unknown as Error
  return found
}

/** Embedded rows are part of the row itself: one property of it is looked at. */
function embedded (
  { model, secrets }: ParseContext, relation: QueriedRelation, quantifier: Quantifier,
  { condition = always }: RelatedTarget
): Condition {
  const property = relation.definition.property as string
  if (secrets?.has(property) === true) throw hiddenInQuery(model.name, 'where')
  const path = propertyPath(model, property)
  const own = relation.joins()[0]?.where
  const some = (inner: Condition): Condition =>
    ({ kind: 'element', path, relation: relation.name, condition: bothConditions(own, inner) as Condition })
  switch (quantifier) {
    case 'some': return some(condition)
    case 'none': return { kind: 'nor', conditions: [some(condition)] }
    case 'every': return { kind: 'nor', conditions: [some({ kind: 'nor', conditions: [condition] })] }
  }
}
