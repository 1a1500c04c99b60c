import type { Row } from '../properties/types.js'

/**
 * Where rows and instances keep what include loaded: beside the data, so that a property of the same name is not
 * touched.
 */
export const INCLUDED = Symbol.for('fastback.included')

export type IncludedValues = Record<string, Row | Row[] | null | undefined>

/**
 * How many related rows there are, in their place (`include: { relation: 'books', count: true }`). Rows are written by
 * the model that their class names; this writes itself.
 *
 * ```js
 * includedOf(author).books.count // 3
 * ```
 */
export class RelatedCount {
  static readonly compiled = {
    stringify: ({ count }: Row): string => `{"count":${String(count)}}`,
    toPlain: ({ count }: Row): Row => ({ count })
  }

  constructor (readonly count: number) {}
}

/**
 * What include has loaded for a row, or undefined when nothing was included.
 *
 * ```js
 * const [note] = await findRows(Note.compiled, { include: 'author' })
 * includedOf(note)?.author // the row of the author
 * ```
 */
export function includedOf (row: Row): IncludedValues | undefined {
  return (row as { [INCLUDED]?: IncludedValues })[INCLUDED]
}

/**
 * Keeps a loaded relation with its row; `undefined` means "no related row" and leaves the key out of responses.
 *
 * ```js
 * setIncluded(note, 'author', author)
 * JSON.parse(Note.compiled.stringify(note, true)).author
 * ```
 */
export function setIncluded (row: Row, relation: string, value: Row | Row[] | null | undefined): void {
  const holder = row as { [INCLUDED]?: IncludedValues }
  if (holder[INCLUDED] === undefined) {
    Object.defineProperty(row, INCLUDED, {
      value: Object.create(null),
      enumerable: false,
      configurable: true,
      writable: true
    })
  }
  (holder[INCLUDED] as IncludedValues)[relation] = value
}

/**
 * Forgets a loaded relation, as if nobody had asked for it.
 *
 * ```js
 * dropIncluded(note, 'author')
 * ```
 */
export function dropIncluded (row: Row, relation: string): void {
  const included = includedOf(row)
  if (included !== undefined) delete included[relation]
}
