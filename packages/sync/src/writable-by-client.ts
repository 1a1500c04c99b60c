/** Rows that devices send, their bytes read, without what clients may not say (security.md, S-99). */
import { isRemote, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { clientValues, type ClientWrite } from '@fastback/core/remote'

/**
 * The data as they may be written. Code in the process says everything.
 * @throws ValidationError 422
 */
export const writableByClient = (
  Model: ModelClass, data: Readonly<Row>, write: ClientWrite, options: OperationOptions
): Row => (isRemote(options) ? clientValues(Model.compiled, data, write) : data) as Row
