/**
 * `@fastback/cli/developing`: what helps while developing, each as a function.
 *
 * ```js no-run
 * const { checks } = await examine('shop')
 * const { files } = await seed('shop', { keys: ['User.email'] })
 * ```
 */
export { examine, testDataSource, type Check, type DoctorOptions, type DoctorReport } from '../doctor.js'
export { queryModel, type Queried, type QueryOptions } from '../query/query-model.js'
export { seed, type SeedContext, type Seeded, type SeedOptions, type SeedReport } from '../seed.js'
export { accessMatrix, type AccessMatrix } from '../access-matrix.js'
