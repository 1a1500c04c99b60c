/** The report of a query, to be read by a person. */
import type { MissingIndex, QueryReport, StatementReport } from '@fastback/core'

/**
 * Lines for a terminal: each statement with its plan, then the missing indexes.
 *
 * ```js
 * console.log(reportText(report))
 * ```
 */
export function reportText ({ rows, milliseconds, statements, left, missingIndexes }: QueryReport): string {
  return [
    `${counted(rows, 'row')} returned in ${milliseconds} ms, by ${counted(statements.length + left, 'statement')}`,
    ...statements.flatMap((statement, at) => ['', ...statementLines(statement, at + 1)]),
    ...left === 0 ? [] : ['', `${left} more are not shown`],
    '',
    ...missingIndexes.length === 0 ? ['No index is missing.'] : missingIndexes.flatMap(indexLines)
  ].join('\n')
}

/**
 * One statement with its values, its plan and how many rows it read.
 *
 * ```js
 * console.log(statementLines(report.statements[0], 1).join('\n'))
 * ```
 * @param number it is the n-th
 */
export function statementLines (
  { dataSource, model, statement, values, times, milliseconds, plan, rowsRead, note }: StatementReport, number: number
): string[] {
  const often = times === 1 ? '' : `, ${times} times`
  return [
    `${number}. ${model ?? 'the application'} in ${dataSource} (${milliseconds} ms${often})`,
    `   ${statement}`,
    ...values.length === 0 ? [] : [`   values: ${values.join(', ')}`],
    ...note === undefined ? ['   plan:', ...plan.map(line => `     ${line}`)] : [`   plan: ${note}`],
    `   rows read: ${rowsRead ?? 'not known'}`
  ]
}

const indexLines = ({ model, properties, reason, definition }: MissingIndex): string[] => definition === undefined
  ? [`Index of ${model} over ${properties.join(', ')}: ${reason}`]
  : [`Missing index of ${model} over ${properties.join(', ')}: ${reason}`, `  ${definition}`]

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
