/** JSON Merge Patch (RFC 7396). */
type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * The value that a merge patch makes of another, which stays as it is.
 *
 * ```js
 * mergePatch({ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }) // { a: { c: 2, d: 3 } }
 * ```
 */
export function mergePatch (target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Members = {}
  if (isObject(target)) for (const name of Object.keys(target)) set(merged, name, target[name])
  for (const name of Object.keys(patch)) {
    const value = patch[name]
    if (value === null) delete merged[name]
    else set(merged, name, mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, value))
  }
  return merged
}

/** A member of the object's own, whatever its name. */
function set (members: Members, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Whether a patch changes members of members: what it makes of them depends on what is there. */
export const looksInside = (patch: Members): boolean => Object.values(patch).some(isObject)
