/** Pages by cursors: for each list whose filter takes `after`, a function that gives its rows with their cursors. */
import type { OpenApiDocument, Operation, Schema } from '@fastback/explorer'
import { bodyOf, filterSchema, refName, successOf } from './described.js'

/** The schema of the rows of a list that has pages by cursors; undefined for any other operation. */
export function pagedRows (operation: Operation, { components }: OpenApiDocument): Schema | undefined {
  const filter = components.schemas[refName(filterSchema(operation)) ?? '']
  const body = bodyOf(successOf(operation))
  return body?.type === 'array' && 'after' in ((filter?.properties ?? {}) as object) ? body.items as Schema : undefined
}

export const pageTypes = `/** A page of a list, with the cursors of the pages next to it. */
export interface CursorPage<Row> {
  readonly rows: Row[]
  /** For \`after\`; undefined where no row follows. */
  readonly next: string | undefined
  /** For \`before\`; undefined where no row comes first. */
  readonly prev: string | undefined
}`

export const pageFunctions = `/** Without a cursor: the first page. */
function pageFilter (filter: unknown): object {
  const { after, before } = (filter ?? {}) as { after?: string, before?: string }
  return before === undefined ? { ...filter as object, after: after ?? '' } : filter as object
}

const pageOf = (rows: unknown, headers: Headers): CursorPage<unknown> => ({
  rows: rows as unknown[], next: headers.get('x-next-cursor') ?? undefined, prev: headers.get('x-prev-cursor') ?? undefined
})`
