/** Samples from JSON, lines of JSON, or a table with commas. */
import type { Readable } from 'node:stream'
import { SamplesError } from './errors.js'

export type SampleFormat = 'json' | 'ndjson' | 'csv'

export interface SampleOptions {
  readonly format: SampleFormat | undefined
  readonly limit: number
}

/** Bytes that are read at most. */
const maxBytes = 64 * 1024 * 1024

/**
 * Reads samples, each an object.
 * @throws FBK_CLI_SAMPLES naming the line
 */
export async function readSamples (stream: Readable, { format, limit }: SampleOptions): Promise<object[]> {
  const text = await textOf(stream)
  const chosen = format ?? guess(text)
  const found = chosen === 'csv' ? await csvRows(text, limit) : chosen === 'ndjson' ? lines(text, limit) : whole(text)
  return found.slice(0, limit).map((sample, at) => {
    if (sample === null || typeof sample !== 'object' || Array.isArray(sample)) throw new SamplesError(`number ${at + 1} is no object`)
    return sample
  })
}

async function textOf (stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) throw new SamplesError(`there are more than ${maxBytes} bytes; give a part of them`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString().replace(/^\uFEFF/, '')
}

function guess (text: string): SampleFormat {
  const start = text.trimStart()
  if (start.startsWith('[')) return 'json'
  if (!start.startsWith('{')) return 'csv'
  return isJson(start) ? 'json' : 'ndjson'
}

function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A list, one object, or an object whose only list holds the samples (`{ "rows": […] }`). */
function whole (text: string): unknown[] {
  const value = parsed(text, 'the data')
  if (Array.isArray(value)) return value
  const lists = Object.values(value as object).filter(isTable)
  const [only] = lists
  return only !== undefined && lists.length === 1 && Object.keys(value as object).length === 1 ? only : [value]
}

const isTable = (value: unknown): value is unknown[] => Array.isArray(value) && value.some(isObject)
const isObject = (value: unknown): boolean => value !== null && typeof value === 'object' && !Array.isArray(value)

const lines = (text: string, limit: number): unknown[] => text.split('\n')
  .map((line, at) => ({ line: line.trim(), at }))
  .filter(({ line }) => line !== '')
  .slice(0, limit)
  .map(({ line, at }) => parsed(line, `line ${at + 1}`))

function parsed (text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SamplesError(`${what} is no JSON`)
  }
}

/** Values of tables are texts: those that all rows have as numbers or truth values are such. */
async function csvRows (text: string, limit: number): Promise<unknown[]> {
  const { parse } = await import('csv-parse/sync')
  try {
    const options = { columns: true, skip_empty_lines: true, trim: true, to: limit, cast: cellOf }
    return parse(text, options) as unknown[]
  } catch (error) {
    throw new SamplesError(error instanceof Error ? error.message : String(error))
  }
}

function cellOf (cell: string, { header }: { readonly header: boolean }): unknown {
  if (header) return cell
  if (cell === '') return null
  if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  // Leading zeros are of codes, and not of numbers.
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(cell) ? Number(cell) : cell
}
