/** Work that is done again and again while an application runs. */
import type { ModelRegistry } from './interfaces/model-registry.js'

export interface Recurring {
  /** Milliseconds between two times. */
  readonly interval: number
  readonly work: () => Promise<unknown>
  /** Told of an error of the work, which goes on the next time. */
  readonly failed: (error: unknown) => void
  /** Asked once, at the start: whether there is anything to do. Default: there is. */
  readonly isWanted?: () => boolean
}

/**
 * Does something now and then while a registry is started, and never twice at once. The process does not stay for it.
 *
 * ```js
 * nowAndThen(registry, { interval: 60_000, work: () => sweep(), failed: error => { console.warn(error) } })
 * ```
 */
export function nowAndThen (registry: Pick<ModelRegistry, 'on'>, { interval, work, failed, isWanted }: Recurring): void {
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  const once = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      await work()
    } catch (error) {
      failed(error)
    } finally {
      isBusy = false
    }
  }
  registry.on('started', () => {
    if (isWanted?.() !== false) timer ??= setInterval(() => { once().catch(failed) }, interval).unref()
  })
  registry.on('stopped', () => {
    clearInterval(timer)
    timer = undefined
  })
}
