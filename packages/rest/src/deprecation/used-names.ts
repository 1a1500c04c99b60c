/** Names of properties that a request uses. */

/** Of the rows in a body. */
export function namesInBody (body: unknown): string[] {
  if (body === null || typeof body !== 'object' || Buffer.isBuffer(body)) return []
  return [body].flat().flatMap(row => row === null || typeof row !== 'object' ? [] : Object.keys(row as object))
}

/** Of filters and conditions in a query, as JSON or in brackets. */
export function namesInQuery (query: unknown): string[] {
  const names: string[] = []
  for (const [key, value] of Object.entries(query as Readonly<Record<string, unknown>>)) {
    if (!/^(?:filter|where)(?:\[|$)/.test(key)) continue
    const path = key.split(/[[\]]+/)
    names.push(...path)
    if (path.includes('fields') || path.includes('order')) names.push(...words(value))
    else collect(parsed(value), names, 0)
  }
  return names
}

/** Deeper than a filter may be is nothing that is asked. */
const deepest = 32

function collect (value: unknown, names: string[], depth: number): void {
  if (value === null || typeof value !== 'object' || depth > deepest) return
  if (Array.isArray(value)) {
    for (const each of value) collect(each, names, depth + 1)
    return
  }
  for (const [key, each] of Object.entries(value)) {
    // A path leads through related rows, and begins here.
    names.push(key.split('.', 1)[0] as string)
    if (key === 'fields' || key === 'order' || key === 'groupBy') names.push(...words(each))
    collect(each, names, depth + 1)
  }
}

/** `"title DESC"`, `["title", "-text"]` */
const words = (value: unknown): string[] => [value].flat().flatMap(each =>
  typeof each === 'string' ? each.split(/[\s,.[\]"]+/).map(word => word.replace(/^-/, '')) : [])

function parsed (value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
