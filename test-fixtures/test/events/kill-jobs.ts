/** Kills processes that send and run jobs, and says what became of the jobs. */
import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

export interface JobPlan {
  /** Settings of the data source that the processes have. */
  readonly db: object
  /** Of the plugin. */
  readonly options: object
  readonly jobs: number
  /** Jobs that a process has at once: as many may come twice when it is killed. */
  readonly concurrency: number
  readonly workers: number
  readonly senders: number
  /** Milliseconds between two kills; the number of them follows. */
  readonly pause: number
  /** Interrupts the broker; undefined: it is left alone. */
  readonly interrupt?: (() => Promise<void>) | undefined
  /** Numbers that were committed with their jobs, where the engine takes part in transactions. */
  readonly committed?: (() => Promise<ReadonlySet<number>>) | undefined
  /** Milliseconds that the rest may take in the end. */
  readonly patience: number
}

export interface JobOutcome {
  readonly sent: number
  readonly lost: number
  /** Runs of a job that had run before. */
  readonly doubles: number
  /** Jobs that ran without their row. */
  readonly invented: number
  readonly kills: number
  readonly interruptions: number
  readonly seconds: number
}

const script = fileURLToPath(new URL('job-process.js', import.meta.url))
const chunk = 500

interface Message { readonly ran?: number, readonly sent?: number, readonly ended?: number, readonly ready?: true }

class Farm {
  readonly sent = new Set<number>()
  readonly ran = new Map<number, number>()
  readonly #children: Array<{ child: ChildProcess, isWorker: boolean }> = []
  #next = 0
  #isOver = false
  kills = 0

  constructor (readonly plan: JobPlan) {}

  get isSending (): boolean {
    return this.#next < this.plan.jobs
  }

  start (isWorker: boolean): void {
    const { db, options, concurrency } = this.plan
    const child = fork(script, [JSON.stringify({ db, isWorker, concurrency, options })], {
      execArgv: ['--conditions=unbundled'], stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    this.#children.push({ child, isWorker })
    child.on('message', ({ ran, sent, ended, ready }: Message) => {
      if (ran !== undefined) this.ran.set(ran, (this.ran.get(ran) ?? 0) + 1)
      if (sent !== undefined) this.sent.add(sent)
      if ((ready === true || ended !== undefined) && !isWorker) this.#feed(child)
    })
    child.on('exit', () => {
      this.#children.splice(this.#children.findIndex(each => each.child === child), 1)
      if (!this.#isOver && (isWorker || this.isSending)) this.start(isWorker)
    })
  }

  #feed (child: ChildProcess): void {
    if (!this.isSending) return
    const from = this.#next
    this.#next = Math.min(from + chunk, this.plan.jobs)
    child.send({ from, to: this.#next, together: 10 })
  }

  kill (): void {
    const { child } = this.#children[Math.floor(Math.random() * this.#children.length)] ?? {}
    if (child?.kill('SIGKILL') === true) this.kills++
  }

  end (): void {
    this.#isOver = true
    for (const { child } of this.#children) child.kill('SIGKILL')
  }
}

export async function killJobs (t: Test, plan: JobPlan): Promise<JobOutcome> {
  const begun = Date.now()
  const farm = new Farm(plan)
  t.teardown(() => { farm.end() })
  for (let i = 0; i < plan.workers; i++) farm.start(true)
  for (let i = 0; i < plan.senders; i++) farm.start(false)
  let interruptions = 0
  for (let round = 1; farm.isSending; round++) {
    await sleep(plan.pause)
    farm.kill()
    if (plan.interrupt === undefined || round % 3 !== 0) continue
    await plan.interrupt()
    interruptions++
  }
  const expected = async (): Promise<ReadonlySet<number>> => await plan.committed?.() ?? farm.sent
  const missing = async (): Promise<number[]> => [...await expected()].filter(n => !farm.ran.has(n))
  const end = Date.now() + plan.patience
  while ((await missing()).length > 0 && Date.now() < end) await sleep(500)
  // What comes late is counted as well.
  await sleep(3000)
  const rows = await expected()
  const counts = [...farm.ran.values()]
  const outcome = {
    sent: rows.size,
    lost: (await missing()).length,
    doubles: counts.reduce((sum, count) => sum + count - 1, 0),
    invented: plan.committed === undefined ? 0 : [...farm.ran.keys()].filter(n => !rows.has(n)).length,
    kills: farm.kills,
    interruptions,
    seconds: Math.round((Date.now() - begun) / 1000)
  }
  farm.end()
  return outcome
}
