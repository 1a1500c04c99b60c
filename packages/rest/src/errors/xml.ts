import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * XML of a value, in the form that LoopBack 3 gives it: one root element, the items of a list in elements of the list's
 * name (`result` at the top). The writer is loaded when the first client asks for XML.
 */
export function xmlText (root: string, value: unknown): string {
  const { parse } = require('js2xmlparser') as typeof import('js2xmlparser')
  const data = plain(value)
  return parse(root, Array.isArray(data) ? { result: data } : data, {
    declaration: { encoding: 'UTF-8' },
    replaceInvalidChars: true,
    ...noSigns
  })
}

/**
 * Names that mean something to the writer (`@`: attributes, `#`: text, `=`: another name) may be names of properties:
 * nobody can send these.
 */
const noSigns = { attributeString: randomUUID(), valueString: randomUUID(), aliasString: randomUUID() }

/** What the writer puts for a character that XML has no place for; it stands for a name that is empty, too. */
const replacement = '\ufffd'

/** As JSON would have it: dates as text, instances without hidden properties. */
function plain (value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value) ?? 'null', (_key, each: unknown) => {
    if (each === null || typeof each !== 'object' || !Object.hasOwn(each, '')) return each
    const { '': nameless, ...rest } = each as Record<string, unknown>
    return { ...rest, [replacement]: nameless }
  })
}
