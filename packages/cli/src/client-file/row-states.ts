/** The state of rows in a client: tags of what it read, and what they are sent for. */
import type { OpenApiDocument } from '@fastback/explorer'

/** Whether a described API compares the states of rows. */
export const hasRowStates = ({ paths }: OpenApiDocument): boolean =>
  Object.values(paths).some(item => Object.values(item).some(({ responses }) => responses['412'] !== undefined))

/** Members of `CallOptions`. */
export const rowStateOptions = `
  /** The row is written only in this state: the row as a call gave it, its ETag, or its version. Else the error is a 412. */
  readonly ifMatch?: object | string | number
  /** What the body of a PATCH is: a merge patch (RFC 7396), or a JSON patch (RFC 6902). Default: properties to set. */
  readonly patch?: 'merge' | 'json'`

/** A member of `ApiError`, and what sets it. */
export const currentMember = `
  /** Of a 412: the row as it is now, where you may read it. */
  readonly current: unknown`
export const keepCurrent = `
    this.current = typeof error === 'object' ? error?.current : undefined`

export const patchType = 'patch === undefined ? \'application/json\' : \'application/\' + patch + \'-patch+json\''

export const rowStateHeaders = '  if (ifMatch !== undefined) headers.set(\'if-match\', matchOf(ifMatch))'

export const keepTag = `  const tag = response.headers.get('etag')
  if (tag !== null && typeof answer === 'object' && answer !== null) tags.set(answer, tag)`

export const rowStateFunctions = `const tags = new WeakMap<object, string>()

/** The ETag that a row came with; undefined for a copy, and for a row of a list. */
export const etagOf = (row: object): string | undefined => tags.get(row)

function matchOf (state: object | string | number): string {
  if (typeof state === 'number') return \`"\${state}"\`
  const tag = typeof state === 'string' ? state : tags.get(state)
  if (tag === undefined) throw new TypeError('ifMatch: this row came without an ETag; read it by its id, or name its version.')
  return tag
}`
