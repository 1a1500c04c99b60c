/** Random models, rows, filters and changes: the responses are those of the memory connector. */
import t from 'tap'
import { agreesWithMemory } from '@fastback/connector-tests'
import { testDatabase } from './support/database.js'
import { runsOf } from '../../../test-fixtures/runs.mjs'

const seed = process.env.FASTBACK_TEST_SEED
const runs = runsOf(15)

t.test('answers as the memory connector does', async t => {
  const { make } = await testDatabase(t)
  await agreesWithMemory(t, () => make({ generatedIds: 'number' }), {
    runs,
    // The double of a server compares no Long with a number.
    leaveOut: ['bigint'],
    ...(seed === undefined ? {} : { seed: Number(seed) })
  })
})
