/** What a selection reads: the properties of rows, and the rows of relations, level by level. */
import { BREAK, visit, type FieldNode } from 'graphql'
import type { ModelEntry, ReadPlan, RelatedPlan, RelationEntry } from '../schema/entries.js'
import { listFilter } from '../schema/list-arguments.js'
import { relatedOfSeveral } from '../request/errors.js'
import { selectedFields, type Info } from './collect.js'

/**
 * The plan of a selection on rows of a model.
 * @param nodes the fields that give the rows
 */
export function planOf (info: Info, entry: ModelEntry, nodes: readonly FieldNode[]): ReadPlan {
  const [node, ...others] = nodes
  if (node === undefined || others.length > 0) return madePlan(info, entry, nodes)
  const known = entry.plans.get(node)
  if (known !== undefined) return known
  const plan = madePlan(info, entry, nodes)
  if (!hasVariables(info, node.selectionSet)) entry.plans.set(node, plan)
  return plan
}

/** Whether variables have a say in what is selected. */
function hasVariables (info: Info, selection: FieldNode['selectionSet'], seen = new Set<string>()): boolean {
  if (selection === undefined) return false
  let found = false
  visit(selection, {
    Variable: () => {
      found = true
      return BREAK
    },
    FragmentSpread: ({ name: { value } }) => {
      if (seen.has(value)) return
      seen.add(value)
      if (hasVariables(info, info.fragments[value]?.selectionSet, seen)) {
        found = true
        return BREAK
      }
    }
  })
  return found
}

function madePlan (info: Info, entry: ModelEntry, nodes: readonly FieldNode[]): ReadPlan {
  const plan: ReadPlan = { entry, fields: new Set(), relations: new Map() }
  addTo(plan, info, nodes)
  return plan
}

function addTo (plan: ReadPlan, info: Info, nodes: readonly FieldNode[]): void {
  const { entry, fields, relations } = plan
  for (const { key, name, args, nodes: own } of selectedFields(info, entry.type, nodes)) {
    if (entry.properties.has(name)) {
      fields.add(name)
      continue
    }
    const isCount = !entry.relations.has(name)
    const relationName = isCount ? name.replace(/Count$/, '') : name
    const related = entry.relations.get(relationName)
    if (related === undefined) continue
    const [target] = related.targets as [ModelEntry]
    const scope = listFilter(target, args)
    const same = relations.get(relationName)?.find(each =>
      each.isCount === isCount && JSON.stringify(each.scope) === JSON.stringify(scope))
    const inner = isCount || same !== undefined ? undefined : innerPlan(info, related, own)
    const wanted = same ?? { related, scope, isCount, keys: [], plan: inner }
    wanted.keys.push(key)
    if (same === undefined) relations.set(relationName, [...relations.get(relationName) ?? [], wanted])
    else if (same.plan !== undefined) addTo(same.plan, info, own)
  }
}

/** Of rows of several models all properties are read: their names differ. */
function innerPlan (
  info: Info, { relation, targets, discriminator }: RelationEntry, nodes: readonly FieldNode[]
): ReadPlan | undefined {
  if (discriminator === undefined) return planOf(info, targets[0] as ModelEntry, nodes)
  for (const target of targets) {
    const nested = selectedFields(info, target.type, nodes).find(({ name }) => !target.properties.has(name))
    if (nested !== undefined) throw relatedOfSeveral(relation.name, nested.name)
  }
  return undefined
}

/** The filter of a plan: `fields`, and `include` with the first way of each relation. */
export function filterOf (plan: ReadPlan): Readonly<Record<string, unknown>> {
  if (plan.filter !== undefined) return plan.filter
  const include = [...plan.relations.values()].map(([first]) => includeOf(first as RelatedPlan))
  return (plan.filter = { ...fieldsOf(plan), ...included(include) })
}

/** One relation needs no list: levels of a filter are counted. */
export const included = (include: readonly object[]): { include?: unknown } =>
  include.length === 0 ? {} : { include: include.length === 1 ? include[0] : include }

/** With the ids of rows, by which further reads are joined to them, and the keys of relations. */
function fieldsOf ({ entry: { Model: { compiled } }, fields, relations }: ReadPlan): Record<string, unknown> {
  const names = new Set(fields)
  const add = (name: string): void => { if (compiled.propertyByName.get(name)?.hidden === false) names.add(name) }
  for (const { name } of compiled.key) add(name)
  for (const [each] of relations.values()) for (const name of (each as RelatedPlan).related.relation.joinKeys) add(name)
  return names.size === 0 ? {} : { fields: [...names] }
}

/**
 * A relation as a filter includes it.
 * @param inner what is read of the related rows. Default: what the plan says
 */
export function includeOf (
  { related, scope, isCount, plan }: RelatedPlan, inner = plan === undefined ? {} : filterOf(plan)
): object {
  const { relation } = related
  if (isCount) return { relation: relation.name, count: true, ...(scope.where === undefined ? {} : { scope }) }
  const whole: Record<string, unknown> = { ...scope, ...inner }
  // Folders as LoopBack has them join included rows by keys that are read with them.
  if (Array.isArray(whole.fields) && !relation.embedded && plan !== undefined) {
    const { propertyByName } = plan.entry.Model.compiled
    const keys = relation.joins().map(({ to }) => to).filter(to => propertyByName.get(to)?.hidden === false)
    whole.fields = [...new Set([...whole.fields as string[], ...keys])]
  }
  return Object.keys(whole).length === 0 ? { relation: relation.name } : { relation: relation.name, scope: whole }
}
