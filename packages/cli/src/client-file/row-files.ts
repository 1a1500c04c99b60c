/** The part of a client that is there for rows with files. */

export const fileTypes = `/** A row with files, a Blob or File each, in the place of what JSON has of them. */
export type WithFiles<T, K extends string> = {
  [P in keyof T]: P extends K ? T[P] | (NonNullable<T[P]> extends Array<infer Item> ? Array<Item | Blob> : Blob) : T[P]
}`

export const fileFunctions = `/** A row with files is a form: what JSON has of it is the field data, the files stand behind. */
function rowForm (body: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const entries = Object.entries(body)
  const isFile = (value: unknown): boolean => value instanceof Blob
  const files = entries.map(([name, value]) => [name, (Array.isArray(value) ? value as unknown[] : [value]).filter(isFile)] as const).filter(([, found]) => found.length > 0)
  if (files.length === 0) return undefined
  const data = entries.filter(([, value]) => !isFile(value)).map(([name, value]) => [name, Array.isArray(value) ? value.filter(each => !isFile(each)) : value] as const)
  return { data: Object.fromEntries(data), ...Object.fromEntries(files) }
}`
