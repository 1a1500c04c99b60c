/** What the parser of filters asks of a model. */
import type { RelationDefinition, RelationType } from '../definition/definition.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Condition, Selection } from './ast.js'
import type { ParseModes } from './parse-modes.js'

/** The class of a model, as far as filters are concerned. */
export interface QueriedClass {
  readonly modelName: string
  readonly compiled: QueriedModel
  /** The models that filters may come to. */
  readonly registry: QueriedModels
  readonly dataSource: { readonly settings: { readonly [key: string]: unknown } } | null
  /** `chain`: the states of the models that it extends and its own. */
  readonly state: { chain (): readonly unknown[] }
}

/** Models by name. */
export interface QueriedModels {
  findModel (name: string): QueriedClass | undefined
}

/** A relation that a filter includes. */
export interface QueriedRelation {
  readonly type: RelationType
  /** The definition with every default filled in. */
  readonly definition: RelationDefinition
  /** The model that has the relation. */
  readonly model: QueriedClass
  /** Whether the related data are part of the row itself. */
  readonly embedded: boolean
  /** The related model; undefined where each row names its own. */
  target (): QueriedClass | undefined
  /** The model in between, for through relations. */
  through (): QueriedClass | undefined
  /** The name in the model's definition. */
  readonly name: string
  /** Whether the row that has it holds the key of the related ones. */
  readonly holdsKey: boolean
  /** Whether it leads to a list of rows. */
  readonly multiple: boolean
  /** The models that it leads to: several where rows name their own. */
  joins (): ReadonlyArray<{
    readonly target: QueriedClass, readonly isPaged: boolean, readonly where: Condition | undefined
  }>
}

/** A model that is queried. */
export interface QueriedModel extends StoredModel {
  readonly Model: QueriedClass
  readonly hidden: ReadonlySet<string>
  readonly protectedNames: ReadonlySet<string>
  readonly relations: ReadonlyMap<string, QueriedRelation>
  /** Whether a filter with parts that there are not, or with relations among its conditions, is refused. */
  readonly refusesFilterKeys: boolean
  /** Whether conditions may be about related rows. */
  readonly hasRelatedConditions: boolean
  /** Whether rows may be grouped: `aggregate`, and `distinct` in filters. */
  readonly hasAggregates: boolean
  /** Whether pages have cursors: `after` and `before` in filters. */
  readonly hasCursors: boolean
  /** Says once that something of a request has no effect. */
  readonly tellIgnored: (message: string) => void
  /** Whether includes have the keys that join them where `fields` leaves these out. */
  readonly includesBeyondFields: boolean
  /** How filters are read. */
  readonly parsing: ParseModes

  /** Everything, as in-process code reads it. */
  readonly selectAll: Selection
  /** The same, with what the framework stores beside it. */
  readonly selectStored: Selection
  /** Everything but hidden properties: what goes over the wire. */
  readonly selectVisible: Selection
  /** Everything but hidden and protected properties: what include shows. */
  readonly selectIncluded: Selection
}
