/** Input types of filters: conditions and orders, one of each for every model. */
import {
  GraphQLEnumType, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString, type GraphQLInputFieldConfig
} from 'graphql'
import type { ModelEntry } from './entries.js'
import type { Report, TypeNames } from './names.js'
import type { ValueTypes } from './value-types.js'

/** Members of a condition that are no properties. `_where` is a condition as REST has it. */
const ownMembers: ReadonlySet<string> = new Set(['and', 'or', 'nor', 'search', '_where'])

export class FilterTypes {
  readonly #where = new Map<ModelEntry, GraphQLInputObjectType>()
  readonly #related = new Map<ModelEntry, GraphQLInputObjectType>()
  readonly #order = new Map<ModelEntry, GraphQLEnumType | undefined>()
  readonly #values: ValueTypes
  readonly #names: TypeNames
  readonly #report: Report

  constructor (values: ValueTypes, names: TypeNames, report: Report) {
    this.#values = values
    this.#names = names
    this.#report = report
  }

  where (entry: ModelEntry): GraphQLInputObjectType {
    const kept = this.#where.get(entry)
    if (kept !== undefined) return kept
    const type: GraphQLInputObjectType = new GraphQLInputObjectType({
      name: this.#names.take(`${entry.name}Where`),
      description: 'A condition on rows; all of its members must hold.',
      fields: () => this.#members(entry, type)
    })
    this.#where.set(entry, type)
    return type
  }

  #members (entry: ModelEntry, type: GraphQLInputObjectType): Record<string, GraphQLInputFieldConfig> {
    const { compiled, modelName } = entry.Model
    const several = { type: new GraphQLList(new GraphQLNonNull(type)) }
    const members: Record<string, GraphQLInputFieldConfig> = {}
    for (const property of entry.properties.values()) {
      if (ownMembers.has(property.name)) {
        this.#report(`conditions on "${modelName}.${property.name}"`, 'they are left out: use "_where"')
      } else if (property.sealed !== 'opaque') {
        members[property.name] = {
          type: this.#values.of(entry, property).filter
        }
      }
    }
    for (const [name, { relation, targets: [target, ...others] }] of entry.relations) {
      if (!compiled.hasRelatedConditions || target === undefined || others.length > 0 || ownMembers.has(name)) continue
      members[name] = { type: relation.multiple ? this.#several(target) : this.where(target) }
    }
    return {
      ...members,
      and: several,
      or: several,
      nor: several,
      ...(compiled.textIndex === undefined
        ? {}
        : { search: { type: GraphQLString, description: 'Words that the texts of the row have.' } }),
      _where: { type: this.#values.common.JSON, description: 'A condition in the form that REST has.' }
    }
  }

  #several (entry: ModelEntry): GraphQLInputObjectType {
    const kept = this.#related.get(entry)
    if (kept !== undefined) return kept
    const where = { type: this.where(entry) }
    const type = new GraphQLInputObjectType({
      name: this.#names.take(`${entry.name}ListWhere`),
      description: 'A condition on related rows: how many of them must pass.',
      fields: { some: where, every: where, none: where }
    })
    this.#related.set(entry, type)
    return type
  }

  /** Undefined for a model without a property that rows can be put in the order of. */
  order (entry: ModelEntry): GraphQLEnumType | undefined {
    if (this.#order.has(entry)) return this.#order.get(entry)
    const values: Record<string, { value: string }> = {}
    for (const property of entry.properties.values()) {
      if (!this.#values.of(entry, property).isOrdered) continue
      for (const direction of ['ASC', 'DESC']) {
        values[`${property.name}_${direction}`] = { value: `${property.name} ${direction}` }
      }
    }
    if (entry.Model.compiled.textIndex !== undefined) values._RANK = { value: '$rank' }
    const type = Object.keys(values).length === 0
      ? undefined
      : new GraphQLEnumType({ name: this.#names.take(`${entry.name}Order`), values })
    this.#order.set(entry, type)
    return type
  }
}

/**
 * A condition of GraphQL in the form that REST has.
 *
 * ```js
 * whereOf(entry, { title: { like: 'A%' }, search: 'milk' }) // { title: { like: 'A%' }, $search: 'milk' }
 * ```
 */
export function whereOf (entry: ModelEntry, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const where: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const related = ownMembers.has(name) ? undefined : entry.relations.get(name)
    if (related !== undefined) {
      where[name] = relatedOf(related.targets[0] as ModelEntry, value, related.relation.multiple)
    } else if (name === 'search') where.$search = value ?? undefined
    else if (name === 'and' || name === 'or' || name === 'nor') {
      if (value !== null) where[name] = (value as Array<Record<string, unknown>>).map(each => whereOf(entry, each))
    } else if (name !== '_where') where[name] = value
  }
  const { _where: own } = given
  return own === undefined || own === null ? where : { and: [where, own] }
}

function relatedOf (target: ModelEntry, value: unknown, isList: boolean): unknown {
  if (value === null) return null
  const given = value as Record<string, Record<string, unknown>>
  if (!isList) return whereOf(target, given)
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => [name, each === null ? {} : whereOf(target, each)])
  )
}
