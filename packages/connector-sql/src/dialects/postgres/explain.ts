/** PostgreSQL's `EXPLAIN (ANALYZE, BUFFERS)`: the statement runs once more, where nothing can be written. */
import type { Connection } from '../driver.js'
import type { StatementPlan, TableAccess } from '../plan-reader.js'

/** What is read of a step of a plan; its conditions, which hold values, are not. */
interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: unknown
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly Step[]
}

export async function explain (
  connection: Connection, sql: string, values: readonly unknown[]
): Promise<StatementPlan> {
  const [row] = await connection.atomically(async within => {
    await within.execute('SET TRANSACTION READ ONLY')
    return await within.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, values)
  })
  const given = row?.[0]
  const [{ Plan }] = (typeof given === 'string' ? JSON.parse(given) : given) as [{ Plan: Step }]
  const steps = stepsOf(Plan, 0)
  return {
    lines: steps.map(({ step, depth }) => '  '.repeat(depth) + lineOf(step)),
    rowsRead: steps.reduce((sum, { step }) => sum + rowsReadBy(step), 0),
    accesses: steps.flatMap(({ step }) => accessOf(step))
  }
}

const stepsOf = (step: Step, depth: number): Array<{ step: Step, depth: number }> =>
  [{ step, depth }, ...step.Plans?.flatMap(inner => stepsOf(inner, depth + 1)) ?? []]

function lineOf (step: Step): string {
  const { 'Relation Name': table, 'Index Name': index, 'Actual Loops': loops } = step
  const removed = removedBy(step)
  const pages = (step['Shared Hit Blocks'] ?? 0) + (step['Shared Read Blocks'] ?? 0)
  return [
    step['Node Type'],
    ...index === undefined ? [] : [`using ${index}`],
    ...table === undefined ? [] : [`on ${table}`],
    `(${[
      `rows ${step['Actual Rows']}`,
      ...removed === 0 ? [] : [`removed ${removed}`],
      ...loops === 1 ? [] : [`loops ${loops}`],
      `pages ${pages}`
    ].join(', ')})`
  ].join(' ')
}

const removedBy = (step: Step): number =>
  (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0)

/** Of one run of the step there are the rows on average. */
const rowsReadBy = (step: Step): number => step['Relation Name'] === undefined
  ? 0
  : Math.round((step['Actual Rows'] + removedBy(step)) * step['Actual Loops'])

function accessOf (step: Step): TableAccess[] {
  const { 'Relation Name': table, 'Node Type': type } = step
  if (table === undefined) return []
  if (type === 'Seq Scan') return [{ table, kind: 'all' }]
  const isInOrder = type.startsWith('Index') && step['Index Cond'] === undefined
  return [{ table, kind: isInOrder ? 'inOrder' : 'found' }]
}
