/** What the audit of a folder reports. */

/** The worst first. */
export const severities = ['high', 'medium', 'low'] as const
export type Severity = typeof severities[number]

/** Where something stands, or would stand. */
export interface FindingLocation {
  /** Relative to the application folder. */
  readonly file: string
  /** JSON key in it (`Note.acls[2].property`); empty for a whole file. */
  readonly key: string
  /** Of the key, or of the nearest key around it; undefined for code and files that are not there. */
  readonly line: number | undefined
}

/** One finding, as a rule reports it. */
export interface Found extends FindingLocation {
  /** What stands there, in one sentence. */
  readonly what: string
  /** The line that closes it. */
  readonly fix: string
  /** Where it is not that of the rule. */
  readonly severity?: Severity
}

export interface Finding extends Found {
  readonly code: string
  readonly severity: Severity
  /** Why it matters. */
  readonly why: string
}

/** Whether a severity is at or above another one. */
export const reaches = (severity: Severity, threshold: Severity): boolean =>
  severities.indexOf(severity) <= severities.indexOf(threshold)
