/**
 * What every relation type offers. One file per type implements it; `index.ts` makes a relation from its definition.
 */
import type { RelationDefinition, RelationType } from '../definition/definition.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { ModelClass } from './model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from './operation-options.js'
import type { Row } from '../properties/types.js'
import type { Condition, IncludeNode } from '../query/ast.js'
import type { ArgumentDefinition, RemoteMethodOptions } from './shared-method.js'
import type { PageSettings, RowPages } from './row-pages.js'
import type { NestedWrite } from './nested-writes.js'
import type { Validation } from './validation.js'

/**
 * A property that a relation needs on a model: a foreign key, a discriminator, the list of `referencesMany`, the data
 * of embedded rows.
 */
export interface ImpliedProperty {
  readonly model: ModelClass
  readonly name: string
  /** A property definition (`{ type: 'number', index: true }`); what the model declares of the property itself wins. */
  readonly definition: Record<string, unknown>
  /** Whether it is a key whose type is that of the rows it points at, where the setting `foreignKeyTypes` says so. */
  readonly isKey?: boolean
}

/**
 * On the functions `__get__books` … that come with a relation, so that one can tell whether the application has put its
 * own in their place.
 */
export const RELATION_METHOD = Symbol.for('fastback.relationMethod')

/** Options whose arguments are listed. */
export interface ListedMethodOptions extends RemoteMethodOptions {
  accepts?: ArgumentDefinition[]
}

export interface RelationMethod {
  /**
   * `__get__books`: the name on the prototype, in access rules and for
   * `disableRemoteMethodByName('prototype.__get__books')`.
   */
  readonly name: string
  readonly options: ListedMethodOptions
  /**
   * Runs on an instance (or its plain row) with the arguments in the order of `options.accepts`, and gives what REST
   * answers: plain rows or instances; what is not found is thrown as a 404. The instance method of the same name is for
   * code in the process and for requests with remote hooks: it gives instances, and null or false for what is not
   * found, of which `options.rest.after` makes the 404.
   */
  call (instance: ModelInstance, args: readonly unknown[], options: OperationOptions): MaybePromise<unknown>
  /**
   * Methods of `nestRemoting`: the method of the related model behind it, whose access rules (and, unless `hooks` is
   * false, remote hooks) hold as well.
   */
  readonly nested?: {
    readonly relation: Relation
    readonly method: RelationMethod
    readonly hooks: boolean
    /** The related instance that `method` runs on; throws a 404. */
    find (instance: ModelInstance, args: readonly unknown[], options: OperationOptions): MaybePromise<ModelInstance>
  }
}

/**
 * What becomes of the rows that lead to a row which is deleted (or whose key changes): nothing may lead to it, they go
 * with it, or their keys become null.
 */
export type ReferenceAction = 'restrict' | 'cascade' | 'setNull'

export interface Reference {
  /** The model whose rows have the key. */
  readonly holder: ModelClass
  readonly property: string
  readonly target: ModelClass
  /** What the key is compared with: the id, as a rule. */
  readonly targetProperty: string
  /** What rows of a polymorphic relation have beside the key; empty for others. */
  readonly only: Readonly<Row>
  readonly onDelete: ReferenceAction | undefined
  readonly onUpdate: ReferenceAction | undefined
  /** Whether the store should have a constraint. Undefined: the data source says. */
  readonly foreignKeys: boolean | undefined
}

/** How rows of a relation's model and rows of another model belong together, for conditions on the latter. */
export interface RelationJoin {
  readonly target: ModelClass
  /** The property of the row at hand, and that of the other one that equals it; `from` of an embedded row holds it. */
  readonly from: string
  readonly to: string
  /** What the row at hand must have, and the other one, besides. */
  readonly when: Readonly<Row>
  readonly only: Readonly<Row>
  /** The relation's own condition on the other row, or on the one between. */
  readonly where: Condition | undefined
  /** Whether the relation's own filter has a page, which says nothing of a single row. */
  readonly isPaged: boolean
  /** Through relations: the row between, whose own keys are `from` and `to` above. */
  readonly between?: { readonly model: ModelClass, readonly keyThrough: string, readonly targetKey: string }
}

