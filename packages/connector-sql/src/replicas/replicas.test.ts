import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import type { Connections } from '../connections/connections.js'
import { databaseBusy, databaseTimeout, databaseUnavailable } from '../errors.js'
import { Latest } from './latest.js'
import { Replicas } from './replicas.js'
import { Written } from './written.js'

interface Fake { name: string, position: bigint | undefined }

/** Databases that are numbers: how far they are. */
function fakes (primary: Fake, ...replicas: Fake[]) {
  const connectionsOf = (database: Fake): Connections =>
    ({ database: { main: database }, observe () {}, close () {} }) as unknown as Connections
  const warnings: string[] = []
  let asked = 0
  const position = async (connection: unknown): Promise<bigint | undefined> => {
    asked++
    await turn()
    return (connection as Fake).position
  }
  const all = new Replicas({
    primary: connectionsOf(primary),
    opens: replicas.map(each => async () => connectionsOf(each)),
    replication: { written: position, replayed: position },
    retry: 0,
    wait: 0,
    window: 60_000,
    log: { warn (_details, message) { warnings.push(message) }, info () {}, debug () {} }
  })
  const nameOf = (connections: Connections): string => (connections.database.main as unknown as Fake).name
  const read = async (session?: string): Promise<string> =>
    await all.read(session, async connections => nameOf(connections), async () => 'primary')
  return { all, read, warnings, get asked () { return asked } }
}

async function until (what: () => Promise<boolean>): Promise<void> {
  while (!await what()) await turn()
}

t.test('reads take turns; who wrote reads from replicas that have it', async t => {
  const primary = { name: 'primary', position: 10n }
  const one = { name: 'one', position: 10n }
  const two = { name: 'two', position: 9n }
  const { all, read } = fakes(primary, one, two)
  t.equal(await read(), 'primary', 'until one answers')
  await until(async () => await read() === 'two')
  t.same(new Set([await read(), await read()]), new Set(['one', 'two']))
  await all.write({ session: 'Ann' }, async () => {})
  t.same([await read('Ann'), await read('Ann'), await read('Ann')], ['one', 'one', 'one'])
  t.same(new Set([await read('Bob'), await read('Bob'), await read(), await read()]), new Set(['one', 'two']))
  primary.position = 11n
  await all.write({}, async () => {})
  t.equal(await read('Bob'), 'primary', 'what nobody in particular wrote is everybody\'s')
  two.position = 11n
  await until(async () => await read('Bob') === 'two')
  primary.position = 12n
  const transaction = {}
  await all.write({ session: 'Bob', transaction }, async () => {})
  t.equal(await read('Bob'), 'two', 'nothing is written before the commit')
  await t.rejects(async () => await all.commit(transaction, async () => { throw databaseUnavailable() }))
  t.equal(await read('Bob'), 'primary', 'a commit without a response may have happened')
})

t.test('a replica that fails costs nothing but its reads', async t => {
  const { all, warnings } = fakes({ name: 'primary', position: 1n }, { name: 'one', position: undefined })
  const failing = async (error: Error): Promise<string> => await all.read(undefined, async () => {
    tried++
    throw error
  }, async () => 'primary')
  let tried = 0
  await until(async () => await failing(databaseBusy()) === 'primary' && tried > 0)
  t.equal(await failing(databaseBusy()), 'primary', 'a read that stood in the way of what is replayed')
  await t.rejects(failing(databaseTimeout()), { code: 'DATABASE_TIMEOUT' }, 'it would take as long on the primary')
  await t.rejects(failing(Object.assign(new Error('no'), { statusCode: 400, code: 'BAD' })), { code: 'BAD' })
  t.same(warnings, [])
  t.equal(await failing(databaseUnavailable()), 'primary')
  t.equal(warnings.length, 1)
  const before = tried
  await until(async () => await failing(databaseBusy()) === 'primary' && tried > before)
  await all.close()
  const last = tried
  t.equal(await failing(databaseBusy()), 'primary')
  t.equal(tried, last, 'nothing is asked when all is closed')
})

t.test('a replica that says no position has what was written when the time is over', async t => {
  const { all, read } = fakes({ name: 'primary', position: 1n }, { name: 'one', position: undefined })
  await until(async () => await read() === 'one')
  await all.write({ session: 'Ann' }, async () => {})
  t.equal(await read('Ann'), 'primary')
  t.equal(await read('Bob'), 'one')
})

t.test('sessions that wrote least lately are remembered as one', async t => {
  let position = 0n
  const written = new Written(() => ({ at: 0, position: position++ }))
  for (let i = 0; i < 10_003; i++) written.wrote(String(i))
  t.same(written.of('10002'), { at: 0, position: 10_002n })
  t.same(written.of('0'), { at: 0, position: 1n }, 'the first two are everybody\'s')
  t.same(written.of('2'), { at: 0, position: 2n })
})

t.test('who asks gets the answer to a question that was asked after it came', async t => {
  let asked = 0
  const latest = new Latest(async () => {
    const mine = ++asked
    await turn()
    if (mine === 1) throw new Error('lost')
    return mine
  })
  const [first, second, third] = await Promise.allSettled([latest.get(), latest.get(), latest.get()])
  t.same([first.status, second, third], ['rejected', { status: 'fulfilled', value: 2 }, { status: 'fulfilled', value: 2 }])
  t.equal(await latest.get(), 3)
})
