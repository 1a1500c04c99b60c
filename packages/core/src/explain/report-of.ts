/** From what was recorded to the report: stores are asked for their plans. */
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { Explanation } from '../data-source/explanation.js'
import { indexesMissingIn } from './missing-index.js'
import type { MissingIndex, QueryReport, StatementReport } from './report.js'
import type { Recorded, Recording } from './recording.js'
import { literalsOf, shownValue, type Literals } from './shown-values.js'

/** @param found what is known of the work without looking at its statements */
export async function reportOf (
  registry: ModelRegistry, recording: Recording, filter: unknown,
  { rows, milliseconds }: Pick<QueryReport, 'rows' | 'milliseconds'>
): Promise<QueryReport> {
  const literals = literalsOf(filter)
  const statements: StatementReport[] = []
  const missing = new Map<string, MissingIndex>()
  for (const asked of recording.asked) {
    const { explanation, note } = await explanationOf(registry, asked)
    statements.push(statementReport(asked, explanation, note, literals))
    if (asked.read === undefined || explanation === undefined) continue
    for (const index of indexesMissingIn(asked.read, explanation)) {
      missing.set(JSON.stringify([index.model, index.properties]), index)
    }
  }
  const missingIndexes = [...missing.values()]
  return { rows, milliseconds: rounded(milliseconds), statements, left: recording.left, missingIndexes }
}

function statementReport (
  { dataSource, read, statement, times, milliseconds }: Recorded, explanation: Explanation | undefined,
  note: string | undefined, literals: Literals
): StatementReport {
  return {
    dataSource,
    ...(read === undefined ? {} : { model: read.model.name }),
    statement: statement?.sql ?? read?.operation ?? '',
    values: statement?.params.map(value => shownValue(value, literals)) ?? [],
    times,
    milliseconds: rounded(milliseconds),
    plan: explanation?.plan ?? [],
    rowsRead: explanation?.rowsRead ?? null,
    ...(note === undefined ? {} : { note })
  }
}

/** A store that cannot explain what it was asked does not make the report fail: the query itself went well. */
async function explanationOf (
  registry: ModelRegistry, { dataSource, read, statement }: Recorded
): Promise<{ readonly explanation?: Explanation, readonly note?: string }> {
  const connector = registry.dataSources[dataSource]?.connector
  if (read === undefined) return { note: 'not a read of a model: it is not explained' }
  if (connector?.explain === undefined) return { note: 'the connector explains nothing' }
  try {
    return { explanation: await connector.explain(read, statement) }
  } catch (err) {
    registry.log.debug({ err, model: read.model.name }, 'the store gave no plan')
    return { note: 'the store gave no plan' }
  }
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100
