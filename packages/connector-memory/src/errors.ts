/** Start-up errors of the memory connector. */
import createError from '@fastify/error'

/** The file is no file of this connector, or was damaged. The connector does not touch it. */
export const DamagedFileError = createError<string, 500, [dataSource: string, file: string, problem: string]>('FBK_MEMORY_DAMAGED_FILE',
  'Data source "%s": the file %s cannot be read: %s. Restore it from a backup, or move it away to start with no rows.', 500)
