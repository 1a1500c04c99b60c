/** Decimal numbers in TypeBox. */
import { Type, type SchemaOptions, type TUnsafe } from '@sinclair/typebox'
import { decimalPattern, type DecimalLimits } from './decimal.js'

/**
 * A property of the type `decimal`: a text of digits in rows and in JSON, and a number in conditions, in orders and in
 * the database. What has more digits than it allows is refused, and never rounded.
 *
 * ```ts
 * Type.Object({ price: Decimal({ precision: 10, scale: 2 }), rate: Type.Optional(Decimal()) })
 * ```
 * @param options `precision`: digits in all (default: 38); `scale`: digits after the point, which are always written
 * (default: as many as a value has); and whatever a schema of TypeBox says
 */
export function Decimal (options: SchemaOptions & DecimalLimits = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'decimal', pattern: decimalPattern(options), ...options })
}
