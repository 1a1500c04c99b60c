/** How many digits a decimal may have, as its property says it. */
import { defaultPrecision, mostPrecision, type DecimalLimits } from './decimal.js'
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyType } from './types.js'

type Written = Readonly<Record<string, unknown>>

/**
 * The type with the `precision` and `scale` of its definition; of a list the items have them. Of other types these say
 * what a column is like, and nothing of values.
 *
 * ```js
 * withDecimalLimits({ kind: 'decimal' }, { precision: 10, scale: 2 }, location).limits // { precision: 10, scale: 2 }
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION for digits that no decimal has
 */
export function withDecimalLimits (type: PropertyType, written: Written, location: TypeLocation): PropertyType {
  if (type.kind === 'array' && type.items !== undefined) {
    const items = withDecimalLimits(type.items, written, location)
    return items === type.items ? type : { ...type, items }
  }
  if (type.kind !== 'decimal') return type
  const precision = digitsOf(written, 'precision', location)
  const scale = digitsOf(written, 'scale', location)
  const { limits: { precision: before = defaultPrecision } = {} } = type
  if (precision === 0) throw invalidType(location, 'has a "precision" of 0; a decimal has at least one digit')
  if (scale !== undefined && scale > (precision ?? before)) {
    throw invalidType(location, `has a "scale" of ${scale}, which is more than its precision of ${precision ?? before}`)
  }
  if (precision === undefined && scale === undefined) return type
  const limits: DecimalLimits = {
    ...type.limits, ...(precision === undefined ? {} : { precision }), ...(scale === undefined ? {} : { scale })
  }
  return { ...type, limits }
}

function digitsOf (written: Written, key: 'precision' | 'scale', location: TypeLocation): number | undefined {
  const digits = written[key]
  if (digits === undefined || digits === null) return undefined
  const isCount = Number.isInteger(digits) && (digits as number) >= 0 && (digits as number) <= mostPrecision
  if (isCount) return digits as number
  throw invalidType(location, `has the "${key}" ${JSON.stringify(digits)}; write a whole number up to ${mostPrecision}`)
}
