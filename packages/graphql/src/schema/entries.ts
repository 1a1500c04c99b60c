/** The published models of a schema, and what of them it shows. */
import type { CompiledProperty, ModelClass, Relation } from '@fastback/core'
import type { PublishedRoute } from '@fastback/rest'
import { GraphQLObjectType, type FieldNode, type GraphQLUnionType } from 'graphql'
import { isName, type Report } from './names.js'

/** A relation that rows can be asked for. */
export interface RelationEntry {
  readonly relation: Relation
  /** Several where each row names the model of its related row. */
  readonly targets: readonly ModelEntry[]
  /** The property of the row that says which of several models the related row has. */
  readonly discriminator: string | undefined
}

export interface ModelEntry {
  readonly Model: ModelClass
  /** Of the type. */
  readonly name: string
  readonly type: GraphQLObjectType
  readonly routes: readonly PublishedRoute[]
  /** Those that clients may see. */
  readonly properties: ReadonlyMap<string, CompiledProperty>
  /** Names of properties that are ids, or lead to some. */
  readonly keys: ReadonlySet<string>
  readonly relations: Map<string, RelationEntry>
  /** Types of related rows of several models, by the relation. */
  readonly unions: Map<string, GraphQLUnionType>
  /** What selections of documents that are kept read, by the fields that give rows; only where no variable counts. */
  readonly plans: WeakMap<FieldNode, ReadPlan>
}

/** What is read of the rows of one model. */
export interface ReadPlan {
  readonly entry: ModelEntry
  readonly fields: Set<string>
  /** By relation: what is asked of it. A query can include one of them; the others are read afterwards. */
  readonly relations: Map<string, RelatedPlan[]>
  /** Made when it is first wanted. */
  filter?: Readonly<Record<string, unknown>>
}

/** One way in which a relation is asked for. */
export interface RelatedPlan {
  readonly related: RelationEntry
  /** Conditions, order and page of the related rows. */
  readonly scope: Readonly<Record<string, unknown>>
  /** Whether only their number is wanted. */
  readonly isCount: boolean
  /** The names in the response that show it. */
  readonly keys: string[]
  /** What is read of the related rows; undefined for counts, and for rows of several models. */
  readonly plan: ReadPlan | undefined
}

/** The properties of a model that rows show, and that GraphQL has names for. */
export function shownProperties ({ compiled, modelName }: ModelClass, report: Report): Map<string, CompiledProperty> {
  const shown = compiled.properties.filter(property => !property.hidden && !property.internal)
  for (const { name } of shown.filter(({ name }) => !isName(name))) {
    report(`the property "${modelName}.${name}"`, 'it is left out: GraphQL does not take the name')
  }
  return new Map(shown.filter(({ name }) => isName(name)).map(property => [property.name, property]))
}

/** The ids of a model, and its properties that lead to those of others. */
export function keysOf ({ compiled }: ModelClass, all: Iterable<ModelClass>): Set<string> {
  const names = new Set(compiled.key.map(({ name }) => name))
  for (const { compiled: { relations } } of all) {
    for (const relation of relations.values()) {
      if (!relation.isResolved) continue
      for (const target of relation.joins().map(join => join.target)) {
        const reference = relation.reference(target)
        if (reference?.holder === compiled.Model) names.add(reference.property)
      }
    }
  }
  return names
}

/** Finds the related models of an entry; relations that lead to what is not published are left out. */
export function relate (entry: ModelEntry, entries: ReadonlyMap<ModelClass, ModelEntry>, report: Report): void {
  for (const relation of entry.Model.compiled.relations.values()) {
    const what = `the relation "${entry.Model.modelName}.${relation.name}"`
    const leaveOut = (why: string): void => { report(what, `it is left out: ${why}`) }
    if (!isName(relation.name)) leaveOut('GraphQL does not take the name')
    else if (entry.properties.has(relation.name)) leaveOut('a property has the name')
    else if (relation.definition.options?.disableInclude === true) leaveOut('it has "disableInclude"')
    else if (!relation.isResolved || !relation.isReachable) leaveOut('it leads to no model')
    else {
      const { polymorphic } = relation.definition
      const Target = relation.target()
      const models = Target === undefined ? relation.joins().map(({ target }) => target) : [Target]
      const targets = models.map(Model => entries.get(Model)).filter(target => target !== undefined)
      if (targets.length === 0 || (Target === undefined && targets.length < models.length)) {
        leaveOut('the related model is not published')
        continue
      }
      const discriminator = Target === undefined && typeof polymorphic === 'object' ? polymorphic.discriminator : undefined
      entry.relations.set(relation.name, { relation, targets, discriminator })
    }
  }
}
