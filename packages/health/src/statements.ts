/** How long data sources take for what they are asked. */
import type { ModelRegistry } from '@fastback/core'
import type { Registry } from 'prom-client'
import { Histogram } from './prometheus.js'

/** Words that statements begin with; others, and what a store of another kind is asked, count as `other`. */
const commands = new Set(['select', 'insert', 'update', 'delete'])
const seconds = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

interface Execution { readonly req: { readonly sql?: string }, began?: number }
interface Observed {
  observe (event: string, observer: (execution: Execution) => void): void
  removeObserver (event: string, observer: (execution: Execution) => void): void
}

/**
 * Measures statements that succeed, by data source and first word: never by their text, which applications make.
 * @returns ends it
 */
export function timeStatements (metrics: Registry, registry: ModelRegistry): () => void {
  const times = new Histogram({
    name: 'fastback_statement_duration_seconds',
    help: 'Time of statements, by what they do.',
    labelNames: ['data_source', 'command'],
    buckets: seconds,
    registers: [metrics]
  })
  const ends = Object.entries(registry.dataSources).map(([name, { connector }]) => {
    const observed = connector as unknown as Observed
    const before = (execution: Execution): void => { execution.began = performance.now() }
    const after = ({ req, began }: Execution): void => {
      if (began === undefined) return
      times.observe({ data_source: name, command: commandOf(req.sql) }, (performance.now() - began) / 1_000)
    }
    observed.observe('before execute', before)
    observed.observe('after execute', after)
    return () => {
      observed.removeObserver('before execute', before)
      observed.removeObserver('after execute', after)
    }
  })
  return () => { for (const end of ends) end() }
}

function commandOf (sql = ''): string {
  const word = (/^\s*([a-z]+)/i.exec(sql)?.[1] ?? '').toLowerCase()
  return commands.has(word) ? word : 'other'
}
