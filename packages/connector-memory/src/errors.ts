/** Errors of the memory connector: at the start, and of writes that do not reach the disk. */
import { startUpErrors } from '@fastback/core/connector'

const memory = startUpErrors('MEMORY')

/** The file was not written by this connector, or is damaged. The connector does not touch it. */
export const DamagedFileError = memory<[dataSource: string, file: string, problem: string]>(
  'DAMAGED_FILE',
  'Data source "%s": the file %s cannot be read: %s. Restore it from a backup, or move it away to start with no rows.'
)

/** Codes of a place that takes no more. */
const full = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** The file cannot be written; the change was rolled back. */
const NotWrittenError = memory<[dataSource: string, file: string, problem: string]>(
  'NOT_WRITTEN',
  'Data source "%s": the file %s cannot be written (%s). The change was not made.'
)

/** A write that failed: 507 where there is no room, else 500. Node's own error is the cause. */
export function notWritten (dataSource: string, file: string, error: NodeJS.ErrnoException): Error {
  const failure = new NotWrittenError(dataSource, file, error.code ?? error.message)
  if (full.includes(error.code ?? '')) Object.assign(failure, { statusCode: 507 })
  failure.cause = error
  return failure
}
