/**
 * 100,000 devices by one query, on PostgreSQL, sent to by four processes: each once when nothing is killed, and none
 * lost when one is killed every second (as long as half of them are there). A process has 64 MB for its heap.
 * `FASTBACK_PUSH_DEVICES` says how many devices there are. Minutes, for a release.
 */
import t from 'tap'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { farm } from './farm.js'

t.setTimeout(1_800_000)

const devices = Number(process.env.FASTBACK_PUSH_DEVICES ?? 100_000)
const MB = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

t.test('PU-73, PU-89: many devices, four processes', { skip: !await isReachable('postgres') }, async t => {
  const scratch = await makeScratch('postgres')
  t.teardown(scratch.remove)
  const made = await farm(t, scratch.url, devices)
  const { times } = made
  await made.grow(4)
  let from = Date.now()
  await made.send()
  t.equal(await made.done(800), 'sent')
  t.comment(`nothing killed: ${(Date.now() - from) / 1000} s, at most ${MB(made.most)} in a process`)
  t.equal(times.size, devices)
  t.strictSame([...new Set(times.values())], [1], 'each once')
  from = Date.now()
  await made.send()
  let last = 0
  t.equal(await made.done(800, async seconds => {
    if (seconds - last < 1) return
    last = seconds
    await made.kill()
  }), 'sent')
  const twice = [...times.values()].reduce((sum, count) => sum + count - 1, 0)
  t.comment(`${made.killed} killed: ${(Date.now() - from) / 1000} s, ${twice} sent a second time, at most ${MB(made.most)}`)
  t.equal(times.size, devices, 'none is lost')
  t.ok(made.killed > 0)
  // What is on its way in a process: five batches of a hundred, of which a hundred messages may be unanswered.
  t.ok(twice <= made.killed * 500, `${twice} doubles`)
  t.equal(await made.left(), 0)
})
