import type { Found, Severity } from './finding.js'
import type { FolderSubject, Subject } from './subject.js'

interface RuleOf<S> {
  /** Stable: what accepts a finding names it. */
  readonly code: `FBK_AUDIT_${string}`
  /** Of its findings, unless one says otherwise. */
  readonly severity: Severity
  /** What it finds, for the table in the documentation. */
  readonly title: string
  /** Why it matters. */
  readonly why: string
  find (subject: S): Iterable<Found> | Promise<Iterable<Found>>
}

/** A rule about models and settings: for folders, and for applications that code made. */
export interface AuditRule extends RuleOf<Subject> {
  readonly needsFolder?: undefined
}

/** A rule about files, middleware and components, which applications that code made do not have. */
export interface FolderRule extends RuleOf<FolderSubject> {
  readonly needsFolder: true
}
