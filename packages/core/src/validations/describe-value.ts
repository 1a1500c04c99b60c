/** How the message of a validation error tells the invalid value (behaviour.md, section 6). */
import type { Row } from '../properties/types.js'

/** A model, by what of it is not shown. */
export interface Secretive {
  readonly hidden: ReadonlySet<string>
  readonly protectedNames: ReadonlySet<string>
  readonly propertyByName?: ReadonlyMap<string, { readonly sealed?: unknown }>
}

/** Longest value that is shown whole, as in LoopBack. */
const maxLength = 32

/** Names whose values are secrets even where the definition does not hide them. */
const secretName = /pass|pwd|secret|token|credential|key$|salt|hash|pin$|cvv|cvc|iban|ssn|cardnumber/i

/**
 * ` (value: "x")` for a property, to follow its message. Values of hidden, protected and password-like properties read
 * `undefined`, also when they are set; values inside nested data are not told at all.
 * @param property name of the property, or the path of a value within it
 */
export function describeValue (
  model: Secretive,
  property: string,
  row: Readonly<Row>
): string {
  // Under the name of a relation there is a function.
  if (/[.[]/.test(property) || typeof row[property] === 'function') return ''
  return ` (value: ${isDisclosable(model, property) ? shownValue(row[property]) : 'undefined'})`
}

/** Whether the value of a property may be told: it is not hidden, protected or sealed, nor named like a password. */
export const isDisclosable = (model: Secretive, property: string): boolean =>
  !model.hidden.has(property) && !model.protectedNames.has(property) && !secretName.test(property) &&
  model.propertyByName?.get(property)?.sealed === undefined

/** A value as messages show it: text in quotes, shortened. */
export function shownValue (value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value))
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  // What an object holds is not told: it may be a row of a model with hidden properties.
  if (Array.isArray(value)) return `list of ${value.length}`
  if (value !== null && typeof value === 'object') return 'object'
  return shorten(String(value))
}

const shorten = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 7)}...${text.slice(-3)}`
