/** The first process of `serve --workers`: it starts the others, and serves nothing itself. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ClusterHub, type BusChannel } from '@fastback/core/bus'
import { OneProcessStoreError } from '../errors.js'
import { BackOff } from './back-off.js'
import type { Serving, WorkerTask } from './messages.js'
import { Worker } from './worker.js'

export interface WorkersOptions {
  /** How many serve. */
  readonly count: number
  /** Milliseconds that one may take until it serves. */
  readonly startTimeout: number
  /** Tells the operator of what happens to workers. */
  readonly tell: (level: 'info' | 'warn', message: string, fields?: object) => void
}

/**
 * glibc gives each thread a heap of its own and keeps what is freed there: after some logins, four threads each keep
 * the 19 MB of an argon2id hash. With two heaps it is half of that, and requests take the same time.
 */
const mostArenas = '2'

/**
 * Processes that serve one task on one port. One that dies is started again, after a time that grows with each
 * accident.
 *
 * ```js no-run
 * const workers = new Workers(task, { count: 4, startTimeout: 60_000, tell })
 * const { url } = await workers.start()
 * await workers.restart() // one after the other, each when its successor serves
 * await workers.close()
 * ```
 */
export class Workers {
  readonly #options: WorkersOptions
  #task: WorkerTask
  /** Those that serve. */
  readonly #serving = new Set<Worker>()
  readonly #starting = new Set<Worker>()
  /** Passes on what workers tell each other. */
  readonly #hub = new ClusterHub()
  readonly #backOff = new BackOff()
  readonly #closing = new AbortController()
  /** Restarts of all follow each other; one that is asked for while another waits for its turn is the same one. */
  #restarting: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #logsInfo = false

  constructor (task: WorkerTask, options: WorkersOptions) {
    this.#task = task
    this.#options = options
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./run.js', import.meta.url)), args: [] })
  }

  /** Whether the log of the workers has lines of the level "info". */
  get logsInfo (): boolean {
    return this.#logsInfo
  }

  /** Process ids of those that serve. */
  get pids (): number[] {
    return [...this.#serving].map(({ pid }) => pid as number)
  }

  /**
   * Starts all. The first one serves before the others begin, so that what a start does to the data (tables, first
   * rows) is done once.
   * @throws why a worker cannot serve; FBK_CLI_WORKER, FBK_CLI_ONE_PROCESS_STORE. Nothing runs then.
   */
  async start (): Promise<Serving> {
    const { count } = this.#options
    try {
      await this.#choosePort()
      const first = await this.#add()
      this.#logsInfo = first.logsInfo
      this.#checkStores(first)
      await Promise.all(Array.from({ length: count - 1 }, () => this.#add()))
      return first
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /**
   * Replaces all of them, one after the other: each leaves when its successor serves, so that nobody outside notices.
   * Where a successor does not start, those that are left stay.
   */
  restart (): Promise<void> {
    this.#next ??= this.#restarting = this.#restarting.then(async () => {
      this.#next = undefined
      await this.#replaceAll()
    })
    return this.#next
  }

  /** Ends all: each answers what it has begun. */
  async close (): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#serving, ...this.#starting].map(worker => worker.end()))
  }

  /** Any free port: one that stays the same when all workers are lost. */
  async #choosePort (): Promise<void> {
    const { host, port } = this.#task.options
    if (port !== 0) return
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    const { port: free } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    this.#task = { ...this.#task, options: { ...this.#task.options, port: free } }
  }

  async #add (): Promise<Serving> {
    const child = cluster.fork({ MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? mostArenas })
    this.#hub.add(child as BusChannel)
    const worker = new Worker(child, this.#task, this.#options)
    this.#starting.add(worker)
    try {
      const serving = await worker.serving
      const since = performance.now()
      this.#serving.add(worker)
      worker.exited.then(how => { this.#lost(worker, how, performance.now() - since) }, () => {})
      return serving
    } finally {
      this.#starting.delete(worker)
    }
  }

  #lost (worker: Worker, how: string, lived: number): void {
    this.#serving.delete(worker)
    if (worker.isEndRequested || this.#isClosing) return
    this.#options.tell('warn', `a worker ended with ${how}; another one takes its place`, { worker: worker.pid })
    this.#revive(lived).catch((error: unknown) => { throw error })
  }

  /** Tries until one serves again. */
  async #revive (lived: number): Promise<void> {
    for (let last = lived; !this.#isClosing; last = 0) {
      await wait(this.#backOff.after(last), undefined, { signal: this.#closing.signal }).catch(() => {})
      if (this.#isClosing) return
      try {
        await this.#add()
        this.#options.tell('info', 'a worker took the place of the one that was lost')
        return
      } catch (error) {
        if (!this.#isClosing) this.#options.tell('warn', `a worker cannot start: ${messageOf(error)}`)
      }
    }
  }

  async #replaceAll (): Promise<void> {
    for (const old of [...this.#serving]) {
      // One that was lost meanwhile has a successor already.
      if (this.#isClosing || !this.#serving.has(old)) continue
      try {
        await this.#add()
      } catch (error) {
        if (!this.#isClosing) this.#options.tell('warn', `the restart ends here, a worker cannot start: ${messageOf(error)}`)
        return
      }
      await old.leave()
    }
    if (!this.#isClosing) this.#options.tell('info', 'all workers were restarted', { workers: this.pids })
  }

  /** @throws FBK_CLI_ONE_PROCESS_STORE */
  #checkStores ({ privateStores }: Serving): void {
    const { count, tell } = this.#options
    if (count === 1 || privateStores.length === 0) return
    const written = privateStores.find(({ hasFile }) => hasFile)
    if (written !== undefined) throw new OneProcessStoreError(written.name)
    const names = privateStores.map(({ name }) => `"${name}"`).join(', ')
    tell('warn', `each of the ${String(count)} workers has rows of its own in the data sources in memory: ${names}`)
  }

  get #isClosing (): boolean {
    return this.#closing.signal.aborted
  }
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)