export interface Relation {
  /** Related instances that were included or loaded; null where include found none, undefined where nobody asked. */
  atHand (owner: ModelInstance): ModelInstance | ModelInstance[] | null | undefined
  readonly name: string
  readonly type: RelationType
  /**
   * The definition with every default filled in (`foreignKey`, `primaryKey`, `keyThrough`, `polymorphic` as an object
   * …).
   */
  readonly definition: RelationDefinition
  /** The model that has the relation. */
  readonly model: ModelClass
  /** Whether the relation gives a list. */
  readonly multiple: boolean
  /** Whether the row that has the relation holds the key of the related ones. */
  readonly holdsKey: boolean
  /** Whether data of a row may carry rows of the relation. */
  readonly nestedWrite: NestedWrite
  /** Whether the related data are part of the row itself. */
  readonly embedded: boolean
  /**
   * The related model; undefined for the belongsTo side of a polymorphic relation. Throws `FBK_CORE_UNKNOWN_MODEL` when
   * it is not defined.
   */
  target (): ModelClass | undefined
  /**
   * The related model of one row: `target()`, or for the belongsTo side of a polymorphic relation the one that the row
   * names, if it may.
   */
  targetOf (row: Readonly<Row>): ModelClass | undefined
  /** False for a polymorphic belongsTo that no model is declared for: it is always empty. */
  readonly isReachable: boolean
  /** What its definition says that cannot be meant, and how it was taken; undefined: nothing. */
  readonly doubt: string | undefined
  /** False while a model that the definition names is not there: `target()` or `through()` throws then. */
  readonly isResolved: boolean
  /** The model in between, for through relations. */
  through (): ModelClass | undefined
  /** How related rows are joined: in one way, or in one for each model that rows may name. */
  joins (): readonly RelationJoin[]
  /** Properties that must be there for the relation to work. */
  impliedProperties (): readonly ImpliedProperty[]
  /**
   * The key that joins the two; undefined where rows of a model in between, or embedded ones, do.
   * @param to for the belongsTo side of a polymorphic relation: the model, one of those that it may lead to
   */
  reference (to?: ModelClass): Reference | undefined
  /**
   * Violations that rows of `model` can have because of the relation: embedded rows that are not valid, keys that stand
   * twice in a list.
   */
  validations (): readonly Validation[]
  /** Properties that rows of `model` must have read for `include` to join them. */
  readonly joinKeys: readonly string[]
  /**
   * Loads the relation for all rows at once (one query per level, whatever the number of rows) and keeps it with
   * `setIncluded`.
   */
  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void>
  /**
   * What `instance.books` is: a function that loads, with `create`, `build`, `add`, `remove`, `exists`, `findById`,
   * `destroyAll`, `count` …
   */
  accessor (instance: ModelInstance): unknown
  /**
   * Present where the rows of the relation's own route can be read page by page. Undefined for an owner without a key,
   * and where the application has a `find` of its own for them.
   */
  pages? (
    owner: Row, filter: unknown, options: OperationOptions, settings: PageSettings
  ): Promise<RowPages> | undefined
  /** The methods to share over REST. */
  methods (): readonly RelationMethod[]
}

/** Options of `Model.nestRemoting(relation, options)`. */
export interface NestOptions {
  /** Path of the relation. Default: its own. */
  pathName?: string
  /** Name of the path parameter that tells the related row. Default: `nk`. */
  paramName?: string
  /** The nested method's name for a method of the related model; nothing leaves the method out. */
  filterMethod?: (method: { name: string }, relation: { name: string }) => string | undefined
  /** False: remote hooks of the related model's methods do not run. Default: true. */
  hooks?: boolean
}
