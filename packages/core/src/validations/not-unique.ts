import { memberPath } from '../properties/path.js'
import type { Row } from '../properties/types.js'
import type { FoundViolation } from '../violation.js'
import { messageOf, type ValidationConfig } from './config.js'
import { isDisclosable, shownValue, type Secretive } from './describe-value.js'

/**
 * The violation of a uniqueness, found by a look into the store or by its unique index: it names the property, and the
 * value that another row has, with those of its scope.
 * @param properties the property, then those of its scope
 * @param config of the validation
 */
export function notUnique (
  model: Secretive & { readonly name: string },
  properties: readonly string[],
  row: Readonly<Row>,
  config: ValidationConfig = {}
): FoundViolation {
  const [property, ...scope] = properties as [string, ...string[]]
  const standard = messageOf('uniqueness', undefined, {})
  const message = messageOf('uniqueness', undefined, config)
  const code = config.code ?? 'uniqueness'
  const told = properties.filter(name => isDisclosable(model, name) && row[name] !== undefined && !isNested(row[name]))
  const values = Object.fromEntries(told.map(name => [name, row[name]]))
  const pairs = told.map(name => `${name} ${shownValue(row[name])}`)
  const sentence = `${standard}: another "${model.name}" has ${told.includes(property) ? pairs.join(', ') : 'this value'}`
  return {
    path: memberPath(property),
    code,
    message: message === standard ? sentence : message,
    info: { properties: [property, ...scope], values },
    inProcess: { code, message }
  }
}

/** What an object holds is not told: it may be a row of a model with hidden properties. */
const isNested = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !(value instanceof Date)
