// FASTBACK_TEST_FULL: random histories of replicas.
/**
 * Drawn histories of several clients: whatever is cut and whenever (requests, answers, processes), all agree when the
 * line is back, no write is lost but by a conflict that was reported or settled as its policy says, and none is done
 * twice (SYD-31, SYD-32).
 */
import fc from 'fast-check'
import t from 'tap'
import { memoryStore, type Resolution } from '@fastback/client'
import { device, serve, type Device, type Loose, type Note } from './support.js'
import { runsOf } from '../../../test-fixtures/runs.mjs'

const ids = ['a', 'b', 'c']
const clients = 3

const step = fc.record({
  client: fc.nat({ max: clients - 1 }),
  id: fc.constantFrom(...ids),
  does: fc.constantFrom('write', 'write', 'write', 'rank', 'delete', 'sync', 'sync', 'sync', 'cut', 'lose', 'kill', 'write while it syncs'),
  decides: fc.constantFrom<Array<'local' | 'remote' | 'later'>>('local', 'remote', 'later')
})

t.test('all agree, and nothing is lost unsaid', async t => {
  const served = await serve(t)
  const { Note } = served.models
  /** Every title that a row ever had at the server. */
  const had = new Set<string>()
  Note.observe('after save', async ({ instance, data }: Loose) => { had.add((instance ?? data)?.title) })
  let writes = 0
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
    await Note.destroyAll({})
    had.clear()
    const reported = new Set<string>()
    const stores = Array.from({ length: clients }, () => memoryStore())
    const open = (n: number): Device => device(t, served, { store: stores[n] as Loose, models: { Note: {}, Tag: {} } })
    const devices = stores.map((_, n) => open(n))
    /** The last title that each client wrote into a row and that has not gone up yet. */
    const last = stores.map(() => new Map<string, string>())
    const settle = async (n: number, resolution: Resolution<Loose> | 'later'): Promise<void> => {
      for (const conflict of await (devices[n] as Device).client.conflicts.list()) {
        if (conflict.local !== null) reported.add(String(conflict.local.title))
        if (resolution !== 'later') await conflict.resolve(resolution)
      }
    }
    const write = async (n: number, id: string): Promise<void> => {
      const { client } = devices[n] as Device
      const title = `${n} ${id} ${writes++}`
      if (await client.Note.findById(id) === undefined) await client.Note.create({ id, title })
      else await client.Note.patch(id, { title })
      last[n]?.set(id, title)
    }
    for (const { client: n, id, does, decides } of steps) {
      const device = devices[n] as Device
      const { client } = device
      if (does === 'write') await write(n, id)
      else if (does === 'rank' && await client.Note.findById(id) !== undefined) await client.Note.patch(id, { rank: writes++ })
      else if (does === 'delete' && await client.Note.delete(id)) last[n]?.delete(id)
      else if (does === 'kill') {
        await client.close()
        devices[n] = open(n)
      } else if (does === 'cut' || does === 'lose') {
        device.isOnline = does === 'lose'
        served.line.losesAnswers = does === 'lose'
        await client.sync().catch(() => {})
        device.isOnline = true
        served.line.losesAnswers = false
      } else if (does === 'write while it syncs') {
        const syncing = client.sync()
        await write(n, id)
        await syncing
        await settle(n, decides)
      } else if (does === 'sync') {
        await client.sync()
        await settle(n, decides)
      }
    }
    // The line is back for good.
    for (let round = 0; round < 3; round++) {
      for (const [n, { client }] of devices.entries()) {
        await client.sync()
        await settle(n, 'remote')
        await client.sync()
      }
    }
    const server = JSON.stringify((await Note.find({ order: 'id' })).map(({ id, title, rank }: Note) => [id, title, rank ?? null]))
    for (const [n, { client }] of devices.entries()) {
      const here = JSON.stringify((await client.Note.find()).map(({ id, title, rank }) => [id, title, rank ?? null]))
      if (here !== server) throw new Error(`client ${n} has ${here}, the server ${server}`)
      const { pending, conflicts, refused } = client.state.value
      if (pending + conflicts + refused > 0) throw new Error(`client ${n}: ${JSON.stringify(client.state.value)}`)
      for (const title of last[n]?.values() ?? []) {
        if (!had.has(title) && !reported.has(title)) throw new Error(`"${title}" is lost, and nobody was told`)
      }
      await client.close()
    }
  }), { numRuns: runsOf(20), interruptAfterTimeLimit: 240_000 })
  t.pass()
})
