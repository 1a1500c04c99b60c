/** Errors of writes that expect a version of their row. */
import { RequestError } from '../errors.js'
import type { Row } from '../properties/types.js'

/**
 * 412 VERSION_CONFLICT: somebody else has written the row. `current` is the row as it is stored; code that shows it to
 * a client shows what that client may read.
 */
export class VersionConflictError extends RequestError {
  declare readonly current: Row
  declare readonly modelName: string
  declare readonly id: unknown
  /** What its client is shown of the row; undefined: nothing. */
  declare shown: Readonly<Row> | undefined
  constructor (modelName: string, id: unknown, current: Row) {
    super(
      412,
      `The row ${String(id)} of ${modelName} was changed by somebody else. Read it again, and write what is to be so now.`,
      { name: 'PreconditionFailedError', code: 'VERSION_CONFLICT' }
    )
    // Logs write what is enumerable: rows have secrets.
    for (const [name, value] of Object.entries({ current, modelName, id, shown: undefined })) {
      Object.defineProperty(this, name, { value, enumerable: false, configurable: true, writable: true })
    }
  }
}

/** 400: `ifVersion` of many rows, of a model without versions, or of no version. */
export const badVersion = (why: string): RequestError =>
  new RequestError(400, why, { name: 'BadRequestError', code: 'INVALID_VERSION' })
