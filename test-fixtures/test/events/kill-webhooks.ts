/** Kills processes that write and deliver, and says what became of what they wrote. */
import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { Receiver, type Received } from '../../../packages/events/test/webhooks/receiver.js'

export interface Plan {
  readonly db: object
  /** Processes that write at the same time, each its own rows. */
  readonly processes: number
  readonly rowsOfEach: number
  /** Writes of all, at least. */
  readonly writes: number
  readonly kills: number
  /** Milliseconds that a process lives before it is killed; about so many. */
  readonly life: number
  /** Milliseconds between two writes of a process. */
  readonly pause: number
  /** How often the receiver is ended as well. */
  readonly receiverKills: number
  /** Milliseconds that what is left may take in the end. */
  readonly patience: number
}

export interface Outcome {
  readonly writes: number
  readonly kills: number
  readonly doubles: number
  readonly lost: number
  readonly disordered: number
  readonly seconds: number
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const script = new URL('webhook-process.js', import.meta.url)

/** Writes of rows that were committed, by row the last one. */
class Written {
  readonly last = new Map<number, number>()
  count = 0

  add ({ id, seq }: { id: number, seq: number }): void {
    this.last.set(id, Math.max(seq, this.last.get(id) ?? 0))
    this.count++
  }
}

export async function killWebhooks (t: Test, plan: Plan): Promise<Outcome> {
  const begun = Date.now()
  const receiver = await Receiver.open(t)
  receiver.secrets.set('/hook', secret)
  let isDown = false
  receiver.respond = (_, response) => {
    if (!isDown) return 200
    response.destroy()
    return undefined
  }
  const written = new Written()
  const children = new Set<ChildProcess>()
  t.teardown(() => { for (const child of children) child.kill('SIGKILL') })
  const start = async (index: number, writes: number): Promise<ChildProcess> => {
    const rows = Array.from({ length: plan.rowsOfEach }, (_, i) => 1 + index * plan.rowsOfEach + i)
    const settings = {
      db: plan.db, url: receiver.url(), secret, rows, writes, pause: plan.pause,
      webhooks: { retryDelays: Array.from({ length: 50 }, () => 30) }
    }
    const child = fork(script, [JSON.stringify(settings)], { execArgv: ['--conditions=unbundled'] })
    children.add(child)
    child.once('exit', () => { children.delete(child) })
    await new Promise<void>((resolve, reject) => {
      child.once('exit', code => { reject(new Error(`a process ended at its start: ${String(code)}`)) })
      child.on('message', (message: Record<string, unknown>) => {
        if (message.ready === true) resolve()
        if (typeof message.seq === 'number') written.add(message as never)
        if (message.failed !== undefined) t.comment(String(message.failed))
      })
    })
    return child
  }
  let kills = 0
  const each = Math.ceil(plan.writes / plan.processes)
  const lives = Array.from({ length: plan.processes }, async (_, index) => {
    const isEnough = (): boolean => written.count >= plan.writes
    for (let life = 0; kills < plan.kills || !isEnough(); life++) {
      const child = await start(index, kills < plan.kills ? each * 10 : each)
      const gone = new Promise<void>(resolve => { child.once('exit', () => { resolve() }) })
      const done = new Promise<void>(resolve => {
        child.on('message', (message: Record<string, unknown>) => { if (message.done === true) resolve() })
      })
      if (kills < plan.kills) {
        await Promise.race([sleep(plan.life * (0.5 + Math.random())), done])
        kills++
      } else {
        while (!isEnough() && await Promise.race([done.then(() => false), sleep(20, true)]));
      }
      child.kill('SIGKILL')
      await gone
    }
  })
  const downs = (async () => {
    for (let i = 0; i < plan.receiverKills; i++) {
      await sleep(plan.life)
      isDown = true
      await sleep(100)
      isDown = false
    }
  })()
  await Promise.all([...lives, downs])
  const last = await start(0, 0)
  const isThere = (): boolean => lastReceived(receiver.received, written.last)
  await receiver.until(isThere, plan.patience)
  // Doubles that are still on their way count as well.
  await sleep(1000)
  last.kill('SIGKILL')
  t.strictSame(receiver.faults, [], 'all signatures are right')
  return { ...judged(receiver.received, written), kills, seconds: Math.round((Date.now() - begun) / 1000) }
}

function lastReceived (received: readonly Received[], last: ReadonlyMap<number, number>): boolean {
  const seen = new Map<number, number>()
  for (const { data: { id, seq } } of received) seen.set(Number(id), Math.max(Number(seq), seen.get(Number(id)) ?? 0))
  return [...last].every(([id, seq]) => (seen.get(id) ?? 0) >= seq)
}

/** Each row's writes are there from the first to the last, in order, once doubles are left out. */
function judged (received: readonly Received[], written: Written): Omit<Outcome, 'kills' | 'seconds'> {
  const known = new Set<string>()
  const last = new Map<number, number>()
  let [doubles, disordered] = [0, 0]
  const seen = new Set<string>()
  for (const { id: message, data } of received) {
    if (known.has(message)) { doubles++; continue }
    known.add(message)
    const [id, seq] = [Number(data.id), Number(data.seq)]
    if (seq !== (last.get(id) ?? 0) + 1) disordered++
    last.set(id, Math.max(seq, last.get(id) ?? 0))
    seen.add(`${id} ${seq}`)
  }
  let lost = 0
  for (const [id, most] of written.last) for (let seq = 1; seq <= most; seq++) if (!seen.has(`${id} ${seq}`)) lost++
  return { writes: seen.size, doubles, lost, disordered }
}
