/**
 * The suite every connector must pass, and a comparison with the memory connector on random models, rows and filters.
 *
 * ```ts
 * import t from 'tap'
 * import { agreesWithMemory, connectorSuite } from '@fastback/connector-tests'
 *
 * const make = () => sqlConnector({ connector: 'sql', url: 'sqlite::memory:' }, context)
 * await connectorSuite(t, { name: 'sqlite', make, claims: ['rows', 'transactions', 'text', 'together'] })
 * await agreesWithMemory(t, make, { runs: 20 })
 * ```
 */
export { agreesWithMemory, type AgreementOptions } from './agreement.js'
export { randomFilter, randomModel, randomRows, randomWhere, type RandomKind, type RandomModel } from './arbitraries.js'
export { busSuite, type BusSuiteOptions } from './bus/suite.js'
export { SuiteStore } from './store.js'
export { connectorSuite, type SuiteOptions } from './suite.js'
export type { Claim, Feature, SuiteCase } from './suite-case.js'
