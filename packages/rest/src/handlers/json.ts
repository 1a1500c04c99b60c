import { isInstance, type Row } from '@fastback/core'
import { compiledOf } from '@fastback/core/remote'

/**
 * JSON text of a result. Instances write themselves, hidden properties left out, unless their class has a `toJSON` of
 * its own; other values are `JSON.stringify`'s. Undefined for what JSON does not have.
 */
export function jsonText (value: unknown): string | undefined {
  if (writesItself(value)) return compiledOf(value).stringify(value, false)
  if (!Array.isArray(value) || value.length === 0 || !value.every(writesItself)) {
    return JSON.stringify(value) as string | undefined
  }
  let text = '['
  for (let i = 0; i < value.length; i++) {
    text += (i === 0 ? '' : ',') + compiledOf(value[i] as object).stringify(value[i] as Row, false)
  }
  return text + ']'
}

function writesItself (value: unknown): value is Row {
  if (!isInstance(value)) return false
  const { Model } = compiledOf(value)
  return value.toJSON === Model.registry.models.Model?.prototype.toJSON
}
