// FASTBACK_TEST_FULL: several processes.
/** Several processes share the notifications of one database, and none is lost when they are killed (PU-73). */
import t from 'tap'
import { makeScratch, whyLeftOut } from '../../../test-fixtures/scratch.mjs'
import { farm } from './farm.js'

for (const name of ['postgres', 'mysql'] as const) {
  t.test(`PU-73, PU-89: each once, and none lost by SIGKILL: ${name}`, { skip: await whyLeftOut(name) }, async t => {
    const scratch = await makeScratch(name)
    t.teardown(scratch.remove)
    const made = await farm(t, scratch.url, 500)
    const { times } = made
    await made.grow(2)
    await made.send()
    t.equal(await made.done(60), 'sent')
    t.equal(times.size, 500, 'all')
    t.strictSame([...new Set(times.values())], [1], 'each once')
    // Twice in the middle, with messages on their way that are not answered.
    const moments = [100, 350]
    made.holdsAt = moments[0]
    await made.send()
    t.equal(await made.done(120, async () => {
      if (made.holdsAt === undefined || times.size < made.holdsAt) return
      moments.shift()
      await made.kill(moments[0])
    }), 'sent')
    t.equal(made.killed, 2)
    t.equal(times.size, 500, 'none is lost')
    t.equal(await made.left(), 0, 'and nothing is left of the work')
  })
}
