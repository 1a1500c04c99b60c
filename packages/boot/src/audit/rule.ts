import type { Found, Severity } from './finding.js'
import type { Subject } from './subject.js'

/** One rule of the audit. */
export interface AuditRule {
  /** Stable: what accepts a finding names it. */
  readonly code: `FBK_AUDIT_${string}`
  /** Of its findings, unless one says otherwise. */
  readonly severity: Severity
  /** What it finds, for the table in the documentation. */
  readonly title: string
  /** Why it matters. */
  readonly why: string
  find (subject: Subject): Iterable<Found> | Promise<Iterable<Found>>
}
