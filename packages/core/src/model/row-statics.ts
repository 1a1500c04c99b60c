/** Static functions of connected models that LoopBack's have not: bulk writes, rows that are put away, history. */
import { historyOf, revert } from '../history/history.js'
import { bulkDelete, bulkPatch, bulkUpsert } from '../operations/bulk/bulk.js'
import { assertFullId } from '../operations/compound.js'
import { purge, restoreById } from '../operations/restore.js'
import { mustHaveId, statically } from './statically.js'

export const rowStatics = {
  /** `({ ids | where | all, data, return }, options?)` */
  bulkPatch: statically((Model, [request, options]) => bulkPatch(Model.compiled, request, options)),
  bulkDelete: statically((Model, [request, options]) => bulkDelete(Model.compiled, request, options)),
  /** `({ rows, by, return }, options?)` */
  bulkUpsert: statically((Model, [request, options]) => bulkUpsert(Model.compiled, request, options)),
  /** `(filter?, options?)`: a stream of the rows and of what changes in them (`live/live-stream.ts`). */
  live: statically(async (Model, [filter, options]) => {
    const { openLiveQuery } = await import('../live/live-stream.js')
    return await openLiveQuery(Model, filter, options)
  }),
  restoreById: statically((Model, [id, options]) => {
    mustHaveId(Model, 'restoreById', id)
    assertFullId(Model.compiled, `${Model.modelName}.restoreById`, id)
    return restoreById(Model.compiled, id, options)
  }),
  /** `(id, { limit, skip }?, options?)`: the versions of a row, the oldest first. */
  historyOf: statically((Model, [id, page, options]) => {
    mustHaveId(Model, 'historyOf', id)
    return historyOf(Model.compiled, id, page, options)
  }),
  /** `(id, version, options?)`: writes a row as it was after a version. */
  revert: statically((Model, [id, version, options]) => {
    mustHaveId(Model, 'revert', id)
    return revert(Model.compiled, id, version, options)
  }),
  /** `({ before }, options?)`: removes rows for good that were put away. */
  purge: statically((Model, [which, options]) => purge(Model.compiled, which ?? {}, options))
}
