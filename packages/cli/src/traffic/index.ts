/** `@fastback/cli/traffic`: the traffic of one server, recorded and compared with another's. */
export { recordExchanges, type Recorder, type RecordOptions } from './record.js'
export { compareExchanges, type ComparedExchange, type CompareOptions, type ComparisonReport } from './compare.js'
export type { Difference } from './difference.js'
