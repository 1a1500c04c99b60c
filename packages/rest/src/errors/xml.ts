import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { writeInSlices } from './in-slices.js'
import { isLarge, linesOf, type WriteAt } from './xml-writer.js'

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
 * What is large is written in slices (security.md, S-101).
 */
export function xmlText (
  root: string, value: unknown, { wrapperElement, declaration = true }: XmlOptions = {}
): MaybePromise<string> {
  const own = (value as { toXML?: unknown } | null | undefined)?.toXML
  if (typeof own === 'function') return String(own.call(value))
  const { parse } = require('js2xmlparser') as typeof import('js2xmlparser')
  const name = typeof wrapperElement === 'string' ? wrapperElement : root
  const written = (text: string, data: unknown, include: boolean): string => parse(text, data as object, {
    declaration: { encoding: 'UTF-8', include },
    format: { doubleQuotes: true, indent: '  ' },
    replaceInvalidChars: true,
    ...noSigns
  })
  const writeAt: WriteAt = ([first, ...others], data) => {
    const nested = others.reduceRight<unknown>((inside, each) => ({ [each]: inside }), data)
    const lines = written(first as string, nested, false).split('\n')
    return lines.slice(others.length, lines.length - others.length)
  }
  return chain(plainInTurns(value), plainValue => {
    const data = Array.isArray(plainValue) ? { result: plainValue as unknown[] } : plainValue
    if (!isLarge(data)) return written(name, data, declaration)
    const [head] = declaration ? written(name, {}, true).split('\n') : []
    return chain(linesOf([name], data, writeAt), lines => [...head === undefined ? [] : [head], ...lines].join('\n'))
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
const plainInTurns = (value: unknown): MaybePromise<unknown> => writeInSlices<unknown>(value, {
  one: plain, list: items => items, object: members => named(Object.fromEntries(members))
})

function plain (value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value) ?? 'null', (_key, each: unknown) => named(each))
}

/** A name that is empty becomes one that the writer has. */
function named (value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, '')) return value
  const { '': nameless, ...rest } = value as Record<string, unknown>
  return { ...rest, [replacement]: nameless }
}
