/** The records of a file that somebody imports: CSV, a list in JSON, or a line of JSON for each. */
import { parseCsv } from './csv.js'

export interface ImportRecord {
  /** Where it is in the file: the line, or the position in the list. */
  readonly at: number
  readonly values: Readonly<Record<string, unknown>>
}

export interface ImportSource {
  /** Names of the values, as they come. */
  readonly names: readonly string[]
  readonly records: readonly ImportRecord[]
  /** Whether values are texts, which become what their property is. */
  readonly isText: boolean
  /** Whether there are more records than are taken. */
  readonly isCut: boolean
}

/** Records of an import, and bytes of a file of JSON, which is read at once. */
export const mostRecords = 50_000
const mostJson = 5 * 1024 * 1024

/**
 * Reads a file.
 * @throws Error with what is wrong in it
 */
export async function readSource (file: File): Promise<ImportSource> {
  const start = (await file.slice(0, 1024).text()).replace(/^\uFEFF/, '').trimStart()
  if (start.startsWith('[')) {
    if (file.size > mostJson) throw new Error('A list in JSON may have 5 MB. Of more rows make a file with a line for each (NDJSON), or CSV.')
    return jsonSource(parsedList(await file.text()))
  }
  if (start.startsWith('{')) return jsonSource(parsedLines(await file.text()))
  return csvSource(await parseCsv(await file.text(), mostRecords + 1))
}

function csvSource ({ lines, isCut }: { readonly lines: readonly string[][], readonly isCut: boolean }): ImportSource {
  const [names = [], ...rows] = lines
  if (names.length === 0) throw new Error('The file has no headings.')
  return {
    names: [...new Set(names)], isText: true, isCut,
    records: rows.map((row, index) => ({ at: index + 2, values: Object.fromEntries(names.map((name, column) => [name, row[column] ?? ''])) }))
  }
}

function jsonSource (values: readonly unknown[]): ImportSource {
  const names = new Set<string>()
  const records = values.slice(0, mostRecords).map((value, index): ImportRecord => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error(`Row ${index + 1} is no object.`)
    for (const name of Object.keys(value)) names.add(name)
    return { at: index + 1, values: value as Readonly<Record<string, unknown>> }
  })
  return { names: [...names], records, isText: false, isCut: values.length > mostRecords }
}

function parsedList (text: string): unknown[] {
  const value: unknown = parsed(text.replace(/^\uFEFF/, ''), 'The file')
  return [value].flat()
}

/** A line for each, or one object over several lines. */
function parsedLines (text: string): unknown[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n').filter(line => line.trim() !== '')
  try {
    return lines.map(line => JSON.parse(line) as unknown)
  } catch {
    return [parsed(lines.join('\n'), 'The file')]
  }
}

function parsed (text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${what} is no JSON: ${(error as Error).message}`)
  }
}
