import { setImmediate as soon } from 'node:timers/promises'
import t from 'tap'
import { Turns } from './turns.js'

const burn = (milliseconds: number): void => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

t.test('work that is asked for several times is done once, soon', async t => {
  const turns = new Turns()
  let done = 0
  const work = (): void => { done++ }
  turns.add(work)
  turns.add(work)
  t.equal(done, 0)
  await soon()
  t.equal(done, 1)
  const never = (): void => { t.fail('was taken back') }
  turns.add(never)
  turns.remove(never)
  turns.add(work)
  for (let looks = 0; looks < 1000; looks++) await soon()
  t.equal(done, 2)
})

t.test('others have at least half of the time', async t => {
  const turns = new Turns()
  const left = new Set(Array.from({ length: 400 }, (_, i) => i))
  const begun = performance.now()
  for (const each of left) turns.add(() => { burn(0.25); left.delete(each) })
  let longest = 0
  let others = 0
  for (let last = begun; left.size > 0; others++) {
    await soon()
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const spent = performance.now() - begun
  t.ok(spent > 1.7 * 100, `100 ms of work took ${spent} ms`)
  t.ok(others > 100, `others had ${others} turns`)
  t.ok(longest < 50, `they waited ${longest} ms at most`)
})
