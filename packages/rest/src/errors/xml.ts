import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** What a result says of its XML (`returns.xml`). */
export interface XmlOptions {
  /** The root element in place of the usual one. */
  readonly wrapperElement?: string | false
  /** Whether the text begins with `<?xml …?>`. Default: true. */
  readonly declaration?: boolean
}

/**
 * XML of a value, in the form that LoopBack 3 gives it: one root element, the items of a list in elements of the list's
 * name (`result` at the top); what has a `toXML` writes itself. The writer is loaded when a client first asks for XML.
 */
export function xmlText (
  root: string, value: unknown, { wrapperElement, declaration = true }: XmlOptions = {}
): string {
  const own = (value as { toXML?: unknown } | null | undefined)?.toXML
  if (typeof own === 'function') return String(own.call(value))
  const { parse } = require('js2xmlparser') as typeof import('js2xmlparser')
  const data = plain(value)
  return parse(typeof wrapperElement === 'string' ? wrapperElement : root, Array.isArray(data) ? { result: data } : data, {
    declaration: { encoding: 'UTF-8', include: declaration },
    format: { doubleQuotes: true, indent: '  ' },
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
