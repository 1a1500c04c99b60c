/** Writes of a row together with rows of its relations (relation setting `nestedWrite`). */
import type { MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Row } from '../properties/types.js'
import type { OperationOptions } from './operation-options.js'

/**
 * Whether data of a row may carry rows of a relation: `true`, or `'replace'` where a replacement also removes the rows
 * that it does not name.
 */
export type NestedWrite = boolean | 'replace'

/** What the operations of a model hand data to that carry rows of relations. */
export interface NestedWrites {
  /** The relations whose rows data may carry. */
  readonly names: ReadonlySet<string>
  /** Whether data carry rows of these relations. */
  carries (data: unknown): boolean
  create (data: Readonly<Row>, options: OperationOptions): Promise<ModelInstance>
  /** All rows of a list or none, with the paths `[1].items[0].name` in violations. */
  createAll (list: ReadonlyArray<Readonly<Row>>, options: OperationOptions): Promise<ModelInstance[]>
  patch (instance: ModelInstance, data: Readonly<Row>, options: OperationOptions): Promise<ModelInstance>
  replace (
    id: unknown, data: Readonly<Row>, options: OperationOptions, target?: ModelInstance
  ): Promise<ModelInstance>
  /** Changes, or replaces, the row with the id in the data; creates it where there is none. */
  upsert (data: Readonly<Row>, options: OperationOptions, replaces: boolean): MaybePromise<ModelInstance>
}
