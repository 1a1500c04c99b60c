/** What the rules of access let a caller set, in a row and in the rows within it. */
import { RequestError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { PropertyTest } from '../interfaces/row-rules.js'
import { modelsIn } from '../properties/nested-models.js'
import type { PropertyType, Row } from '../properties/types.js'
import { isSame, isSeen, type ClientWrite } from './client-write.js'
import { StoredInnerRows, isRow } from './stored-inner-rows.js'

/**
 * Refuses what rules do not let the caller set, but for what the row has; a replacement keeps that. What the caller may
 * not read is refused whatever it is: whether it was right would tell the value. Rows within the row are judged by the
 * rules of their own models.
 *
 * ```js
 * writableValues(Note.compiled, { salary: 5 }, { kind: 'create', writes: name => name !== 'salary' }) // throws
 * ```
 * @returns the same object where nothing is to change
 * @throws RequestError 403 FIELD_NOT_WRITABLE
 */
export function writableValues (
  model: CompiledModel, data: Readonly<Row>, write: ClientWrite, prefix = ''
): Readonly<Row> {
  const { kind, stored, writes, reads } = write
  if (writes === undefined) return data
  let result = data
  for (const name of Object.keys(data)) {
    if (data[name] === undefined || model.key.some(part => part.name === name)) continue
    const was = kind === 'create' || !isSeen(model, name, reads) ? undefined : stored?.[name]
    if (writes(name)) {
      const type = model.propertyByName.get(name)?.type
      const value = writableWithin(model, type, { value: data[name], was }, write, `${prefix}.${name}`)
      if (value !== data[name]) result = { ...result, [name]: value }
      continue
    }
    const isKnown = kind !== 'create' && stored !== undefined && isSeen(model, name, reads)
    if (isKnown && isSame(model, name, data[name], was)) continue
    throw notWritable(model, name, prefix)
  }
  if (kind !== 'replace' || stored === undefined) return result
  const held = Object.keys(stored).filter(name => !writes(name) && data[name] === undefined)
  return held.length === 0 ? result : { ...result, ...Object.fromEntries(held.map(name => [name, stored[name]])) }
}

const notWritable = (model: CompiledModel, name: string, prefix: string): RequestError =>
  new RequestError(403, `The rules of ${model.name} do not let you set "${name}".`, {
    code: 'FIELD_NOT_WRITABLE', details: { path: `${prefix}.${name}` }
  })

/** A value, and the one that the row has now, or the list that this is one of. */
interface Sent { readonly value: unknown, readonly was: unknown }

/** Rows within a property that may be set: each replaces one that is there, or is new. */
function writableWithin (
  model: CompiledModel, type: PropertyType | undefined, { value, was }: Sent, write: ClientWrite, path: string
): unknown {
  const within = write.writes?.within
  if (within === undefined || type === undefined || value === null || typeof value !== 'object') return value
  if (modelsIn(type).length === 0) return value
  if (Array.isArray(value)) {
    const held = was instanceof StoredInnerRows ? was : new StoredInnerRows(was)
    const items = value.map((item: unknown, i) =>
      writableWithin(model, type.items ?? type, { value: item, was: held }, write, `${path}[${String(i)}]`))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (type.kind === 'array') return writableWithin(model, type.items, { value, was }, write, path)
  if (type.kind === 'object') {
    const [row, stored] = [value as Readonly<Row>, isRow(was) && !(was instanceof StoredInnerRows) ? was : {}]
    const members = Object.entries(row).map(([name, member]): [string, unknown] => {
      const sent = { value: member, was: stored[name] }
      return [name, writableWithin(model, type.members?.[name], sent, write, `${path}.${name}`)]
    })
    return members.some(([name, member]) => member !== row[name]) ? Object.fromEntries(members) : value
  }
  const inner = model.Model.registry.findModel(type.model as string)?.compiled
  return inner === undefined ? value : writableRow(inner, value as Readonly<Row>, was, write, path)
}

/** A row within another one, by the rules of its own model. */
function writableRow (
  inner: CompiledModel, row: Readonly<Row>, was: unknown, { kind, stored: around, writes, reads }: ClientWrite,
  path: string
): Readonly<Row> {
  const testOf = (test: PropertyTest | undefined, isOther: (name: string) => boolean): PropertyTest => {
    const own = test?.within?.(inner.name)
    return Object.assign((name: string) => !isOther(name) && own?.(name) !== false, { within: test?.within })
  }
  const own = writes?.within?.(inner.name)
  const ofMany = kind === 'update' && around === undefined
  const lost = ofMany
    ? inner.properties.find(({ name }) => own?.(name) === false && row[name] === undefined)
    : undefined
  // Of many rows nobody knows what each has there: it would be gone.
  if (lost !== undefined) throw notWritable(inner, lost.name, path)
  const stored = (was instanceof StoredInnerRows ? was : new StoredInnerRows(was)).of(inner, row)
  const known: ClientWrite = ofMany ? { kind } : stored === undefined ? { kind: 'create' } : { kind: 'replace', stored }
  return writableValues(inner, row, {
    ...known, writes: testOf(writes, () => false), reads: testOf(reads, name => inner.protectedNames.has(name))
  }, path)
}
