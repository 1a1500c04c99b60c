/** Whether clients set a property: `readOnly`, `writeOnce`, `computed` (security.md, S-99). */
import type { CompiledProperty } from '../definition/stored-model.js'
import { isTypeBox } from './property-schema.js'

/**
 * A property in JSON says it itself, one in TypeBox in its schema. Who chooses ids is for `forceId` to say.
 *
 * ```js
 * User.compiled.properties.filter(property => isSetBy(property, 'readOnly'))
 * ```
 */
export function isSetBy (
  { idPosition, internal, definition }: CompiledProperty, which: 'readOnly' | 'writeOnce' | 'computed'
): boolean {
  if (idPosition > 0 || internal) return false
  const { type } = definition
  return definition[which] === true || (isTypeBox(type) && (type as Record<string, unknown>)[which] === true)
}
