/**
 * The suite every connector must pass, and a comparison with the memory connector on random models, rows and filters.
 *
 * ```ts
 * import t from 'tap'
 * import { connectorSuite, agreesWithMemory } from '../../../test-fixtures/src/connector-suite/index.js'
 *
 * const make = async () => sqlConnector({ connector: 'sql', url: 'sqlite::memory:' }, context)
 * t.test('suite', async t => { await connectorSuite(t, { name: 'sqlite', make }) })
 * t.test('agrees', async t => { await agreesWithMemory(t, make, { runs: 20 }) })
 * ```
 */
import type { Connector } from '@fastback/core'
import type { Test } from 'tap'
import { arrayCases } from './cases/arrays.js'
import { conditionCases } from './cases/conditions.js'
import { crudCases } from './cases/crud.js'
import { idCases } from './cases/ids.js'
import { migrationCases } from './cases/migrations.js'
import { nullCases } from './cases/nulls.js'
import { orderCases } from './cases/order.js'
import { patternCases } from './cases/patterns.js'
import { selectionCases } from './cases/selections.js'
import { textCases } from './cases/text.js'
import { transactionCases } from './cases/transactions.js'
import { typeCases } from './cases/types.js'
import { uniqueCases } from './cases/unique.js'
import { writeCases } from './cases/writes.js'
import { SuiteStore } from './store.js'
import type { Feature, SuiteCase } from './suite-case.js'

export { agreesWithMemory, type AgreementOptions } from './agreement.js'
export { definitions, items } from './models.js'
export { SuiteStore } from './store.js'
export type { Feature, SuiteCase } from './suite-case.js'

export interface SuiteOptions {
  /** Name in the output. */
  readonly name: string
  /**
   * Makes a connector that is not connected yet. Its tables may hold anything: the suite drops and creates its own.
   * Called once.
   */
  make (): Promise<Connector> | Connector
  /** What the store lacks. Transactions and text are run where the connector has them. */
  readonly lacks?: readonly Feature[]
  /** Names of single cases to leave out, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>
}

const groups: ReadonlyArray<readonly [string, readonly SuiteCase[]]> = [
  ['crud', crudCases],
  ['ids', idCases],
  ['writes', writeCases],
  ['types', typeCases],
  ['conditions', conditionCases],
  ['null', nullCases],
  ['lists and paths', arrayCases],
  ['patterns', patternCases],
  ['order and paging', orderCases],
  ['selections', selectionCases],
  ['unique', uniqueCases],
  ['migrations', migrationCases],
  ['transactions', transactionCases],
  ['text', textCases]
]

/** Runs all cases against one connector; each finds the tables empty. */
export async function connectorSuite (t: Test, { name, make, lacks = [], skip = {} }: SuiteOptions): Promise<void> {
  const connector = await make()
  const missing = new Set<Feature>(lacks)
  if (connector.transactions === undefined) missing.add('transactions')
  if (connector.text === undefined) missing.add('text')
  const store = new SuiteStore(connector)
  await store.start()
  t.teardown(() => store.stop())
  for (const [group, cases] of groups) {
    await t.test(`${name}: ${group}`, async t => {
      for (const { name, needs = [], run } of cases) {
        const lacking = needs.find(feature => missing.has(feature))
        const reason = skip[name] ?? (lacking === undefined ? undefined : `no ${lacking}`)
        await t.test(name, reason === undefined ? {} : { skip: reason }, async t => {
          await store.reset()
          await run(t, store)
        })
      }
    })
  }
}
