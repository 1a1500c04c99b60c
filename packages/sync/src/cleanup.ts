/** Looks at all rows now and then, where others may write them (SY-08, SYD-3). */
import type { ModelClass } from '@fastback/core'
import { ChangeLog } from './change-log.js'
import { rectifyAll } from './upkeep.js'

const kCleanup = Symbol('fastback.sync.cleanup')

/** Starts with the application and ends with it. Only where `changeCleanupInterval` says so. */
export function startCleanup (Model: ModelClass): void {
  const { changeCleanupInterval: interval } = Model.settings
  if (typeof interval !== 'number' || interval <= 0) return
  const { registry } = Model
  const started = registry.slot(kCleanup, () => new Set<string>())
  if (started.has(Model.modelName)) return
  started.add(Model.modelName)
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  const look = (): void => {
    if (isBusy) return
    isBusy = true
    Promise.resolve().then(() => rectifyAll(ChangeLog.of(Model))).catch((error: unknown) => {
      registry.log.warn({ err: error, model: Model.modelName }, 'The changes of a model could not be looked at')
    }).finally(() => { isBusy = false })
  }
  registry.on('started', () => {
    look()
    timer = setInterval(look, interval).unref()
  })
  registry.on('stopped', () => { clearInterval(timer) })
}
