/** Work on a whole change list: looking at the rows again, and forgetting (SY-28, SYD-3, SYD-9). */
import type { MaybePromise, StoreOptions } from '@fastback/core'
import { chain, eachInSequence, parseFilter, parseWhere } from '@fastback/core/connector'
import { storedAsOne } from '@fastback/core/remote'
import type { ChangeLog } from './change-log.js'
import type { ChangeRow } from './change.js'

/** Rows of one query. */
const batch = 500
const day = 86_400_000
const defaultTtl = 90 * day

/** Looks at all rows that have a change. */
export const rectifyAll = (log: ChangeLog): MaybePromise<void> =>
  chain(eachChange(log, change => log.rectify(change.modelId)), () => purge(log))

/** Looks at all rows, those that have no change as well. */
export async function rebuild (log: ChangeLog): Promise<void> {
  await rectifyAll(log)
  const { compiled } = log.Model
  const idName = compiled.id?.name ?? 'id'
  for (let after: unknown; ;) {
    const where = after === undefined ? {} : { [idName]: { gt: after } }
    const query = parseFilter(compiled, { where, order: `${idName} ASC`, limit: batch }, compiled.parsing.internal)
    const rows = await compiled.connector.find(compiled, query, log.options)
    for (const row of rows) await log.rectify(log.idOf(row))
    const last = rows.at(-1)
    if (rows.length < batch || last === undefined) return
    after = log.idOf(last)
  }
}

/** In pages by the ids of the rows: what is changed meanwhile does not move others. */
function eachChange (log: ChangeLog, work: (change: ChangeRow) => MaybePromise<void>, after = ''): MaybePromise<void> {
  const where = after === '' ? {} : { modelId: { gt: after } }
  return chain(log.find({ where, order: ['modelId ASC'], limit: batch }), changes =>
    chain(eachInSequence(changes, work), () => {
      const last = changes.at(-1)?.modelId
      return changes.length < batch || last === undefined ? undefined : eachChange(log, work, last)
    }))
}

/** Forgets deletes that are older than `tombstoneTtl` seconds (SYD-9). */
async function purge (log: ChangeLog): Promise<void> {
  const { settings, compiled, modelName } = log.Model
  const ttl = typeof settings.tombstoneTtl === 'number' ? settings.tombstoneTtl * 1000 : defaultTtl
  const before = new Date(Date.now() - ttl)
  if ((await log.tombstones.before(modelName, before, log.options)).length === 0) return
  // Anyone who begins from now on is past them: the horizon is never above the checkpoint of now.
  const settled = await log.settled()
  await storedAsOne(compiled, log.options, async within => { await forget(log, before, settled, within) })
}

async function forget (log: ChangeLog, before: Date, settled: number, within: StoreOptions): Promise<void> {
  const { tombstones, store, Model: { modelName }, Change: { compiled } } = log
  const old = (await tombstones.before(modelName, before, within)).filter(({ checkpoint }) => checkpoint < settled)
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  const horizon = await tombstones.horizon(modelName, within)
  const latest = old.reduce((most, { checkpoint }) => Math.max(most, checkpoint + 1), horizon)
  // First: who reads the list, and looks at the horizon then, misses no delete.
  await tombstones.setHorizon(modelName, latest, within)
  const modelIds = old.map(({ modelId }) => modelId)
  const where = { id: { inq: ids }, modelId: { inq: modelIds }, rev: null }
  const gone = parseWhere(compiled, where, compiled.parsing.internal)
  await store.deleteAll(compiled, gone, within)
  await tombstones.remove(ids, within)
}
