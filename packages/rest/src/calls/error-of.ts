/**
 * The error of a response, whatever stands around it (`rootProperty`, `errors: "problem"`).
 *
 * ```js
 * errorOf('{"error":{"statusCode":404,"name":"Error"}}', 404) // { statusCode: 404, name: 'Error' }
 * ```
 */
export function errorOf (text: string, status: number): Record<string, unknown> {
  const body = parsed(text)
  if (body === undefined) return { statusCode: status }
  const [only, ...others] = Object.values(body)
  return others.length === 0 && isObject(only) ? only : body
}

/** Undefined for what is no JSON object. */
export function parsed (text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
