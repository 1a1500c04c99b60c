/** What became of the messages of one call (PU-41). */
import type { Result } from '../provider/outcome.js'

type Status = Result['status']

/** How many messages were sent, and why others were not: reasons with their numbers. */
export interface PushReport {
  readonly sent: number
  readonly failed: number
  readonly gone: number
  readonly expired: number
  readonly reasons: Readonly<Partial<Record<Status, Readonly<Record<string, number>>>>>
}

/** Reasons of services are codes, and few; should one not be, the rest counts as one. */
const mostReasons = 50

export class Report implements PushReport {
  sent = 0
  failed = 0
  gone = 0
  expired = 0
  readonly reasons: Partial<Record<Status, Record<string, number>>> = {}

  add (result: Pick<Result, 'status'> & { readonly reason?: string }): void {
    this[result.status]++
    if (result.reason === undefined) return
    const reasons = (this.reasons[result.status] ??= {})
    const reason = result.reason in reasons || Object.keys(reasons).length < mostReasons ? result.reason : 'Other'
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
}
