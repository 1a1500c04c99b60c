/**
 * Rows that devices send, their bytes read, without what clients may not say (security.md, S-99) or the rules of the
 * caller do not let them set.
 */
import { isRemote, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { clientValues, ruleOf, type ClientWrite } from '@fastback/core/remote'

/**
 * The data as they may be written. Code in the process says everything.
 * @throws ValidationError 422; RequestError 403 FIELD_NOT_WRITABLE
 */
export async function writableByClient (
  Model: ModelClass, data: Readonly<Row>, write: ClientWrite, options: OperationOptions
): Promise<Row> {
  if (!isRemote(options)) return data
  const rule = await ruleOf(Model.compiled, write.kind === 'create' ? 'create' : 'update', options)
  return clientValues(Model.compiled, data, { ...write, writes: rule?.writes, reads: rule?.reads })
}
