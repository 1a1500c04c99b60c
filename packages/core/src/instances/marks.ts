/** Marks on instances of models: what tells them from plain objects, and what is kept with them beside their data. */

/** Set on instances that stand for a stored row. */
export const PERSISTED = Symbol('fastback.persisted')

/** On the prototype of all instances: copies of their members do not have it. */
export const INSTANCE = Symbol('fastback.instance')

/** Set on instances of strict models: names that callers gave and the model does not have. */
const UNKNOWN = Symbol('fastback.unknown')

export interface Marked {
  [PERSISTED]?: boolean
  [UNKNOWN]?: readonly string[]
  readonly [INSTANCE]?: true
}

/**
 * Whether a value has the mark of instances, for those that need not know what else an instance is (`isInstance`).
 *
 * ```js
 * isMarked(await Note.findOne()) // true
 * ```
 */
export const isMarked = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && (value as Marked)[INSTANCE] === true

/**
 * Keeps with an instance what a caller gave that its model refuses: it is no data, and validation tells of it. What
 * code puts on the instance by itself is never among it.
 *
 * ```js
 * keepUnknown(note, ['stars'])
 * unknownOf(note) // ['stars']
 * ```
 */
export function keepUnknown (instance: object, names: readonly string[]): void {
  if (names.length === 0) return
  Object.defineProperty(instance, UNKNOWN, {
    value: [...new Set([...unknownOf(instance), ...names])], configurable: true
  })
}

const none: readonly string[] = []

/** Names that `keepUnknown` has kept with an instance. */
export const unknownOf = (instance: object): readonly string[] => (instance as Marked)[UNKNOWN] ?? none
