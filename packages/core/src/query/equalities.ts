/** The values that rows of a scope have: what a new row needs, so that the scope has it. */
import { isPlainObject } from './parse-context.js'

/** `{ active: true }` of a condition becomes a value of the row; comparisons cannot. */
export function takeEqualities (
  row: Record<string, unknown>, where: unknown, isProperty: (name: string) => boolean
): void {
  if (!isPlainObject(where)) return
  for (const [name, value] of Object.entries(where)) {
    if (name === 'and' && Array.isArray(value)) for (const each of value) takeEqualities(row, each, isProperty)
    else if (isProperty(name) && !isPlainObject(value)) row[name] = value
  }
}
