/**
 * How many runs a random test makes: as many as are worth their time in each `npm test`, and with FASTBACK_TEST_RUNS=30
 * thirty times as many (`CI_LONG=1 .ci/run`).
 * @param {number} usual runs without FASTBACK_TEST_RUNS
 * @returns {number}
 * @example
 * await fc.assert(property, { numRuns: runsOf(40) })
 */
export function runsOf (usual) {
  return Math.ceil(usual * Number(process.env.FASTBACK_TEST_RUNS ?? 1))
}
