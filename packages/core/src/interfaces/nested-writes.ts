/** Writes of a row together with rows of its relations (relation setting `nestedWrite`). */
import type { MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Row } from '../properties/types.js'

/**
 * Whether data of a row may carry rows of a relation: `true`, or `'replace'` where a replacement also removes the rows
 * that it does not name.
 */
export type NestedWrite = boolean | 'replace'

/** Options of an operation, by no type that knows of models. */
type Options = Record<string, unknown>

/** What the operations of a model hand data to that carry rows of relations. */
export interface NestedWrites {
  /** The relations whose rows data may carry. */
  readonly names: ReadonlySet<string>
  /** Whether data carry rows of these relations. */
  carries (data: unknown): boolean
  create (data: Readonly<Row>, options: Options): Promise<ModelInstance>
  /** All rows of a list or none, with the paths `[1].items[0].name` in violations. */
  createAll (list: ReadonlyArray<Readonly<Row>>, options: Options): Promise<ModelInstance[]>
  patch (instance: ModelInstance, data: Readonly<Row>, options: Options): Promise<ModelInstance>
  replace (
    id: unknown, data: Readonly<Row>, options: Options, target?: ModelInstance
  ): Promise<ModelInstance>
  /** Changes, or replaces, the row with the id in the data; creates it where there is none. */
  upsert (data: Readonly<Row>, options: Options, replaces: boolean): MaybePromise<ModelInstance>
}
