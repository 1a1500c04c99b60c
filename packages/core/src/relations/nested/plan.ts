/** What a write of a row with rows of its relations comes to: which rows are made, changed, linked and removed. */
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { ModelInstance } from '../../instances/model-instance.js'
import type { LookedAt, OperationOptions } from '../../interfaces/operation-options.js'
import type { Row } from '../../properties/types.js'
import type { FoundViolation } from '../../violation.js'
import type { BelongsTo } from '../belongs-to.js'
import type { HasMany } from '../has-many.js'
import type { HasManyThrough } from '../has-many-through.js'
import type { HasOne } from '../has-one.js'
import type { ReferencesMany } from '../references-many.js'

/** The relations whose rows can be written with a row. */
export type NestableRelation = BelongsTo | HasOne | HasMany | HasManyThrough | ReferencesMany

export interface NestedNode {
  readonly model: CompiledModel
  /** `.items[1]`; of the row itself nothing, or `[2]` in a list. */
  readonly path: string
  /** `keep`: the row is only linked. */
  readonly action: 'create' | 'update' | 'keep'
  /** Without rows of relations. */
  readonly data: Row
  /** The row as it is; undefined where it is made. */
  readonly stored: ModelInstance | undefined
  /** What its write has to look at again. */
  readonly look?: LookedAt | undefined
  readonly parts: readonly NestedPart[]
}

/** The rows of one relation. */
export interface NestedPart {
  readonly relation: NestableRelation
  readonly nodes: readonly NestedNode[]
  /** Rows of the relation that are to be removed, or parted from theirs. */
  readonly removed: readonly ModelInstance[]
  /** The ids of those that belong to the row already. */
  readonly linked: ReadonlySet<string>
  /** Whether the rows are all that the relation has afterwards. */
  readonly isWhole: boolean
}

/** What is known of the write that a plan is made for. */
export interface Planning {
  readonly options: OperationOptions
  readonly violations: FoundViolation[]
  /** Rows that may still be planned. */
  left: number
  readonly limit: number
  /** Levels of relations. */
  readonly depth: number
}

/** Data of a row, apart from those of rows of its relations. */
export interface SplitRow { readonly plain: Row, readonly nested: ReadonlyArray<readonly [NestableRelation, unknown]> }

/**
 * Data of a row and of rows of its relations.
 *
 * ```js
 * splitRow(Order.compiled, { title: 'a', items: [{ qty: 1 }] }) // { plain: { title: 'a' }, nested: [[items, […]]] }
 * ```
 */
export function splitRow (model: CompiledModel, data: Readonly<Row>): SplitRow {
  const { nests } = model
  if (nests === undefined) return { plain: data as Row, nested: [] }
  const plain: Row = {}
  const nested: Array<readonly [NestableRelation, unknown]> = []
  for (const name of Object.keys(data)) {
    if (!nests.names.has(name)) plain[name] = data[name]
    else if (data[name] !== undefined) {
      nested.push([model.relations.get(name) as unknown as NestableRelation, data[name]])
    }
  }
  return { plain, nested }
}
