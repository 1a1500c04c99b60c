/** MongoDB's `explain('executionStats')`: the query runs once more. */
import type { Explanation, RowAccess, StoreRead } from '@fastback/core'
import type { Access } from '../access.js'
import { beginFind } from './find.js'

/** What is read of a stage of a plan; its filter, which holds values, is not. */
interface Stage {
  readonly stage?: string
  readonly indexName?: string
  readonly indexBounds?: Readonly<Record<string, readonly string[]>>
  readonly inputStage?: Stage
  readonly inputStages?: readonly Stage[]
  /** Where the server has plans of two kinds, the one that has names. */
  readonly queryPlan?: Stage
}

interface Explained {
  readonly queryPlanner?: { readonly winningPlan?: Stage }
  readonly executionStats?: { readonly totalDocsExamined?: unknown }
}

export async function explainRead (access: Access, { model, query }: StoreRead): Promise<Explanation> {
  const { queryPlanner, executionStats } =
    await beginFind(access, query).cursor.explain('executionStats') as Explained
  const stages = stagesOf(queryPlanner?.winningPlan ?? {}, 0)
  const examined = executionStats?.totalDocsExamined
  return {
    plan: stages.map(({ stage, indexName, depth }) =>
      `${'  '.repeat(depth)}${stage ?? ''}${indexName === undefined ? '' : ` ${indexName}`}`),
    rowsRead: examined === undefined ? undefined : Number(examined),
    accesses: stages.flatMap(stage => accessOf(stage, model.name))
  }
}

function stagesOf ({ queryPlan, ...given }: Stage, depth: number): Array<Stage & { readonly depth: number }> {
  if (queryPlan !== undefined) return stagesOf(queryPlan, depth)
  const inner = [...given.inputStage === undefined ? [] : [given.inputStage], ...given.inputStages ?? []]
  return [{ ...given, depth }, ...inner.flatMap(each => stagesOf(each, depth + 1))]
}

function accessOf ({ stage, indexBounds }: Stage, model: string): RowAccess[] {
  if (stage === 'COLLSCAN') return [{ model, kind: 'all' }]
  if (stage !== 'IXSCAN') return []
  const isWhole = Object.values(indexBounds ?? {}).flat().every(bounds => /^\[(?:MinKey, MaxKey|MaxKey, MinKey)\]$/.test(bounds))
  return [{ model, kind: isWhole ? 'inOrder' : 'found' }]
}
