/** Whatever the store, the responses must equal those of the memory connector. */
import fc from 'fast-check'
import type { Connector, ModelDefinitionInput, Row } from '@fastback/core'
import { writeValue } from '@fastback/core/connector'
import { memoryConnector } from '@fastback/connector-memory'
import type { Test } from 'tap'
import { randomFilter, randomModel, randomRows, randomWhere, type RandomModel } from './arbitraries.js'
import { SuiteStore } from './store.js'

export interface AgreementOptions {
  /** Random models, each with its rows and filters. Default 20. */
  readonly runs?: number
  /** Filters per model. Default 20. */
  readonly filters?: number
  /** Types of properties that the store at hand cannot be compared with: `bigint`. Default: none. */
  readonly leaveOut?: readonly string[]
  /** Repeats a run; a failure prints the seed. */
  readonly seed?: number
}

const silent = { warn () {}, info () {}, debug () {} }

interface Scenario {
  readonly model: RandomModel
  readonly rows: Row[]
  readonly filters: Array<Record<string, unknown>>
  readonly change: Record<string, unknown>
  readonly remove: Record<string, unknown>
}

const scenario = (
  name: string, filters: number, leaveOut: readonly string[]
): fc.Arbitrary<Scenario> => randomModel(name, leaveOut).chain(model => fc.record({
  model: fc.constant(model),
  rows: randomRows(model),
  filters: fc.array(randomFilter(model), { minLength: filters, maxLength: filters }),
  change: randomWhere(model, 1),
  remove: randomWhere(model, 1)
}))

/**
 * Compares a store with the memory connector: the same rows, then the same filters, counts, updates and deletes.
 *
 * ```js
 * t.test('agrees with memory', async t => await agreesWithMemory(t, () => makeConnector(), { runs: 50 }))
 * ```
 * @param makeOther makes a connector that is not connected yet; called for every model
 */
export async function agreesWithMemory (t: Test, makeOther: () => Promise<Connector> | Connector,
  { runs = 20, filters = 20, leaveOut = [], seed }: AgreementOptions = {}): Promise<void> {
  const property = fc.asyncProperty(scenario('Random', filters, leaveOut), async ({ model, rows, filters, change, remove }) => {
    const memory = await startStore(
      model.definition,
      memoryConnector({ connector: 'memory' }, { dataSource: 'memory', baseDir: '.', log: silent })
    )
    const other = await startStore(model.definition, await makeOther())
    try {
      await bothAnswer('createMany', async store => await store.createMany('Random', rows), memory, other)
      for (const filter of filters) {
        await bothAnswer(
          `find ${String(writeValue(filter))}`,
          async store => await store.find('Random', filter),
          memory,
          other
        )
        await bothAnswer(
          `count ${String(writeValue(filter.where))}`,
          async store => await store.count('Random', filter.where as object | undefined),
          memory,
          other
        )
      }
      const changes = rows[0] ?? { [[...model.kinds.keys()][0] as string]: null }
      await bothAnswer(
        `updateAll ${String(writeValue(change))}`,
        async store => await store.updateAll('Random', change, changes),
        memory,
        other
      )
      await bothAnswer(
        `deleteAll ${String(writeValue(remove))}`,
        async store => await store.deleteAll('Random', remove),
        memory,
        other
      )
      await bothAnswer('find what is left', async store => await store.find('Random'), memory, other)
    } finally {
      await memory.stop()
      await other.stop()
    }
  })
  const result = await fc.check(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  t.notOk(
    result.failed,
    result.failed
      ? `${String(result.errorInstance)}\nseed ${result.seed}, ${String(writeValue(result.counterexample?.[0]))}`
      : 'the answers agree'
  )
}

async function startStore (definition: ModelDefinitionInput, connector: Connector): Promise<SuiteStore> {
  const store = new SuiteStore(connector, [definition])
  await store.start()
  return store
}

/** Both give the same, or both refuse with the same status. */
async function bothAnswer (
  what: string,
  ask: (store: SuiteStore) => Promise<unknown>,
  memory: SuiteStore,
  other: SuiteStore
): Promise<void> {
  const expected = await outcome(ask, memory)
  const found = await outcome(ask, other)
  if (found !== expected) throw new Error(`${what}\nmemory: ${expected}\n${other.connector.name}: ${found}`)
}

async function outcome (ask: (store: SuiteStore) => Promise<unknown>, store: SuiteStore): Promise<string> {
  try {
    return canonical(await ask(store))
  } catch (error) {
    const { statusCode } = error as { statusCode?: number }
    if (statusCode === undefined || statusCode >= 500) throw error
    return `refused with ${statusCode}`
  }
}

/** JSON with sorted keys, in which a bigint is no text of digits. */
function canonical (value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : typeof inner === 'bigint' ? `${inner}n` : inner
  )
}
