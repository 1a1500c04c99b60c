/** CSV, read and written: its library is loaded when it is wanted. */
import type Papa from 'papaparse'

/** Letters that are read at once, so that no piece takes long. */
const chunkSize = 256 * 1024

/** What a spreadsheet would run as a formula: on its way out such a text gets an apostrophe in front. */
const guarded = /^'(?=[=+\-@\t\r])/

const load = async (): Promise<typeof Papa> => (await import('papaparse')).default

/**
 * The lines of a text, each as its values. The delimiter is found out, quotes are read, empty lines left out.
 *
 * ```js
 * await parseCsv('title;stars\nTea;"4"', 100) // { lines: [['title', 'stars'], ['Tea', '4']], isCut: false }
 * ```
 * @param most lines that are read; `isCut` says that there are more
 * @throws Error for quotes that do not end
 */
export async function parseCsv (
  text: string, most: number
): Promise<{ readonly lines: string[][], readonly isCut: boolean }> {
  const papa = await load()
  const lines: string[][] = []
  let isCut = false
  return await new Promise((resolve, reject) => {
    papa.parse<string[]>(text, {
      worker: false,
      skipEmptyLines: 'greedy',
      chunkSize,
      chunk: ({ data, errors }: Papa.ParseResult<string[]>, parser: Papa.Parser) => {
        const broken = errors.find(({ type }) => type === 'Quotes')
        if (broken !== undefined) {
          reject(new Error(`Line ${(broken.row ?? 0) + 1 + lines.length}: ${broken.message}.`))
          parser.abort()
          return
        }
        for (const values of data) {
          if (lines.length < most) lines.push(values.map(value => value.replace(guarded, '')))
          else isCut = true
        }
        if (isCut) parser.abort()
        else {
          // The page is drawn between two pieces.
          parser.pause()
          setTimeout(() => { parser.resume() })
        }
      },
      complete: () => { resolve({ lines: lines.map((line, index) => index === 0 ? withoutMark(line) : line), isCut }) }
    })
  })
}

/** Programs put a byte order mark in front of the first heading. */
const withoutMark = ([first = '', ...others]: string[]): string[] => [first.replace(/^\uFEFF/, ''), ...others]

/**
 * Rows as CSV. Texts that a spreadsheet would run get an apostrophe in front; lists and objects are JSON.
 *
 * ```js
 * await csvOf(['a', 'b'], [{ a: '=1+1', b: -5 }]) // "a,b\r\n'=1+1,-5"
 * ```
 */
export async function csvOf (
  names: readonly string[], rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): Promise<string> {
  const papa = await load()
  const data = rows.map(row => names.map(name => Object.hasOwn(row, name) ? cellOf(row[name]) : ''))
  return papa.unparse({ fields: [...names], data }, { escapeFormulae: true })
}

function cellOf (value: unknown): unknown {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : value
}
