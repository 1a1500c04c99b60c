import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import t from 'tap'
import { afterTick, atEndOfTick, isTickEnding } from './end-of-tick.js'
import { TickPace, type Pace } from './tick-pace.js'

t.test('the end of a tick: its work first, and what goes out after the promises of that', async t => {
  const done: string[] = []
  afterTick(() => done.push('outgoing, asked for first'))
  atEndOfTick(() => done.push('work'))
  await new Promise<void>(resolve => {
    atEndOfTick(() => {
      done.push('more work')
      resolve()
    })
  })
  await Promise.resolve()
  t.ok(isTickEnding(), 'between work and what goes out')
  afterTick(() => done.push('outgoing, asked for by a promise of the work'))
  atEndOfTick(() => done.push('work of the next tick'))
  done.push('promise')
  await yieldToEventLoop()
  await yieldToEventLoop()
  t.notOk(isTickEnding())
  t.same(done, [
    'work',
    'more work',
    'promise',
    'outgoing, asked for first',
    'outgoing, asked for by a promise of the work',
    'work of the next tick'
  ])
})

t.test('what throws keeps nothing else from being done', async t => {
  const done: string[] = []
  const thrown: unknown[] = []
  process.setUncaughtExceptionCaptureCallback(error => thrown.push(error))
  t.teardown(() => { process.setUncaughtExceptionCaptureCallback(null) })
  const fault = new Error('of one')
  atEndOfTick(() => { throw fault })
  atEndOfTick(() => done.push('work'))
  afterTick(() => done.push('outgoing'))
  for (let tick = 0; tick < 4; tick++) await yieldToEventLoop()
  t.same(thrown, [fault])
  t.same(done.sort(), ['outgoing', 'work'])
})

/** What so many in each of some ticks are told. */
async function told (pace: TickPace, counts: readonly number[]): Promise<Pace[]> {
  const paces: Pace[] = []
  for (const count of counts) {
    for (let i = 0; i < count; i++) paces.push(pace.enter())
    await yieldToEventLoop()
  }
  return paces
}

t.test('ticks are busy after one with enough, and quiet after eight without', async t => {
  const ends: number[] = []
  const pace = new TickPace(entered => {
    ends.push(entered)
    return entered
  }, { worthwhile: 2 })
  t.same([...new Set(await told(pace, Array<number>(31).fill(1)))], ['quiet'], 'one at a time')
  t.same(await told(pace, [2]), ['watched', 'watched'], 'looked at now and then')
  t.same(await told(pace, [3]), ['busy', 'busy', 'busy'])
  t.same(await told(pace, Array<number>(9).fill(1)), [...Array<Pace>(8).fill('busy'), 'quiet'])
  t.same(ends, [2, 3, ...Array<number>(8).fill(1)])
})
