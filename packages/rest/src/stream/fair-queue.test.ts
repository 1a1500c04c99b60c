import { setImmediate as soon } from 'node:timers/promises'
import t from 'tap'
import { FairQueue } from './fair-queue.js'

t.test('work that is asked for several times is done once, soon', async t => {
  const queue = new FairQueue()
  let done = 0
  const work = (): void => { done++ }
  queue.add(work)
  queue.add(work)
  t.equal(done, 0)
  await soon()
  t.equal(done, 1)
  const never = (): void => { t.fail('was taken back') }
  queue.add(never)
  queue.remove(never)
  queue.add(work)
  // The queue rests as long as its work took, by the clock: on a busy machine longer than a thousand looks.
  const end = Date.now() + 20_000
  const isDone = (): boolean => done === 2
  while (!isDone() && Date.now() < end) await soon()
  t.equal(done, 2)
})

t.test('P-29: others have at least half of the time', async t => {
  // Turns sees a clock that only its own work and its own rests move, so that it does the same on every machine.
  let clock = 1000
  let spent = 0
  let queue = 0
  let longestTurn = 0
  let longestRest = 0
  let begun = clock
  const { setTimeout: realTimeout } = globalThis
  const realNow = performance.now
  t.teardown(() => {
    globalThis.setTimeout = realTimeout
    performance.now = realNow
  })
  performance.now = () => clock
  globalThis.setTimeout = ((next: () => void, rest: number) => {
    queue++
    longestTurn = Math.max(longestTurn, clock - begun)
    longestRest = Math.max(longestRest, rest)
    return setImmediate(() => {
      clock += rest
      begun = clock
      next()
    })
  }) as never

  const due = new FairQueue()
  const left = new Set(Array.from({ length: 400 }, (_, i) => i))
  begun = clock
  const first = clock
  for (const each of left) {
    due.add(() => {
      clock += 0.25
      spent += 0.25
      left.delete(each)
    })
  }
  const isDone = (): boolean => left.size === 0
  while (!isDone()) await soon()
  t.equal(spent, 100)
  t.ok(clock - first >= 2 * spent - 2, `${spent} ms of work took ${clock - first} ms`)
  t.ok(queue >= 90, `others had ${queue} rests`)
  t.ok(longestTurn <= 2, `they waited ${longestTurn} ms at most`)
  t.ok(longestRest <= 50, `a rest lasted ${longestRest} ms at most`)
})
