import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { inTime, isDatabaseSilent, WaitingList } from './in-time.js'

// Connections keep the process alive; here there are none.
const alive = setInterval(() => {}, 1000)
t.teardown(() => { clearInterval(alive) })

const never = new Promise<never>(() => {})

/** Somebody on a list, and how many milliseconds it took until they were refused. */
function wait (list: WaitingList<Guest>): Guest {
  const begin = performance.now()
  let refuse: () => void = () => {}
  const refused = new Promise<number>(resolve => { refuse = () => { resolve(performance.now() - begin) } })
  const guest = { until: 0, refuse, refused }
  list.add(guest)
  return guest
}

interface Guest { until: number, readonly refuse: () => void, readonly refused: Promise<number> }

const listOf = (milliseconds: number): WaitingList<Guest> => new WaitingList(milliseconds, guest => { guest.refuse() })

t.test('each has the whole time, and none has more', async t => {
  const list = listOf(200)
  const first = wait(list)
  await pause(100)
  const second = wait(list)
  t.ok(await first.refused >= 195)
  t.equal(list.size, 1, 'the second began later')
  t.ok(await second.refused >= 195)
  t.equal(list.size, 0)
})

t.test('who got what they waited for is not refused, who is refused gets nothing', async t => {
  const list = listOf(50)
  const guest = wait(list)
  const late = wait(list)
  t.equal(list.delete(guest), true)
  t.equal(list.delete(guest), false)
  await late.refused
  t.equal(list.delete(late), false)
  t.equal(await Promise.race([guest.refused, pause(100, 'not refused')]), 'not refused')
})

t.test('who has waited longest is first', t => {
  const list = listOf(1000)
  const guests = [wait(list), wait(list), wait(list)]
  list.delete(guests[1] as Guest)
  t.equal(list.shift(), guests[0])
  t.equal(list.shift(), guests[2])
  t.equal(list.shift(), undefined)
  t.end()
})

t.test('without a limit any time is right', async t => {
  const guest = wait(listOf(0))
  t.equal(await Promise.race([guest.refused, pause(50, 'not refused')]), 'not refused')
})

t.test('work in time is its result or its error; what comes later goes nowhere', async t => {
  t.equal(await inTime(50, Promise.resolve(7)), 7)
  t.equal(await inTime(0, pause(30, 9)), 9)
  await t.rejects(inTime(50, Promise.reject(new Error('refused'))), { message: 'refused' })
  const late = pause(60).then(() => { throw new Error('closed') })
  await t.rejects(inTime(20, late), { code: 'DATABASE_TIMEOUT', statusCode: 503 })
  await t.rejects(inTime(20, never).catch((error: unknown) => { throw new Error(String(isDatabaseSilent(error))) }), { message: 'true' })
  await pause(60)
})
