/** The queue of one provider: how many wait, how many are on their way, who is tried again (PU-70 to PU-74). */
import type { Outcome, Result } from '../provider/outcome.js'
import { Provider, type Message, type OwnProvider } from '../provider/provider.js'
import type { FilledOptions } from '../settings.js'
import { Circuit } from './circuit.js'
import { delayBefore } from './retries.js'

/** One message to one device. */
export interface Job {
  readonly message: Message
  readonly token: string
  /** Milliseconds since 1970 from which on it is not sent any more. */
  readonly deadline: number | undefined
  /** Called once. */
  done (result: Result): void
}

export type LaneOptions = Pick<FilledOptions,
  'queueSize' | 'concurrency' | 'retries' | 'retryBase' | 'circuitFailures' | 'circuitPause'>

interface Waiting extends Job { attempts: number }

export class Lane {
  readonly #options: LaneOptions
  readonly #circuit: Circuit
  readonly #most: number
  #waiting: Waiting[] = []
  #next = 0
  #running = 0
  readonly #pauses = new Map<NodeJS.Timeout, Waiting>()
  #resume: NodeJS.Timeout | undefined
  #room: Array<() => void> = []
  #idle: Array<() => void> = []
  #isStopped = false

  constructor (readonly provider: OwnProvider | Provider, options: LaneOptions) {
    this.#options = options
    this.#circuit = new Circuit(options.circuitFailures, options.circuitPause)
    this.#most = Math.min(options.concurrency, provider instanceof Provider ? provider.concurrency : Infinity)
  }

  /** Messages that are not done: waiting, on their way, or to be tried again. */
  get size (): number {
    return this.#waiting.length - this.#next + this.#running + this.#pauses.size
  }

  get hasRoom (): boolean {
    return this.size < this.#options.queueSize
  }

  get isStopped (): boolean {
    return this.#isStopped
  }

  /** Takes a message, whether there is room or not: who gives it has looked, or waited. */
  add (job: Job): void {
    if (this.#isStopped) job.done({ status: 'failed', reason: 'Stopped', attempts: 0 })
    else this.#waiting.push({ ...job, attempts: 0 })
    this.#go()
  }

  /** Until there is room for a message. */
  async room (): Promise<void> {
    while (!this.hasRoom && !this.#isStopped) await new Promise<void>(resolve => { this.#room.push(resolve) })
  }

  /**
   * Takes nothing any more. What is on its way may finish; the rest is failed.
   * @param grace milliseconds for what is on its way (PU-72)
   */
  async stop (grace: number): Promise<void> {
    clearTimeout(this.#resume)
    for (const { done } of this.retire()) done({ status: 'failed', reason: 'Stopped', attempts: 0 })
    if (this.#running > 0) {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        new Promise<void>(resolve => { this.#idle.push(resolve) }),
        new Promise<void>(resolve => { timer = setTimeout(resolve, grace) })
      ])
      clearTimeout(timer)
    }
    await this.provider.close?.()
  }

  /** Gives away what has not begun, for another queue; what is on its way goes on. */
  retire (): Job[] {
    this.#isStopped = true
    const rest = [...this.#waiting.slice(this.#next), ...this.#pauses.values()]
    for (const timer of this.#pauses.keys()) clearTimeout(timer)
    this.#waiting = []
    this.#next = 0
    this.#pauses.clear()
    for (const go of this.#room.splice(0)) go()
    return rest
  }

  #go (): void {
    if (this.#isStopped) return
    while (this.#running < this.#most && this.#next < this.#waiting.length) {
      const wait = this.#circuit.wait()
      if (wait > 0) {
        this.#resume ??= setTimeout(() => {
          this.#resume = undefined
          this.#go()
        }, wait)
        return
      }
      const job = this.#waiting[this.#next++] as Waiting
      if (this.#next > 100 && this.#next * 2 > this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#next)
        this.#next = 0
      }
      this.#run(job).catch(() => {})
    }
  }

  async #run (job: Waiting): Promise<void> {
    if (job.deadline !== undefined && job.deadline <= Date.now()) {
      this.#finish(job, { status: 'expired', reason: 'Expired' })
      return
    }
    this.#running++
    job.attempts++
    let outcome: Outcome
    try {
      outcome = await this.#deliver(job)
    } catch {
      outcome = { status: 'failed', reason: 'ProviderFailed' }
    }
    this.#running--
    if (outcome.status === 'retry') {
      this.#circuit.failed()
      this.#again(job, outcome)
    } else {
      this.#circuit.succeeded()
      this.#finish(job, outcome)
    }
    this.#go()
    if (this.#running === 0) for (const idle of this.#idle.splice(0)) idle()
  }

  /** A class of the application's own may know no outcomes: then a message counts as sent once it was handed over. */
  async #deliver ({ message, token }: Job): Promise<Outcome> {
    if ('deliver' in this.provider) return await (this.provider as Provider).deliver(message, token)
    await this.provider.pushNotification(message, token)
    return { status: 'sent' }
  }

  #again (job: Waiting, { reason, after }: Extract<Outcome, { status: 'retry' }>): void {
    const delay = delayBefore(this.#options, job.attempts, after)
    if (delay === undefined || this.#isStopped) {
      this.#finish(job, { status: 'failed', reason })
      return
    }
    if (job.deadline !== undefined && Date.now() + delay >= job.deadline) {
      this.#finish(job, { status: 'expired', reason })
      return
    }
    const timer = setTimeout(() => {
      this.#pauses.delete(timer)
      this.#waiting.push(job)
      this.#go()
    }, delay)
    this.#pauses.set(timer, job)
  }

  #finish ({ attempts, done }: Waiting, outcome: Exclude<Outcome, { status: 'retry' }>): void {
    done({ ...outcome, attempts })
    if (this.#room.length > 0 && this.hasRoom) this.#room.shift()?.()
  }
}
