/** The explanation of a decision about access, to be read by a person. */
import type { ConsideredRule, ExplainedRows } from '@fastback/acl'
import type { AccessExplanation, ListStatements } from './explain-access.js'
import { statementLines } from './query/report-text.js'
import { describeRule } from './rule-text.js'

/**
 * Lines for a terminal: the decision, the rules, which rows and properties are left, what a list sends.
 *
 * ```js
 * console.log(explanationReport(await explainAccess('my-app', { model: 'Note', method: 'find' })))
 * ```
 */
export const explanationReport = (
  { allowed, method, accessType, reason, considered, rows, list }: AccessExplanation
): string => [
  `${allowed ? 'allowed' : 'refused'}  ${method} (${accessType})`,
  `because: ${reason}`,
  ...considered.map(ruleLine),
  ...rows === undefined ? [] : rowLines(rows),
  ...list === undefined ? [] : listLines(list)
].join('\n')

const ruleLine = ({ rule, source, fits, effect }: ConsideredRule): string =>
  `  ${effect ?? (fits ? 'fits' : 'does not fit')}`.padEnd(16) + `${describeRule(rule)}  (${source})`

function rowLines ({ action, where, check, preset, read, write }: ExplainedRows): string[] {
  const lines: ReadonlyArray<readonly [string, string | undefined]> = [
    ['rows', where !== undefined ? json(where) : action === 'create' ? undefined : 'all'],
    ['check', check === undefined || json(check) === json(where) ? undefined : json(check)],
    ['preset', preset === undefined ? undefined : json(preset)],
    ['readable', list(read)],
    ['writable', write === undefined ? undefined : list(write)]
  ]
  return lines.flatMap(([name, text]) => text === undefined ? [] : [`${name}: ${text}`])
}

const list = (names: readonly string[]): string => names.length === 0 ? 'nothing' : names.join(', ')

const json = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => typeof each === 'bigint' ? String(each) : each) ?? ''

const listLines = (list: ListStatements): string[] => 'none' in list
  ? [`statement: none, ${list.none}`]
  : list.statements.flatMap((statement, at) => ['', ...statementLines(statement, at + 1)])
