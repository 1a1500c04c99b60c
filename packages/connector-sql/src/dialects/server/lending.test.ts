import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { ServerSettings } from '../../server-settings.js'
import type { ServerDriver } from './driver.js'
import { Lending } from './lending.js'

// Connections keep the process alive; here there are none.
const alive = setInterval(() => {}, 1000)
t.teardown(() => { clearInterval(alive) })

interface Client { readonly number: number }

/** A pool whose connections come when the test says so. */
class FakePool {
  readonly asked: Array<{ taken: (client: Client) => void, failed: (error: unknown) => void }> = []
  readonly setUps: Client[] = []
  readonly released: Array<readonly [number, boolean]> = []
  made = 0
  setUpFails = false

  readonly driver = {
    connect: (taken: (client: Client) => void, failed: (error: unknown) => void) => {
      this.asked.push({ taken, failed })
    },
    setUp: async (client: Client) => {
      this.setUps.push(client)
      if (this.setUpFails) throw new Error('no set-up')
    },
    release: (client: Client, lost: boolean) => { this.released.push([client.number, lost]) }
  } as unknown as ServerDriver<Client, never>

  async give (client: Client = { number: ++this.made }): Promise<Client> {
    this.asked.shift()?.taken(client)
    await pause(1)
    return client
  }
}

function makeLending (poolSize: number, connectionTimeout = 5000) {
  const pool = new FakePool()
  const lending = new Lending(pool.driver, { poolSize, connectionTimeout } as ServerSettings)
  const got: string[] = []
  const lend = (name: string): void => {
    lending.lend({
      until: 0,
      taken: client => { got.push(`${name} ${client.number}`) },
      refused: error => { got.push(`${name}: ${(error as Error).message}`) }
    })
  }
  return { pool, lending, got, lend }
}

t.test('a connection that is given back goes to who has waited longest, without the pool', async t => {
  const { pool, lending, got, lend } = makeLending(2)
  for (const name of ['a', 'b', 'c', 'd']) lend(name)
  t.equal(pool.asked.length, 2, 'no more than the pool has')
  t.same(lending.usage, { used: 0, size: 2, waiting: 4 })
  const first = await pool.give()
  await pool.give()
  t.same(got, ['a 1', 'b 2'])
  t.same(lending.usage, { used: 2, size: 2, waiting: 2 })
  lending.giveBack(first, false)
  t.same(got, ['a 1', 'b 2', 'c 1'])
  t.same(pool.released, [])
  lending.giveBack(first, false)
  lending.giveBack(first, false)
  t.same(pool.released, [[1, false]], 'what nobody waits for goes back')
  t.same(lending.usage, { used: 1, size: 2, waiting: 0 })
  lend('e')
  await pool.give(first)
  t.same(got.at(-1), 'e 1')
  t.equal(pool.setUps.length, 2, 'each was set up once')
})

t.test('a lost connection is closed, and another one comes for who waits', async t => {
  const { pool, lending, got, lend } = makeLending(1)
  for (const name of ['a', 'b']) lend(name)
  const lost = await pool.give()
  t.equal(pool.asked.length, 0)
  lending.giveBack(lost, true)
  t.same(pool.released, [[1, true]])
  t.equal(pool.asked.length, 1)
  await pool.give()
  t.same(got, ['a 1', 'b 2'])
})

t.test('a connection that cannot be had refuses one, and is tried again for the next', async t => {
  const { pool, lending, got, lend } = makeLending(1)
  for (const name of ['a', 'b', 'c']) lend(name)
  pool.asked.shift()?.failed(new Error('refused'))
  t.same(got, ['a: refused'])
  pool.setUpFails = true
  await pool.give()
  t.same(got, ['a: refused', 'b: no set-up'])
  t.same(pool.released, [[1, true]])
  pool.setUpFails = false
  await pool.give()
  t.same(got, ['a: refused', 'b: no set-up', 'c 2'])
  t.same(lending.usage, { used: 1, size: 1, waiting: 0 })
})

t.test('who has waited for the whole time is refused; what comes later is for others', async t => {
  const { pool, got, lend, lending } = makeLending(1, 30)
  lend('a')
  await pause(60)
  t.same(got, ['a: The database cannot be reached.'])
  await pool.give()
  t.same(pool.released, [[1, false]])
  t.same(lending.usage, { used: 0, size: 1, waiting: 0 })
  const taken = lending.borrow()
  await pool.give()
  t.equal((await taken).number, 2)
  await t.rejects(lending.borrow(), { code: 'DATABASE_UNAVAILABLE', statusCode: 503 })
})
