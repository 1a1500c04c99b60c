import { JSONPathEnvironment, type JSONValue } from 'json-p3'

/** Finds values in a response. */
export type ResponsePath = (body: unknown) => unknown

/** Responses are no deeper (SC-S9). */
const environment = new JSONPathEnvironment({ maxRecursionDepth: 101 })
const lengthAtEnd = /\.length$/

/**
 * Compiles a JSONPath (RFC 9535; service-connectors.md, SC-J1 to SC-J5). The result is a list, whatever the path says;
 * undefined for no response, and empty for one that is text. `.length` at the end of a path is a list's length.
 *
 * ```js
 * compileResponsePath('$.days[*].sky')({ days: [{ sky: 'snow' }] }) // ['snow']
 * ```
 * @throws Error for what is no path; expressions in scripts are none
 */
export function compileResponsePath (written: string): ResponsePath {
  const withLength = lengthAtEnd.test(written)
  const path = environment.compile(written.replace(lengthAtEnd, ''))
  return body => {
    if (body === undefined) return undefined
    if (typeof body !== 'object' || body === null) return []
    const found = path.query(body as JSONValue).values()
    return withLength ? found.flatMap(lengthOf) : found
  }
}

function lengthOf (value: unknown): unknown[] {
  if (Array.isArray(value)) return [value.length]
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'length')
    ? [(value as { readonly length: unknown }).length]
    : []
}
