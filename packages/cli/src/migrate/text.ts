/** Plans as people read them: on a terminal, and in files for review. */
import type { MigrationPlan, PlannedChange, PlannedDifference } from '@fastback/core'

type Plan = Pick<MigrationPlan, 'changes' | 'differences'>

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

/** `2 changes, 1 difference that it will not make`; undefined where there is nothing. */
export function summaryOf ({ changes, differences }: Plan): string | undefined {
  const parts = [
    ...(changes.length === 0 ? [] : [count(changes.length, 'change')]),
    ...(differences.length === 0 ? [] : [`${count(differences.length, 'difference')} that it will not make`])
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** Each change with its statements, then each difference with what can be done. */
export function planLines ({ changes, differences }: Plan): string[] {
  return [
    ...changes.flatMap(change => [
      `  ${titleOf(change)}`,
      ...change.statements.map(statement => `    ${statement};`),
      `    ${costOf(change)}`
    ]),
    ...differences.map(difference => `  ${reasonOf(difference)}`)
  ]
}

/** The statements, with what they cost, and what they leave, in comments. */
export function fileText (plan: MigrationPlan): string {
  const { dataSource, changes, differences } = plan
  return [
    `-- ${dataSource}: ${summaryOf(plan) ?? 'nothing'}. Applied by: fastback migrate --files DIR`,
    ...differences.map(difference => `-- Not in here: ${oneLine(reasonOf(difference))}`),
    ...changes.flatMap(change => [
      '',
      `-- ${oneLine(titleOf(change))}. ${costOf(change)}`,
      ...change.statements.map(statement => `${statement};`)
    ]),
    ''
  ].join('\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

function titleOf ({ kind, table, columns, name }: PlannedChange): string {
  const what = name ?? columns.join(', ')
  return `${table}: ${kind}${what === '' ? '' : ` ${what}`}${name === undefined ? '' : ` (${columns.join(', ')})`}`
}

function costOf (change: PlannedChange): string {
  const { lock, blocks } = change
  const waits = blocks === 'nothing' ? 'nobody waits' : `${blocks} of others wait`
  return `Lock: ${lock}, ${waits}; ${touchedBy(change)}.`
}

function touchedBy ({ kind, rows, fills }: PlannedChange): string {
  if (fills !== undefined) return `rows that are there get ${fills}`
  return kind === 'add column' && rows > 0
    ? `values of ${count(rows, 'row')} move into it from what was undeclared`
    : count(rows, 'row')
}

const reasonOf = ({ kind, table, columns, message }: PlannedDifference): string =>
  `${columns.length === 1 ? `${table}.${columns.join()}` : `${table} (${columns.join(', ')})`}: ${kind}. ${message}`
