import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * XML of a value, in the form that LoopBack 3 gives it: one root element, the items of a list in elements of the list's name (`result` at the top).
 * The writer is loaded when the first client asks for XML.
 */
export function xmlText (root: string, value: unknown): string {
  const { parse } = require('js2xmlparser') as typeof import('js2xmlparser')
  const data = plain(value)
  return parse(root, Array.isArray(data) ? { result: data } : data, { declaration: { encoding: 'UTF-8' }, replaceInvalidChars: true })
}

/** As JSON would have it: dates as text, instances without hidden properties. */
const plain = (value: unknown): unknown => value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? 'null')
