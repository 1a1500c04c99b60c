/** The queue of one provider: how many wait, how many are on their way, who is tried again (PU-70 to PU-74). */
import type { Outcome, Result } from '../provider/outcome.js'
import { Provider, type Message, type OwnProvider } from '../provider/provider.js'
import type { FilledOptions } from '../settings.js'
import { delayBefore } from './retries.js'
import { Services, type Service } from './services.js'

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

/** Milliseconds of a message after which its service is slow. */
const slow = 5000

interface Waiting extends Job { attempts: number }

export class Lane {
  readonly #options: LaneOptions
  readonly #services: Services<Waiting>
  readonly #most: number
  /** Of these, to services that have not proven themselves, together; and to one of them. */
  readonly #share: number
  readonly #shareOfOne: number
  #doubtful = 0
  /** Services that messages wait for: one of each goes in its turn. */
  readonly #holding = new Set<Service<Waiting>>()
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
    this.#services = new Services(options.circuitFailures, options.circuitPause)
    this.#most = Math.min(options.concurrency, provider instanceof Provider ? provider.concurrency : Infinity)
    this.#share = Math.max(2, Math.floor(this.#most / 4))
    this.#shareOfOne = Math.max(1, Math.floor(this.#share / 2))
  }

  /** Messages that are not done: waiting, on their way, or to be tried again. */
  get size (): number {
    const held = [...this.#holding].reduce((sum, { held: { length } }) => sum + length, 0)
    return this.#waiting.length - this.#next + held + this.#running + this.#pauses.size
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
    const rest = [...this.#waiting.slice(this.#next), ...this.#held(), ...this.#pauses.values()]
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
      const job = this.#waiting[this.#next] as Waiting
      const service = this.#serviceOf(job)
      const wait = service.circuit.wait()
      if (wait > 0 && service.isOnly) {
        this.#goIn(wait)
        return
      }
      this.#next++
      if (this.#next > 100 && this.#next * 2 > this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#next)
        this.#next = 0
      }
      if (this.#mayTake(service)) this.#run(job, service).catch(() => {})
      else {
        service.held.push(job)
        this.#holding.add(service)
      }
    }
    this.#goOnWithHeld()
  }

  /** One of each service that may have one, in turn, for as long as there are any. */
  #goOnWithHeld (): void {
    for (let went = true; went;) {
      went = false
      for (const service of [...this.#holding]) {
        if (this.#running >= this.#most || !this.#mayTake(service)) continue
        this.#holding.delete(service)
        const job = service.held.shift() as Waiting
        if (service.held.length > 0) this.#holding.add(service)
        this.#run(job, service).catch(() => {})
        went = true
      }
    }
    const waits = [...this.#holding].map(({ circuit }) => circuit.wait()).filter(wait => wait > 0)
    if (waits.length > 0) this.#goIn(Math.min(...waits))
  }

  #mayTake ({ circuit, isProven, running }: Service<Waiting>): boolean {
    if (circuit.wait() > 0) return false
    return isProven || (this.#doubtful < this.#share && running < this.#shareOfOne)
  }

  /** Takes what is held away. */
  #held (): Waiting[] {
    const all = [...this.#holding].flatMap(({ held }) => held.splice(0))
    this.#holding.clear()
    return all
  }

  #goIn (delay: number): void {
    this.#resume ??= setTimeout(() => {
      this.#resume = undefined
      this.#go()
    }, delay)
  }

  #serviceOf ({ token }: Job): Service<Waiting> {
    return this.#services.named('serviceOf' in this.provider ? (this.provider as Provider).serviceOf(token) : undefined)
  }

  async #run (job: Waiting, service: Service<Waiting>): Promise<void> {
    if (job.deadline !== undefined && job.deadline <= Date.now()) {
      this.#finish(job, { status: 'expired', reason: 'Expired' })
      return
    }
    const isDoubtful = !service.isProven
    this.#running++
    service.running++
    if (isDoubtful) this.#doubtful++
    job.attempts++
    const begun = performance.now()
    let outcome: Outcome
    try {
      outcome = await this.#deliver(job)
    } catch {
      outcome = { status: 'failed', reason: 'ProviderFailed' }
    }
    this.#running--
    service.running--
    if (isDoubtful) this.#doubtful--
    service.isProven = service.isOnly || (outcome.status !== 'retry' && performance.now() - begun < slow)
    if (outcome.status === 'retry') {
      service.circuit.failed()
      this.#again(job, outcome)
    } else {
      service.circuit.succeeded()
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
    this.#later(job, delay)
  }

  #later (job: Waiting, delay: number): void {
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
