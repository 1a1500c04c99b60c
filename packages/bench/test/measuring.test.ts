/** That the bench counts what it says: requests from when they were due, processor time, the driver that is loaded. */
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { source } from './sources.js'

interface Paced { readonly latencies: number[], readonly unanswered: number }
interface Pace { port: number, connections: number, rate: number, seconds: number, patience?: number }
type OnAnswer = (status: number, milliseconds: number) => void

const { runPaced } = await source<{
  runPaced (pace: Pace, nextRequest: () => string, onAnswer: (status: number) => void): Promise<Paced>
}>('paced.js')
const { encodeRequest, runConnection } = await source<{
  encodeRequest (request: object): string
  runConnection (port: number, next: () => string | undefined, onAnswer: OnAnswer): Promise<void>
}>('connection.js')
const { startClock } = await source<{ startClock (pids: number[]): (now?: number[]) => number }>('accounting.js')
const { loadedDrivers, proveDriver, openDatabase } = await source<{
  loadedDrivers (pid: number): string[]
  proveDriver (pid: number, driver: string): void
  openDatabase (file: string, driver?: string): { close (): void }
}>('sqlite.js')

const request = (): string => encodeRequest({ method: 'GET', path: '/' })

async function serve (t: Test, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return (server.address() as AddressInfo).port
}

/** Stands still for 200 ms at its first request, as a collector or a slow hook does; all others wait behind it. */
function standingStill (): RequestListener {
  let free: Promise<void> | undefined
  return async (_, response) => {
    free ??= delay(200)
    await free
    response.end('{}')
  }
}

t.test('a server that stands still is charged for all that were due meanwhile', async t => {
  const statuses: number[] = []
  const pace = { port: await serve(t, standingStill()), connections: 2, rate: 500, seconds: 0.3 }
  const paced = await runPaced(pace, request, status => statuses.push(status))
  t.match(paced, { unanswered: 0 })
  t.equal(paced.latencies.length, 150)
  t.equal(statuses.filter(status => status === 200).length, 150)
  // Due within the first 100 ms of the 200: fifty, and not the two that could be asked.
  t.ok(paced.latencies.filter(milliseconds => milliseconds > 90).length >= 45)

  const closed: number[] = []
  let left = 150
  const port = await serve(t, standingStill())
  const next = (): string | undefined => left-- > 0 ? request() : undefined
  const onAnswer: OnAnswer = (_, milliseconds) => closed.push(milliseconds)
  await Promise.all([0, 1].map(async () => await runConnection(port, next, onAnswer)))
  t.equal(closed.length, 150, 'as a closed loop sees it')
})

t.test('what is never answered counts to the end, and as unanswered', async t => {
  const port = await serve(t, () => {})
  const pace = { port, connections: 3, rate: 100, seconds: 0.1, patience: 50 }
  const { latencies, unanswered } = await runPaced(pace, request, () => {})
  t.equal(unanswered, 10)
  t.equal(latencies.length, 10)
  t.ok(Math.max(...latencies) >= 140)
})

t.test('a server that breaks a connection ends the measurement', async t => {
  const port = await serve(t, ({ socket }) => socket.destroy())
  const pace = { port, connections: 1, rate: 100, seconds: 0.1 }
  await t.rejects(runPaced(pace, request, () => {}), /closed a kept-alive connection|ECONNRESET/)
})

const linux = existsSync('/proc/self/stat') ? {} : { skip: 'wants /proc' }

t.test('processor time is what the process itself says', linux, async t => {
  const clock = startClock([process.pid])
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user + process.cpuUsage(before).system < 100_000);
  const counted = clock()
  const said = process.cpuUsage(before)
  t.ok(counted >= 80_000, `${counted} µs`)
  t.ok(counted <= said.user + said.system + 20_000, `${counted} µs, at most what it says now`)
  t.ok(startClock([])([process.pid]) >= counted, 'all of a process that is new')
})

t.test('the driver of a process is read off its memory', linux, async t => {
  t.throws(() => proveDriver(process.pid, 'better-sqlite3'), /was to use better-sqlite3 and has loaded no native driver/)
  proveDriver(process.pid, 'node:sqlite')
  openDatabase(':memory:', '@photostructure/sqlite').close()
  t.same(loadedDrivers(process.pid), ['@photostructure/sqlite'])
  proveDriver(process.pid, '@photostructure/sqlite')
  t.throws(() => proveDriver(process.pid, 'node:sqlite'), /was to use node:sqlite and has loaded @photostructure\/sqlite/)
})
