/** Values of a document that others wrote. */
export type Json = Readonly<Record<string, unknown>>

/** The value, where it is an object; otherwise an empty one. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Json : {}

export const listOf = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : []

export const textOf = (value: unknown): string | undefined => typeof value === 'string' ? value : undefined

/** Its own members, without those that would change an object of this process. */
export const entriesOf = (value: unknown): Array<[string, unknown]> =>
  Object.entries(objectOf(value)).filter(([name]) => name !== '__proto__')
