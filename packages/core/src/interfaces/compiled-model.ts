/** The compiled form of a model: what operations use. Connectors see a part of it (`StoredModel`). */
import type { Selection } from '../query/ast.js'
import type { SealedRows } from '../sealing/sealed-rows.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Connector } from '../data-source/connector.js'
import type { TextSupport } from '../data-source/text-support.js'
import type { HookTable } from '../hooks.js'
import type { RowModel } from '../properties/row-model.js'
import type { Row } from '../properties/types.js'
import type { QueriedModel } from '../query/queried-model.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { ClientRules } from './client-rules.js'
import type { ModelClass } from './model-class.js'
import type { NestedWrites } from './nested-writes.js'
import type { Relation } from './relation.js'
import type { LooseUniqueness, Validation } from './validation.js'

/** By property: what an instance holds of a value of the row. */
export type InstanceValues = ReadonlyMap<string, (value: unknown) => unknown>

/** What differs for models whose properties have getters or setters. */
export interface RowAccessors {
  /** Puts a row on an instance, past the setters. */
  assign (instance: ModelInstance, row: Row): ModelInstance
  /** The values that an instance keeps: read and written past getters and setters. */
  kept (instance: object): Row
  /** `coerce` for values that have been through the setters. */
  readonly coerceStored: RowModel['coerce']
}

/** A model, compiled. Made again when the model is changed after that (a hook, a property, a relation added late). */
export interface CompiledModel extends RowModel, QueriedModel {
  readonly Model: ModelClass
  /** Declared properties that instances take by plain assignment: the class has nothing else of that name. */
  readonly slots: ReadonlySet<string>
  /** Lists, nested models and points, which instances hold as more than plain values; undefined where none is. */
  readonly held: InstanceValues | undefined
  readonly relations: ReadonlyMap<string, Relation>
  /** Present where data may carry rows of relations (relation setting `nestedWrite`). */
  readonly nests: NestedWrites | undefined
  readonly hooks: HookTable
  /** `Model.afterInitialize`, where there is one: runs when an instance was made with `new`. */
  readonly initialised: ((this: Row) => unknown) | undefined
  /** Whether functions like `Model.beforeSave` may answer in place of an operation (`operations/answered.ts`). */
  readonly mayBeAnswered: boolean
  readonly validations: readonly Validation[]
  /** Values that the default scope sets on rows that are written; undefined where there are none. */
  readonly scopeValues: ((data: Readonly<Row>) => Readonly<Row>) | undefined
  /** Uniqueness that no unique index backs, or not for every row. Most models have none. */
  readonly looseUniqueness: readonly LooseUniqueness[]

  /** Names of the properties that hold files. Most models have none. */
  readonly files: readonly string[]

  /** For models whose properties have getters or setters; undefined for all others. */
  readonly accessors: RowAccessors | undefined
  /** The model as its store knows it: itself, but for sealed properties. */
  readonly stored: StoredModel
  /** How rows with sealed properties are kept; undefined where there are none. */
  readonly sealedRows: SealedRows | undefined
  /** The connector of the data source that the model is attached to. Throws `FBK_CORE_NOT_ATTACHED`. */
  readonly connector: Connector
  /** The version alone; nothing where there is none. */
  readonly selectVersion: Selection
  /** What stands before the version in a row's JSON text, and nowhere else; undefined where that cannot be said. */
  readonly versionMark: string | undefined
  /** Whether what happens to rows is written down (setting `history`). */
  readonly hasHistory: boolean
  /** Whether anything is told of each write of rows, its history among them (`history/recorder.ts`). */
  readonly isRecorded: boolean
  /** Whether nothing is before the store but what leaves rows out, which can be said in a query (`among`). */
  readonly isOnlyNarrowed: boolean
  /** What clients see, the declared properties in the order of their names. */
  readonly selectByName: Selection
  /** Whether data with rows of relations are refused (setting `nestedWrites`); else these rows are left out. */
  readonly refusesRelatedRows: boolean
  /**
   * Data as JSON has them, with their texts as they are stored (`trim`, `lowercase`, `uppercase`); undefined where the
   * model stores texts as they are.
   */
  readonly storedTexts: ((row: Readonly<Row>) => Row) | undefined
  /** What clients may not set; undefined where they may set everything. */
  readonly clientRules: ClientRules | undefined
  /**
   * The store as a writer of JSON, where what it writes is what clients may see; undefined where rows of other models
   * with secrets of their own, or bytes, are nested.
   */
  readonly storeText: TextSupport | undefined
}
