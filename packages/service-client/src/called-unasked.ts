const names: ReadonlySet<string> = new Set(['then', 'toJSON'])

/**
 * Whether JavaScript calls a member of this name by itself where it is a function: a model that has an operation of a
 * service as `then` would be a promise (security.md, S-162). Such an operation needs another name.
 *
 * ```js
 * isCalledUnasked('then') // true
 * ```
 */
export const isCalledUnasked = (name: string): boolean => names.has(name)
