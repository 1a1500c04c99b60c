/** Picks the properties of a selection. */
import type { StoredModel } from '../definition/stored-model.js'
import type { Row } from '../properties/types.js'
import type { Selection } from './ast.js'

/**
 * A new row with the selected properties that `row` has: declared ones first, in the order of the definition. Values
 * are the same, not copies.
 *
 * ```js
 * projectRow({ id: 1, title: 'a', text: 'b' }, parseFields(model, ['title'], options), model) // { title: 'a' }
 * ```
 */
export function projectRow (row: Row, select: Selection, model: StoredModel): Row {
  const { names, extra } = select
  const result: Row = {}
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    const value = row[name]
    if (value !== undefined) result[name] = value
  }
  if (extra === 'none') return result
  for (const name of extra === 'all' ? Object.keys(row) : extra) {
    if (model.propertyByName.has(name) || !Object.hasOwn(row, name)) continue
    const value = row[name]
    if (value !== undefined) result[name] = value
  }
  return result
}
