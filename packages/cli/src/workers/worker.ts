/** One worker, as the first process sees it. */
import type { Worker as Process } from 'node:cluster'
import { WorkerError } from '../errors.js'
import type { Failure, Serving, WorkerOrder, WorkerReport, WorkerTask } from './messages.js'

/** Milliseconds beyond its own bound after which a worker that does not end is killed. */
const margin = 1_000

/**
 * A process that serves one task.
 *
 * ```js no-run
 * const worker = new Worker(cluster.fork(), task, { startTimeout: 60_000 })
 * const { url } = await worker.serving
 * await worker.leave()
 * ```
 */
export class Worker {
  /**
   * What it says when it serves. Rejects with what the worker says that it cannot, or FBK_CLI_WORKER when it ended, or
   * said nothing in time.
   */
  readonly serving: Promise<Serving>
  /** How it ended: `code 1`, `SIGKILL`. */
  readonly exited: Promise<string>
  readonly #process: Process
  readonly #delay: number
  #isEndRequested = false
  #drainDelay = 0

  constructor (process: Process, task: WorkerTask, { startTimeout }: { readonly startTimeout: number }) {
    this.#process = process
    this.#delay = task.delay
    this.exited = new Promise(resolve => {
      process.once('exit', (code, signal) => { resolve(signal ?? `code ${String(code)}`) })
    })
    // A message to one that has just ended.
    process.on('error', () => {})
    process.on('message', (report: WorkerReport) => {
      if ('waiting' in report) this.#order(this.#isEndRequested ? { order: 'end' } : { serve: task })
    })
    this.serving = this.#firstReport(startTimeout)
    // Anyone who waits for it hears of a failure; with nobody waiting it is no error of the process.
    this.serving.catch(() => {})
  }

  /** The id of its process. */
  get pid (): number | undefined {
    return this.#process.process.pid
  }

  /** Whether it was asked to end: its end is then no accident. */
  get isEndRequested (): boolean {
    return this.#isEndRequested
  }

  /** Others have taken its place: it answers what it has begun, and ends. */
  leave (): Promise<void> {
    return this.#end('leave', this.#delay)
  }

  /** Ends as the whole server does: load balancers learn of it first. */
  end (): Promise<void> {
    return this.#end('end', this.#delay + this.#drainDelay)
  }

  async #end (order: 'leave' | 'end', time: number): Promise<void> {
    this.#isEndRequested = true
    this.#order({ order })
    const timer = setTimeout(() => { this.kill() }, time + margin)
    await this.exited
    clearTimeout(timer)
  }

  /** Ends it at once. */
  kill (): void {
    this.#isEndRequested = true
    this.#process.process.kill('SIGKILL')
  }

  #order (order: WorkerOrder): void {
    if (this.#process.isConnected()) this.#process.send(order)
  }

  async #firstReport (startTimeout: number): Promise<Serving> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.kill()
        reject(new WorkerError(`did not serve within ${String(startTimeout / 1000)} s`))
      }, startTimeout)
    })
    const told = new Promise<Exclude<WorkerReport, { waiting: true }>>(resolve => {
      this.#process.on('message', (report: WorkerReport) => {
        if ('serving' in report || 'failure' in report) resolve(report)
      })
    })
    const ended = this.exited.then(how => { throw new WorkerError(`ended with ${how} before it served`) })
    try {
      const report = await Promise.race([told, ended, late])
      if ('failure' in report) throw errorOf(report.failure)
      this.#drainDelay = report.serving.drainDelay
      return report.serving
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The error that the worker met: the command line tells of it as if it were its own. */
const errorOf = ({ message, ...rest }: Failure): Error => Object.assign(new Error(message), rest)
