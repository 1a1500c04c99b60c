import { isInstance, type MaybePromise, type ModelClass, type Row, type SharedMethod } from '@fastback/core'
import { byClock, chain, fewRows, inSlices, writeValue } from '@fastback/core/connector'
import { compiledOf, textOfResult } from '@fastback/core/remote'
import { writeInSlices, type SlicedWriter } from '../errors/in-slices.js'

/**
 * Whether the rows that a method gives count as reached through a relation, as those of an include do, and show no
 * protected properties then (service.md, properties). LoopBack takes their own model to be asked: folders that want it
 * so set the application's `hideProtectedFromRelations` to false.
 */
export const isReached = ({ relation, nested, model }: Pick<SharedMethod, 'relation' | 'nested' | 'model'>): boolean =>
  (relation !== undefined || nested !== undefined) && model.registry.settings.hideProtectedFromRelations !== false

/**
 * JSON text of a result. Instances write themselves, hidden properties left out, unless their class has a `toJSON` of
 * its own; other values are `JSON.stringify`'s, with bigints. Undefined for what JSON does not have.
 * @param reached whether protected properties are left out as well
 */
export function jsonText (value: unknown, reached = false): MaybePromise<string | undefined> {
  const text = textOfResult(value)
  if (text !== undefined) return text.join('')
  if (writesItself(value)) return compiledOf(value).stringify(value, reached)
  if (!Array.isArray(value) || value.length === 0 || !value.every(writesItself)) {
    return writeInSlices<string | undefined>(value, plainText)
  }
  return listText(value as readonly Row[], row => compiledOf(row).stringify(row, reached))
}

/** What has no long list in it is written at once. */
const plainText: SlicedWriter<string | undefined> = {
  one: writeValue,
  list: items => `[${items.map(item => item ?? 'null').join(',')}]`,
  object: members =>
    `{${members.flatMap(([name, text]) => text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]).join(',')}}`
}

/** The same as a plain value, for what is not written as JSON. */
export function plainValue (value: unknown, reached: boolean): unknown {
  if (!reached) return value
  if (Array.isArray(value)) return value.map(each => plainValue(each, true))
  return writesItself(value) ? compiledOf(value).toPlain(value, { hidden: false, included: true }) : value
}

/** A list as JSON. Others have the event loop in between where it is long (security.md, S-74). */
export function listText<T> (list: readonly T[], write: (item: T) => string): MaybePromise<string> {
  let text = '['
  const step = (i: number): void => { text += i === 0 ? write(list[i] as T) : `,${write(list[i] as T)}` }
  if (list.length > fewRows) return chain(inSlices(list.length, step, byClock()), () => `${text}]`)
  for (let i = 0; i < list.length; i++) step(i)
  return `${text}]`
}

function writesItself (value: unknown): value is Row {
  if (!isInstance(value)) return false
  return value.toJSON === builtinJSON(compiledOf(value).Model)
}

const builtinJSON = ({ registry }: ModelClass): unknown => registry.models.Model?.prototype.toJSON

/** Whether the application says how rows of a model are written: by a `toJSON` of its own. */
export const hasOwnJSON = (Model: ModelClass): boolean => Model.prototype.toJSON !== builtinJSON(Model)
