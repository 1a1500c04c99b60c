/** Removes what is stored for a time only: rows that are put away (`purgeAfter`), versions of rows (`keepFor`). */
import { softDeleteIn } from '../definition/soft-delete-property.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import { nowAndThen } from '../now-and-then.js'
import { purge } from '../operations/restore.js'
import { HistoryLog } from './history-log.js'
import { historyIn } from './setting.js'

/** Milliseconds between two looks. */
const interval = 60_000
/** Rows of one step. */
const step = 500

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000)

/**
 * Looks once for what is older than it is to be stored.
 *
 * ```js
 * await removeOld(registry)
 * ```
 */
export async function removeOld (registry: ModelRegistry): Promise<void> {
  for (const Model of Object.values(registry.models)) {
    if (Model.state.dataSource === undefined) continue
    try {
      await removeOldOf(Model)
    } catch (err) {
      registry.log.warn({ err, model: Model.modelName }, 'rows that are stored for a time only could not be removed')
    }
  }
}

async function removeOldOf (Model: ModelClass): Promise<void> {
  const { purgeAfter } = softDeleteIn(Model.settings) ?? {}
  const { keepFor } = historyIn(Model.settings) ?? {}
  if (purgeAfter !== undefined) await purge(Model.compiled, { before: ago(purgeAfter) })
  if (keepFor !== undefined) await HistoryLog.of(Model)?.sweep(ago(keepFor), step)
}

/**
 * Looks now and then, while the registry is started and any model says how long.
 *
 * ```js
 * lookNowAndThen(registry)
 * ```
 */
export function lookNowAndThen (registry: ModelRegistry): void {
  nowAndThen(registry, {
    interval,
    work: async () => { await removeOld(registry) },
    // Each model's are told of by themselves.
    failed: () => {},
    isWanted: () => Object.values(registry.models).some(({ settings }) =>
      softDeleteIn(settings)?.purgeAfter !== undefined || historyIn(settings)?.keepFor !== undefined)
  })
}
