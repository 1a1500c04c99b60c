import type { Connector, MaybePromise } from '@fastback/core'
import type { Test } from 'tap'
import { arrayCases } from './cases/arrays.js'
import { conditionCases } from './cases/conditions.js'
import { crudCases } from './cases/crud.js'
import { compoundIdCases } from './cases/compound-ids.js'
import { exactCases } from './cases/exact.js'
import { idCases } from './cases/ids.js'
import { migrationCases } from './cases/migrations.js'
import { nullCases } from './cases/nulls.js'
import { orderCases } from './cases/order.js'
import { patternCases } from './cases/patterns.js'
import { persistenceCases } from './cases/persistence.js'
import { referenceCases } from './cases/references.js'
import { selectionCases } from './cases/selections.js'
import { textCases } from './cases/text.js'
import { togetherCases } from './cases/batches.js'
import { transactionCases } from './cases/transactions.js'
import { typeCases } from './cases/types.js'
import { uniqueCases } from './cases/unique.js'
import { valueCases } from './cases/values.js'
import { versionCases } from './cases/versions.js'
import { writeCases } from './cases/writes.js'
import { compoundModels, referenceModels, rowModels, valueModels, versionModels } from './models.js'
import { SuiteStore } from './store.js'
import type { Claim, Feature, SuiteCase } from './suite-case.js'

export interface SuiteOptions {
  /** Name in the output. */
  readonly name: string
  /**
   * Makes a connector that is not connected yet. Its tables may hold anything: the suite drops and creates its own.
   * Called once, and again, after the connector before was closed, for each restart that `persistence` tries.
   */
  make (): MaybePromise<Connector>
  /**
   * What the connector can do. Default: `['rows']`. A claim that does not hold fails, and a member that is there but
   * not claimed as well.
   */
  readonly claims?: readonly Claim[]
  /** What a store of rows lacks; the cases that need it are printed as skipped. Default: nothing. */
  readonly lacks?: readonly Feature[]
  /**
   * Empties the store before each case. Default: `automigrate` of all tables, `deleteAll` of all values by key. A table
   * that is emptied gives ids from 1 on again.
   */
  empty? (store: SuiteStore): MaybePromise<void>
  /** Names of single cases to leave out, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>
}

const groups: ReadonlyArray<readonly [group: string, claim: Claim, cases: readonly SuiteCase[]]> = [
  ['crud', 'rows', crudCases],
  ['ids', 'rows', idCases],
  ['compound ids', 'rows', compoundIdCases],
  ['writes', 'rows', writeCases],
  ['types', 'rows', typeCases],
  ['exact answers', 'rows', exactCases],
  ['conditions', 'rows', conditionCases],
  ['null', 'rows', nullCases],
  ['lists and paths', 'rows', arrayCases],
  ['patterns', 'rows', patternCases],
  ['order and paging', 'rows', orderCases],
  ['selections', 'rows', selectionCases],
  ['unique', 'rows', uniqueCases],
  ['references', 'rows', referenceCases],
  ['migrations', 'rows', migrationCases],
  ['versions', 'versions', versionCases],
  ['transactions', 'transactions', transactionCases],
  ['text', 'text', textCases],
  ['together', 'together', togetherCases],
  ['values by key', 'keyValue', valueCases],
  ['persistence', 'persistence', persistenceCases]
]

/** Claims that say which members a connector has. */
const members = ['transactions', 'text', 'together', 'keyValue'] as const

/**
 * Runs the cases of what a connector claims, all against one store; each finds it empty.
 *
 * ```js
 * await connectorSuite(t, { name: 'mine', make: () => makeConnector(), claims: ['rows'], lacks: ['near'] })
 * ```
 */
export async function connectorSuite (t: Test, options: SuiteOptions): Promise<void> {
  const { name, make, claims: claimed = ['rows'], lacks = [], skip = {}, empty = (store: SuiteStore) => store.reset() } =
    options
  const claims = new Set(claimed)
  const missing = new Set(lacks)
  const connector = await make()
  if (!await claimsHold(t, name, connector, claims)) return
  const models = [
    ...(claims.has('rows') ? [...rowModels, ...referenceModels] : []),
    ...(claims.has('rows') && !missing.has('compound ids') ? compoundModels : []),
    ...(claims.has('versions') ? versionModels : []),
    ...(claims.has('keyValue') ? valueModels : [])
  ]
  const store = new SuiteStore(connector, models, make)
  t.teardown(() => store.stop())
  await store.start()
  for (const [group, claim, cases] of groups) {
    if (!claims.has(claim)) continue
    await t.test(`${name}: ${group}`, async t => {
      for (const { name, needs = [], run } of cases) {
        const lacking = needs.find(feature => missing.has(feature))
        const reason = skip[name] ?? (lacking === undefined ? undefined : `no ${lacking}`)
        await t.test(name, reason === undefined ? {} : { skip: reason }, async t => {
          await empty(store)
          await run(t, store)
        })
      }
    })
  }
}

/** Whether the members of a connector are those that it claims; where they are not, no case would say anything. */
async function claimsHold (t: Test, name: string, connector: Connector, claims: ReadonlySet<Claim>): Promise<boolean> {
  return await t.test(`${name}: claims`, async t => {
    for (const member of members) {
      const isThere = connector[member] !== undefined
      t.equal(isThere, claims.has(member), `connector.${member} is there if, and only if, claimed`)
    }
    t.equal(connector.keepsVersions === true, claims.has('versions'), 'versions are kept if, and only if, claimed')
    if (claims.has('rows')) {
      t.equal(connector.generatedIdType, 'number', 'the cases on rows expect ids that are counted from 1 on')
    } else {
      t.ok(claims.has('keyValue'), 'something is kept: rows, or values by key')
      for (const claim of ['transactions', 'text', 'together', 'versions', 'persistence'] as const) {
        t.notOk(claims.has(claim), `${claim} can only be shown with rows`)
      }
    }
  }).then(results => results?.ok ?? true)
}
