/** What related rows say about rows (`RelatedValue`), read by the relations' own includes, one query for each. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { includedOf, type RelatedCount } from '../instances/included.js'
import { isRelatedValue } from '../query/aggregation.js'
import type { PropertyPath, RelatedValue, Selection } from '../query/ast.js'
import { internSelection } from '../query/parse-fields.js'
import { compileValueAt } from '../query/walk-path.js'
import { includeRelations } from './include.js'
import { asInternal } from './origin.js'

/**
 * What must be read of rows for these values: properties, and what joins related rows.
 *
 * ```js
 * selectionOf(Order.compiled, [propertyPath(Order.compiled, 'status')]).names // ['status']
 * ```
 */
export function selectionOf (
  model: CompiledModel, values: ReadonlyArray<PropertyPath | RelatedValue>, also: readonly string[] = []
): Selection {
  const names = new Set([...also, ...values.flatMap(value => isRelatedValue(value)
    ? model.relations.get(value.relations[0] as string)?.joinKeys ?? []
    : [value.property])])
  const declared = model.properties.flatMap(({ name }) => names.has(name) ? [name] : [])
  const extra = [...names].filter(name => !model.propertyByName.has(name)).sort()
  return internSelection(model, { names: declared, extra: extra.length === 0 ? 'none' : extra })
}

/**
 * Reads the values of rows that have what joins them. Who asks was judged by the condition of each value.
 *
 * ```js
 * const [cityOf] = await relatedValues(Order.compiled, rows, [city], options)
 * cityOf(rows[0]) // 'Lima'
 * ```
 * @returns for each value where it is found; null where there is no related row
 */
export function relatedValues (
  model: CompiledModel, rows: readonly Row[], values: readonly RelatedValue[], options: OperationOptions
): MaybePromise<ReadonlyArray<(row: Row) => unknown>> {
  const reading = { ...asInternal(options), includeGuard: undefined } as OperationOptions
  const found: Array<ReadonlyMap<Row, unknown>> = []
  const read = (value: RelatedValue): MaybePromise<void> =>
    chain(valuesBehind(model, rows, value.relations, value, reading), known => { found.push(known) })
  return chain(eachInSequence(values, read), () =>
    found.map(known => (row: Row): unknown => known.get(row) ?? null))
}

function valuesBehind (
  model: CompiledModel, rows: readonly Row[], [name = '', ...further]: readonly string[], value: RelatedValue,
  options: OperationOptions
): MaybePromise<Map<Row, unknown>> {
  const isLast = further.length === 0
  const count = isLast && value.path === undefined
  // Include puts what it finds into the rows, where somebody else may have asked for other rows of the relation.
  const copies = rows.map(row => ({ ...row }))
  const node = { relation: name, scope: undefined, external: false, ...(count ? { count } : {}) }
  return chain(includeRelations(model, copies, [node], options), () => {
    const related = copies.map(copy => includedOf(copy)?.[name] as Row | null | undefined)
    if (isLast) {
      const valueAt = value.path === undefined ? countOf : compileValueAt(value.path)
      return new Map(rows.map((row, i) => [row, related[i] == null ? null : valueAt(related[i])]))
    }
    const target = model.relations.get(name)?.target()?.compiled as CompiledModel
    const distinct = [...new Set(related)].filter((row): row is Row => row !== null && row !== undefined)
    return chain(valuesBehind(target, distinct, further, value, options), known =>
      new Map(rows.map((row, i) => [row, known.get(related[i] as Row)])))
  })
}

const countOf = (found: Row): unknown => (found as unknown as RelatedCount).count
