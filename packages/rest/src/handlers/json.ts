import { isInstance, type MaybePromise, type Row } from '@fastback/core'
import { byClock, chain, fewRows, inTurns } from '@fastback/core/connector'
import { compiledOf } from '@fastback/core/remote'

/**
 * JSON text of a result. Instances write themselves, hidden properties left out, unless their class has a `toJSON` of
 * its own; other values are `JSON.stringify`'s. Undefined for what JSON does not have.
 */
export function jsonText (value: unknown): MaybePromise<string | undefined> {
  if (writesItself(value)) return compiledOf(value).stringify(value, false)
  if (!Array.isArray(value) || value.length === 0 || !value.every(writesItself)) {
    return JSON.stringify(value) as string | undefined
  }
  return listText(value as readonly Row[], row => compiledOf(row).stringify(row, false))
}

/** A list as JSON. Others have the event loop in between where it is long (security.md, S-74). */
export function listText<T> (list: readonly T[], write: (item: T) => string): MaybePromise<string> {
  let text = '['
  const step = (i: number): void => { text += i === 0 ? write(list[i] as T) : `,${write(list[i] as T)}` }
  if (list.length > fewRows) return chain(inTurns(list.length, step, byClock()), () => `${text}]`)
  for (let i = 0; i < list.length; i++) step(i)
  return `${text}]`
}

function writesItself (value: unknown): value is Row {
  if (!isInstance(value)) return false
  const { Model } = compiledOf(value)
  return value.toJSON === Model.registry.models.Model?.prototype.toJSON
}
