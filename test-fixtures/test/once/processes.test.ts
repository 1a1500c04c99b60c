// FASTBACK_TEST_FULL: three processes that are killed.
/**
 * Payments with an `Idempotency-Key`, each sent one to five times, to three processes of which one or the other is
 * killed all the time: before its work is committed, and between that and the response. Each is made exactly once, and
 * each repeat has the same response.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { isReachable, makeScratch } from '../../scratch.mjs'
import { runsOf } from '../../runs.mjs'

t.setTimeout(900_000)

const payments = runsOf(60)
const script = fileURLToPath(new URL('process.mjs', import.meta.url))

/** A process that is started again when it ends. */
class Server {
  port = 0
  deaths = 0
  #child: ChildProcess | undefined
  #isOver = false

  constructor (readonly url: string) {}

  async start (): Promise<void> {
    const child = this.#child = fork(script, [this.url], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    child.once('exit', () => {
      if (this.#isOver) return
      this.deaths++
      this.start().catch(() => {})
    })
    const [port] = await once(child, 'message') as [number]
    this.port = port
  }

  kill (): void { this.#child?.kill('SIGKILL') }

  async end (): Promise<void> {
    this.#isOver = true
    if (this.#child?.exitCode === null) {
      this.#child.kill('SIGKILL')
      await once(this.#child, 'exit')
    }
  }
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

async function chaos (t: Test, url: string): Promise<void> {
  const servers = [1, 2, 3].map(() => new Server(url))
  t.teardown(async () => { await Promise.all(servers.map(server => server.end())) })
  // One after the other: the first one makes the tables.
  for (const server of servers) await server.start()
  const replayed = { count: 0 }
  const statuses = new Map<number, number>()

  const attempt = async (reference: string, key: string, die?: string): Promise<string | undefined> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': `"${key}"`, ...(die === undefined ? {} : { 'x-die': die }) }
    const body = JSON.stringify({ reference, amount: 7 })
    try {
      const response = await fetch(`http://127.0.0.1:${pick(servers).port}/api/Payments`, { method: 'POST', headers, body })
      const text = await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (response.headers.has('idempotency-replayed')) replayed.count++
      if (response.status === 200) return text
      if (![409, 503].includes(response.status)) throw new Error(`${response.status} ${text}`)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }

  const wrong: string[] = []
  const pay = async (i: number): Promise<void> => {
    const [reference, key] = [`payment ${i}`, randomUUID()]
    const died = i % 40 === 3 ? 'send' : i % 40 === 9 ? 'save' : undefined
    // From outside, whatever it does.
    if (i % 30 === 20) pick(servers).kill()
    const times = 1 + i % 5
    const responses: string[] = []
    const one = async (die?: string): Promise<void> => {
      for (let tries = 0; tries < 400; tries++) {
        const text = await attempt(reference, key, tries === 0 ? die : undefined)
        if (text !== undefined) { responses.push(text); return }
        await sleep(20 + Math.random() * 100)
      }
      wrong.push(`${reference}: no response`)
    }
    // Some at once, the others when the first ones are done.
    const atOnce = Array.from({ length: Math.ceil(times / 2) }, async (_, n) => {
      await one(n === 0 ? died : undefined)
    })
    await Promise.all(atOnce)
    for (let n = Math.ceil(times / 2); n < times; n++) await one()
    if (new Set(responses).size !== 1) wrong.push(`${reference}: ${JSON.stringify([...new Set(responses)])}`)
  }
  const waiting = Array.from({ length: payments }, (_, i) => i)
  await Promise.all(Array.from({ length: 12 }, async () => {
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) await pay(i)
  }))
  t.strictSame(wrong, [])
  let rows: Array<{ reference: string }> | undefined
  while (rows === undefined) {
    rows = await fetch(`http://127.0.0.1:${pick(servers).port}/api/Payments`).then(async response => await response.json() as never, () => undefined)
  }
  t.equal(rows.length, payments, 'each once')
  t.equal(new Set(rows.map(({ reference }) => reference)).size, payments)
  t.ok(replayed.count > payments / 2, 'repeats had the response of the first')
  const deaths = servers.reduce((sum, server) => sum + server.deaths, 0)
  t.ok(deaths >= payments / 25, 'processes died')
  t.comment(`${payments} payments, ${deaths} deaths, ${replayed.count} repeats, statuses ${JSON.stringify([...statuses])}`)
}

for (const server of ['postgres', 'mysql'] as const) {
  const skip = server === 'mysql' && process.env.FASTBACK_TEST_FULL === undefined && 'with FASTBACK_TEST_FULL'
  t.test(`exactly once over three processes: ${server}`, { skip }, async t => {
    if (!await isReachable(server)) {
      t.comment('no server answers')
      return
    }
    const { url, remove } = await makeScratch(server)
    t.teardown(remove)
    await chaos(t, url)
  })
}

t.test('exactly once over three processes: SQLite', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'fastback-once-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await chaos(t, `sqlite:${join(dir, 'payments.db')}`)
})
