/** How stores do the reads of a request: asked when somebody looks at it. */
import type { ModelRegistry } from '@fastback/core'
import { indexesMissingIn } from '@fastback/core/remote'
import type { RequestDetail } from '@fastback/ui/contracts'
import type { RecordedRead, RequestRecord } from './request-record.js'

type Plans = NonNullable<RequestDetail['plans']>
type Missing = NonNullable<RequestRecord['missing']>

/** Asks, and marks the request where an index is missing. */
export async function plansOf (registry: ModelRegistry, record: RequestRecord): Promise<Plans> {
  const found: Array<Plans[number]> = []
  const missing = new Map<string, Missing[number]>()
  for (const kept of record.reads.values()) {
    const { plan, indexes } = await planOf(registry, kept)
    found.push(plan)
    for (const { model, properties, reason, definition } of indexes) {
      const index = { model, reason, ...definition === undefined ? {} : { definition } }
      missing.set(JSON.stringify([model, properties]), index)
    }
  }
  record.missing = [...missing.values()]
  const { summary } = record
  if (summary !== undefined && missing.size > 0 && !summary.marks.includes('missing index')) {
    record.summary = { ...summary, marks: [...summary.marks, 'missing index'] }
  }
  return found
}

async function planOf (
  registry: ModelRegistry, { dataSource, text, read, statement }: RecordedRead
): Promise<{ readonly plan: Plans[number], readonly indexes: ReturnType<typeof indexesMissingIn> }> {
  const connector = registry.dataSources[dataSource]?.connector
  const about = { dataSource, text, plan: [] }
  if (connector?.explain === undefined) return { plan: { ...about, note: 'the connector explains nothing' }, indexes: [] }
  try {
    const explanation = await connector.explain(read, statement)
    const { plan, rowsRead } = explanation
    return {
      plan: { ...about, plan, ...rowsRead === undefined ? {} : { rowsRead } },
      indexes: indexesMissingIn(read, explanation)
    }
  } catch (err) {
    registry.log.debug({ err, model: read.model.name }, 'the store gave no plan')
    return { plan: { ...about, note: 'the store gave no plan' }, indexes: [] }
  }
}
