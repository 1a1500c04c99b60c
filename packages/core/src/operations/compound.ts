/** Calls by id of models with compound ids: the whole id is meant, or nothing is. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { RequestError } from '../errors.js'
import { isCompound } from '../query/compound-id.js'

/**
 * Refuses what is no whole id, where several properties are the id: one value would stand for several rows.
 * @param call as the caller wrote it
 * @throws RequestError 400 COMPOUND_ID
 */
export function assertFullId (model: CompiledModel, call: string, id: unknown): void {
  if (!isCompound(model) || (id !== null && typeof id === 'object')) return
  const names = model.key.map(({ name }) => name)
  throw new RequestError(
    400,
    `${call}: the id of ${model.name} is { ${names.join(', ')} }; one value stands for several rows. Give all parts as an object, or use a where clause`,
    { code: 'COMPOUND_ID', details: { properties: names } }
  )
}
