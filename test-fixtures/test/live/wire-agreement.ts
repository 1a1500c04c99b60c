/**
 * Live queries of real processes: random writes at all of them, and clients over server-sent events and WebSockets that
 * are cut at random, and come back at any process.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { filter, random, values, type Random } from './agreement.js'
import type { Processes } from './processes.js'
import { WireReader } from './wire-reader.js'

/**
 * Milliseconds in which a client has what there is, once nobody writes. Others notice within twenty seconds that a
 * process was killed (`packages/core/src/bus/shared-bus.ts`); the machine may have more to do.
 */
const patience = 60_000

export interface WireRun {
  readonly seed: number
  readonly filters: readonly object[]
  readonly readers: readonly WireReader[]
}

/**
 * One run: three clients, two writers.
 * @param isFaulty whether processes are killed meanwhile, so that writes may fail
 */
export async function runOverWire (t: Test, processes: Processes, seed: number, isFaulty = false): Promise<WireRun> {
  const next = random(seed)
  const filters = Array.from({ length: 3 }, () => filter(next))
  const readers = filters.map(each => {
    const own = random(seed + next(1_000_000))
    return new WireReader(each, next(2) === 0, () => processes.any(own))
  })
  for (const each of readers) {
    each.start()
    t.teardown(async () => { await each.end() })
  }
  await Promise.all([1, 2].map(async writer => {
    const own = random(seed * 31 + writer)
    for (let n = 0; n < 4; n++) {
      await write(processes, own, isFaulty)
      if (own(3) === 0) readers[own(3)]?.cut()
      if (own(4) === 0) await wait(own(30))
    }
  }))
  return { seed, filters, readers }
}

/** Once nobody writes any more: what each client holds is what the query gives. */
export async function compareOverWire (
  t: Test, processes: Processes, { seed, filters, readers }: WireRun
): Promise<void> {
  const next = random(seed)
  await Promise.all(readers.map(async (reader, i) => {
    const query = encodeURIComponent(JSON.stringify(filters[i]))
    let wanted: unknown
    while (wanted === undefined) wanted = await send(processes, next, 'GET', `/Tasks?filter=${query}`, undefined, true)
    const until = performance.now() + patience
    while (!isDeepStrictEqual(reader.rows, wanted) && performance.now() < until) await wait(10)
    if (!isDeepStrictEqual(reader.rows, wanted)) {
      const way = reader.isSocket ? 'WebSocket' : 'events'
      t.strictSame(reader.rows, wanted, `seed ${seed}, ${way}: ${JSON.stringify(filters[i])} ${reader.events.join()}`)
    }
    await reader.end()
  }))
}

async function write (processes: Processes, next: Random, isFaulty: boolean): Promise<void> {
  const id = 1 + next(14)
  const where = (stars: number): string => encodeURIComponent(JSON.stringify({ stars }))
  const writes: ReadonlyArray<readonly [method: string, path: string, body: () => object]> = [
    ['POST', '/Tasks', () => ({ id, ...values(next) })],
    ['POST', '/Tasks', () => ({ id, ...values(next) })],
    ['PATCH', '/Tasks', () => ({ id, ...values(next) })],
    ['POST', `/Tasks/update?where=${where(next(5))}`, () => ({ stars: next(5) })],
    ['POST', '/Tasks/clear', () => ({ ids: [id, id + 1] })],
    ['PATCH', '/Owners', () => ({ id: 1 + next(3), name: next(2) === 0 ? 'x' : 'y' })],
    ['POST', '/Tasks/replaceOrCreate', () => ({ id, ...values(next) })],
    ['PATCH', `/Tasks/${id}`, () => next(2) === 0 ? { stars: next(5) } : values(next)],
    ['DELETE', `/Tasks/${id}`, () => ({})]
  ]
  const [method, path, body] = writes[next(writes.length)] as (typeof writes)[number]
  await send(processes, next, method, path, body(), isFaulty)
}

/** @throws Error for a fault of the server; two that make one row at once are refused, and that is none */
async function send (
  processes: Processes, next: Random, method: string, path: string, body?: object, isFaulty = false
): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined || method === 'DELETE' ? {} : { headers, body: JSON.stringify(body) }
  try {
    const response = await fetch(processes.any(next) + path, { method, ...init })
    const text = await response.text()
    if (response.status >= 500 && !isFaulty) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text === '' ? 'null' : text)
  } catch (error) {
    // The process was killed.
    if (!isFaulty || !(error instanceof TypeError)) throw error
  }
}

/** Owners that filters name. */
export async function makeOwners (processes: Processes): Promise<void> {
  const next = random(1)
  for (let id = 1; id < 4; id++) await send(processes, next, 'PATCH', '/Owners', { id, name: id === 1 ? 'x' : 'y' })
}

/**
 * Runs, some at once.
 * @param chaos is called during each bunch, with its number
 */
export async function runAll (
  t: Test, processes: Processes, count: number, chaos?: (bunch: number) => Promise<void>, first = 1
): Promise<void> {
  const atOnce = 10
  for (let from = 0; from < count; from += atOnce) {
    const seeds = Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => first + from + i)
    const [done] = await Promise.all([
      Promise.all(seeds.map(async seed => await runOverWire(t, processes, seed, chaos !== undefined))),
      chaos?.(from / atOnce)
    ])
    await Promise.all(done.map(async each => { await compareOverWire(t, processes, each) }))
  }
}
