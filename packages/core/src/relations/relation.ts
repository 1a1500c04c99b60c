/** What every relation type offers. One file per type implements it; `index.ts` makes a relation from its definition. */
import type { RelationDefinition, RelationType } from '../definition.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { ModelClass, ModelInstance, OperationOptions } from '../model/model-class.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import type { RemoteMethodOptions } from '../remoting/shared-method.js'

/** A property that a relation needs on a model: a foreign key, a discriminator, the list of `referencesMany`, the data of embedded rows. */
export interface ImpliedProperty {
  readonly model: ModelClass
  readonly name: string
  /** A property definition (`{ type: 'number', index: true }`); ignored where the model declares the property itself. */
  readonly definition: Record<string, unknown>
}

export interface RelationMethod {
  /** `__get__books`: the name on the prototype, in access rules and for `disableRemoteMethodByName('prototype.__get__books')`. */
  readonly name: string
  readonly options: RemoteMethodOptions
  /** Runs on an instance with the arguments in the order of `options.accepts`. */
  call (instance: ModelInstance, args: readonly unknown[], options: OperationOptions): MaybePromise<unknown>
}

export interface Relation {
  readonly name: string
  readonly type: RelationType
  /** The definition with every default filled in (`foreignKey`, `primaryKey`, `keyThrough`, `polymorphic` as an object …). */
  readonly definition: RelationDefinition
  /** The model that has the relation. */
  readonly model: ModelClass
  /** Whether the relation gives a list. */
  readonly multiple: boolean
  /** Whether the related data are part of the row itself. */
  readonly embedded: boolean
  /** The related model; undefined for the belongsTo side of a polymorphic relation. Throws `FBK_CORE_UNKNOWN_MODEL` when it is not defined. */
  target (): ModelClass | undefined
  /** The model in between, for through relations. */
  through (): ModelClass | undefined
  /** Properties that must be there for the relation to work. */
  impliedProperties (): readonly ImpliedProperty[]
  /** Properties that rows of `model` must have read for `include` to join them. */
  readonly joinKeys: readonly string[]
  /** Loads the relation for all rows at once (one query per level, whatever the number of rows) and keeps it with `setIncluded`. */
  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void>
  /** What `instance.books` is: a function that loads, with `create`, `build`, `add`, `remove`, `exists`, `findById`, `destroyAll`, `count` … */
  accessor (instance: ModelInstance): unknown
  /** The methods to share over REST. */
  methods (): readonly RelationMethod[]
}
