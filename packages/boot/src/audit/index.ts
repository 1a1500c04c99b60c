/** `@fastback/boot/audit`: what an application leaves open. */
export { audit, type AuditOptions, type AuditReport } from './audit.js'
export type { Suggestion } from './suggestions.js'
export { severities, type Finding, type FindingLocation, type Severity } from './finding.js'
export { auditRules } from './rules/index.js'
export type { AuditRule, FolderRule } from './rule.js'
