import path from 'node:path'
import { severities, type AuditReport, type Finding, type FindingLocation, type Severity, type Suggestion } from '@fastback/boot/audit'
import { defineCommand } from 'citty'
import { audit } from '../audit.js'
import { application, debug, envFile, json } from '../common-options.js'
import { FindingsError, UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'

export const auditCommand = defineCommand({
  meta: { name: 'audit', description: 'Show what an application leaves open' },
  args: {
    ...application,
    severity: {
      type: 'string',
      description: `The least severity that counts: ${severities.join(', ')}`,
      default: 'low',
      valueHint: 'level'
    },
    env: { type: 'string', description: 'Which environment to look at', default: 'production', valueHint: 'name' },
    ...envFile,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const severity = severities.find(each => each === args.severity)
    if (severity === undefined) {
      throw new UsageError(`There is no severity "${args.severity}". There are: ${severities.join(', ')}.`)
    }
    const report = await audit(path.resolve(terminal.cwd, args.dir), { env: args.env, severity })
    terminal.print(args.json === true ? JSON.stringify(report, null, 2) : table(report))
    if (report.findings.length > 0) throw new FindingsError(summary(report.findings))
  }
})

function table ({ findings, accepted, suggestions, env, leftOut }: AuditReport): string {
  const width = Math.max(0, ...findings.map(({ code }) => code.length))
  const rows = findings.flatMap(finding => [
    `${finding.severity.padEnd(6)}  ${finding.code.padEnd(width)}  ${placeOf(finding)}`,
    `        ${finding.what}`,
    `        why: ${finding.why}`,
    `        fix: ${finding.fix}`,
    ''
  ])
  return [
    ...rows,
    ...suggestions.flatMap(suggestionLines),
    `${summary(findings)} (environment "${env}")${accepted.length === 0 ? '' : `, ${accepted.length} accepted in config.json`}`,
    ...(leftOut.length === 0 ? [] : [`${leftOut.length} rules are about the files of a folder, and were left out.`])
  ].join('\n')
}

/** No finding: the exit code does not change. */
const suggestionLines = (suggestion: Suggestion): string[] => [
  `hint    ${suggestion.code}  ${placeOf(suggestion)}`,
  `        ${suggestion.what}`,
  ...suggestion.instead === undefined ? [] : [`        rule: ${suggestion.instead}`],
  ''
]

const placeOf = ({ file, line, key }: FindingLocation): string =>
  `${file}${line === undefined ? '' : `:${line}`}${key === '' ? '' : `  ${key}`}`

function summary (findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Nothing found'
  const count = (severity: Severity) => findings.filter(each => each.severity === severity).length
  return `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}: ${severities
    .filter(each => count(each) > 0)
    .map(each => `${count(each)} ${each}`)
    .join(', ')}`
}
