/** Figures of a run. */
import type { Operation } from './routes.js'
import type { Answer } from './wire.js'

export class Statistics {
  requests = 0
  readonly statuses: Record<string, number> = {}
  /** Operations that answered with success at least once. */
  readonly reached = new Set<string>()
  /** Operations that refused at least once. */
  readonly refused = new Set<string>()
  /**
   * Slow responses, and answers that did not come, when the same session was fine a moment later: the machine's fault,
   * most likely.
   */
  readonly notRepeated: string[] = []
  /** Errors thrown by the application's own code, by operation. */
  readonly applicationErrors: Record<string, number> = {}
  slowest = { milliseconds: 0, what: '' }
  slowestProbe = 0
  /** Reachable bytes of the server, with the number of requests before. */
  readonly memory: Array<{ requests: number, bytes: number }> = []
  readonly started = performance.now()

  note ({ id, verb }: Operation, sent: string, { status, milliseconds, failure }: Answer): void {
    this.requests++
    const name = status === 0 ? `none (${failure ?? ''})` : String(status)
    this.statuses[name] = (this.statuses[name] ?? 0) + 1
    if (status >= 200 && status < 400 && sent === verb) this.reached.add(id)
    if (status >= 400) this.refused.add(id)
    if (milliseconds > this.slowest.milliseconds) this.slowest = { milliseconds, what: id }
  }

  get seconds (): number {
    return (performance.now() - this.started) / 1_000
  }
}
