/** The audit of an application: what a folder's own files leave open, or what code does. */
import type { FastifyInstance } from 'fastify'
import { readConfiguration } from '../configuration.js'
import { InvalidConfigError } from '../errors.js'
import { isRecord } from '../load/is-record.js'
import { scratchStores } from '../scratch-stores.js'
import { createServer } from '../server.js'
import { reaches, severities, type Finding, type Severity } from './finding.js'
import { auditRules } from './rules/index.js'
import { suggestionsOf, type Suggestion } from './suggestions.js'
import { codeSubject, folderSubject, type FolderSubject, type Subject } from './subject.js'

export interface AuditOptions {
  /** Name of the environment that is looked at. Default: `production`, which is where it matters. */
  readonly env?: string | undefined
  /** Findings below it are left out. Default: `low`. */
  readonly severity?: Severity | undefined
}

export interface AuditReport {
  readonly env: string
  /** The worst first, then by file and line. */
  readonly findings: readonly Finding[]
  /** Findings that config.json, or the settings in code, accept (`audit.accepted`), with the reason. */
  readonly accepted: ReadonlyArray<Finding & { readonly reason: string }>
  /** Hooks that rules could replace: no findings. */
  readonly suggestions: readonly Suggestion[]
  /** Codes of the rules that need a folder's files, where there is none. */
  readonly leftOut: readonly string[]
}

interface Accepted { readonly code: string, readonly key: string | undefined, readonly reason: string }

/**
 * Looks at a folder: its files, and the result when it is booted with all data in memory. Nothing listens, no
 * database is touched; boot scripts run. Or at an application that code made: its models, rules and settings; rules
 * about files are left out, and its `onReady` hooks do not run.
 *
 * ```js
 * const { findings } = await audit('my-app', { severity: 'medium' })
 * for (const { code, file, line, what, fix } of findings) console.log(code, `${file}:${line}`, what, fix)
 * ```
 * @param source a folder, or a Fastify instance with `@fastback/core`
 * @throws FBK_BOOT_INVALID_CONFIG for a wrong `audit` in config.json; the coded errors of a folder that cannot be
 * booted
 */
export async function audit (
  source: string | FastifyInstance,
  { env = 'production', severity = 'low' }: AuditOptions = {}
): Promise<AuditReport> {
  if (typeof source !== 'string') {
    await source.after()
    source.registry.close()
    return await reportOf(await codeSubject(source), undefined, env, severity)
  }
  const configuration = await readConfiguration(source, { env })
  const { dataSources, remove } = scratchStores(configuration)
  try {
    const server = await createServer(source, { env, dataSources: withoutOwners(dataSources), log: false })
    try {
      const subject = await folderSubject(configuration, server)
      return await reportOf(subject, subject, env, severity)
    } finally {
      await server.stop()
    }
  } finally {
    remove()
  }
}

/** A rule for owners of containers that the start would refuse is a finding here. */
const withoutOwners = (
  dataSources: Readonly<Record<string, Readonly<Record<string, unknown>>>>
): Record<string, Readonly<Record<string, unknown>>> =>
  Object.fromEntries(Object.entries(dataSources).map(([name, { containerOwner, ...settings }]) => [name, settings]))

/** @param folder the same subject, where it is a folder */
async function reportOf (
  subject: Subject,
  folder: FolderSubject | undefined,
  env: string,
  severity: Severity
): Promise<AuditReport> {
  const accepted = acceptedIn(subject)
  const all = (await findAll(subject, folder)).filter(finding => reaches(finding.severity, severity))
  const reasonFor = (finding: Finding) =>
    accepted.find(({ code, key }) => code === finding.code && (key === undefined || key === finding.key))?.reason
  return {
    env,
    findings: all.filter(finding => reasonFor(finding) === undefined),
    accepted: all.flatMap(finding => {
      const reason = reasonFor(finding)
      return reason === undefined ? [] : [{ ...finding, reason }]
    }),
    suggestions: suggestionsOf(subject),
    leftOut: auditRules.flatMap(({ needsFolder, code }) => needsFolder && folder === undefined ? [code] : [])
  }
}

async function findAll (subject: Subject, folder: FolderSubject | undefined): Promise<Finding[]> {
  const found: Finding[] = []
  for (const rule of auditRules) {
    const { code, severity, why } = rule
    const finds = rule.needsFolder === undefined ? rule.find(subject) : folder === undefined ? [] : rule.find(folder)
    for (const each of await finds) found.push({ code, severity, ...each, why })
  }
  return found.sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      compare(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compare(a.code, b.code)
  )
}

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

/** config.json: `"audit": { "accepted": [{ "code": "…", "key": "…", "reason": "…" }] }`. */
function acceptedIn ({ settings, sources }: Subject): Accepted[] {
  const { audit: given } = settings
  if (given === undefined) return []
  const refuse = (what: string): never => {
    throw new InvalidConfigError(sources.config('config', ['audit']).file, what)
  }
  const list: unknown = isRecord(given) ? given.accepted ?? [] : undefined
  if (!Array.isArray(list)) return refuse('"audit" must be an object with a list "accepted"')
  return list.map((entry: unknown, i) => {
    const { code, key, reason } = isRecord(entry) ? entry : {}
    if (!auditRules.some(rule => rule.code === code)) refuse(`"audit.accepted[${i}].code" is no code of the audit`)
    if (typeof reason !== 'string' || reason === '') refuse(`"audit.accepted[${i}]" needs a "reason"`)
    if (key !== undefined && typeof key !== 'string') {
      refuse(`"audit.accepted[${i}].key" must be the key of the finding`)
    }
    return { code, key, reason } as Accepted
  })
}
