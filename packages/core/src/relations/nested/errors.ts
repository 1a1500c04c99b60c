/** What can be wrong with rows within the data of a row. */
import { RequestError } from '../../errors.js'
import type { FoundViolation } from '../../violation.js'

const violation = (path: string, code: string, message: string, info: Record<string, unknown> = {}): FoundViolation =>
  ({ path, code, message, info })

/** Data of a relation that are no row, or no list of rows. */
export const noRows = (path: string, type: 'array' | 'object'): FoundViolation =>
  violation(path, 'type', type === 'array' ? 'must be a list of rows' : 'must be a row', { type })

/** An id of no row of this parent: alike for rows that are not there, that are another's, and that nobody sees. */
export const notOfParent = (path: string): FoundViolation =>
  violation(path, 'related', 'is not the id of a row of this relation')

/** The same row twice in one list. */
export const namedTwice = (path: string): FoundViolation => violation(path, 'uniqueItems', 'stands in the list twice')

/** Null for the row of a relation that may not be removed this way. */
export const notRemovable = (path: string): FoundViolation =>
  violation(path, 'type', 'must be a row: only a relation with "nestedWrite": "replace" removes it', { type: 'object' })

/** 422 NESTED_ROWS_LIMIT: more rows, or levels of them, than one write may have. */
export const tooMany = (what: string, limit: number): RequestError =>
  new RequestError(422, `Rows of relations within the data: more than ${limit} ${what}. Write them in several requests.`, {
    code: 'NESTED_ROWS_LIMIT', details: { limit }
  })

/** 403 NESTED_ROW_REFUSED: the rules of the related model do not let the caller do this to the row. */
export const refusedRow = (model: string, what: string, path: string): RequestError =>
  new RequestError(403, `The rules of ${model} do not let you ${what} the row at "${path}".`, {
    code: 'NESTED_ROW_REFUSED', details: { path }
  })
