/**
 * What a client does not see of rows within a row, it cannot send again: where it replaces such a row, that stays
 * (security.md, S-195). Null takes it away, and another value takes its place.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { PropertyTest } from '../interfaces/row-rules.js'
import { modelsIn } from '../properties/nested-models.js'
import type { PropertyType, Row } from '../properties/types.js'
import { StoredInnerRows, isRow } from './stored-inner-rows.js'

type Reads = PropertyTest | undefined

/**
 * Data of a client with what rows within the stored row have that the client does not see.
 *
 * ```js
 * keepUnseen(Person.compiled, { card: { name: 'Ann' } }, { card: { name: 'A', pin: '1' } }, undefined)
 * // { card: { name: 'Ann', pin: '1' } }, where the model of cards hides `pin`
 * ```
 * @param reads the properties that rules let the caller read; undefined: all
 * @returns the same object where nothing is to change
 */
export function keepUnseen (
  model: CompiledModel, data: Readonly<Row>, stored: Readonly<Row>, reads: Reads
): Readonly<Row> {
  let result = data
  for (const name of Object.keys(data)) {
    const property = model.propertyByName.get(name)
    // Of a property that the client does not see all is replaced.
    if (property === undefined || property.hidden || reads?.(name) === false) continue
    const value = within(model, property.type, data[name], stored[name], reads)
    if (value !== data[name]) result = { ...result, [name]: value }
  }
  return result
}

/** @param was what the row has there: the value, or the list that this is one of */
function within (
  model: CompiledModel, type: PropertyType | undefined, value: unknown, was: unknown, reads: Reads
): unknown {
  if (type === undefined || value === null || typeof value !== 'object' || modelsIn(type).length === 0) return value
  if (Array.isArray(value)) {
    const rows = was instanceof StoredInnerRows ? was : new StoredInnerRows(was)
    const items = value.map(item => within(model, type.items ?? type, item, rows, reads))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (type.kind === 'array') return within(model, type.items, value, was, reads)
  if (type.kind === 'object') return withinObject(model, type, value as Readonly<Row>, was, reads)
  const inner = model.Model.registry.findModel(type.model as string)?.compiled
  return inner === undefined ? value : innerRow(inner, value as Readonly<Row>, was, reads)
}

function withinObject (
  model: CompiledModel, { members = {} }: PropertyType, value: Readonly<Row>, was: unknown, reads: Reads
): Readonly<Row> {
  const stored = isRow(was) && !(was instanceof StoredInnerRows) ? was : {}
  let result = value
  for (const name of Object.keys(members)) {
    const member = within(model, members[name], value[name], stored[name], reads)
    if (member !== value[name]) result = { ...result, [name]: member }
  }
  return result
}

function innerRow (inner: CompiledModel, row: Readonly<Row>, was: unknown, reads: Reads): Readonly<Row> {
  const stored = (was instanceof StoredInnerRows ? was : new StoredInnerRows(was)).of(inner, row)
  if (stored === undefined || isAnother(inner, row, stored)) return row
  const own = reads?.within?.(inner.name)
  const isUnseen = (name: string): boolean =>
    inner.hidden.has(name) || inner.protectedNames.has(name) || own?.(name) === false
  const kept = Object.keys(stored).filter(name =>
    row[name] === undefined && stored[name] !== undefined && stored[name] !== null && isUnseen(name))
  const whole = kept.length === 0 ? row : { ...row, ...Object.fromEntries(kept.map(name => [name, stored[name]])) }
  const seen: PropertyTest = Object.assign((name: string) => !isUnseen(name), { within: reads?.within })
  return keepUnseen(inner, whole, stored, seen)
}

/** Whether one row, and no list, was replaced by one with another id: what was hidden in it is not the new one's. */
function isAnother ({ id }: CompiledModel, row: Readonly<Row>, stored: Readonly<Row>): boolean {
  const [now, before] = id === undefined ? [] : [row[id.name], stored[id.name]]
  return now !== undefined && now !== null && before !== undefined && before !== null && String(now) !== String(before)
}
