/**
 * Writes the log (WAL) of a SQLite file back into the file, in a thread beside the requests. SQLite does it within the
 * commit that finds the log long, and everything waits for a tenth of a second then.
 *
 * The log begins anew when somebody writes while all of it is in the file. Under load more has always been written by
 * the time that a pass ends. So the last of several passes, which has little to do, is done while writes are put off
 * (`TickWrites.hold`): reads go on, and so does the event loop. A write that cannot be put off is made all the same;
 * then one more pass is done here, over the few pages that it wrote.
 *
 * How long the log is, nobody says but a pass. (Its index in `FILE-shm` does, and must not be opened: when a process
 * closes a file, it loses all of its locks on it, SQLite's too.) Before the first pass the file's size tells, and after
 * it how many pages a write took so far.
 */
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { LogState } from './checkpoint.js'
import type { DriverContext } from './driver.js'

/** What the thread is started with. */
export interface WorkerSettings {
  /** Where the driver's module is. */
  readonly driver: string
  readonly file: string
}

/** `held`: nobody writes for a moment. */
export type ToWorker = 'begin' | 'held' | 'close'
export type FromWorker = 'hold' | LogState | { readonly failed: string }

export interface CheckpointerSettings extends WorkerSettings {
  /** Pages of the log from which it is written back. */
  readonly pages: number
  /** Milliseconds without a pass after which the thread ends. */
  readonly restTime?: number | undefined
}

/** Those whose writes are in the log. */
export interface Writers {
  /** Puts writes off for a moment, those that can be. */
  hold (): void
  release (): void
  /** Writes the log back, while everything waits. */
  checkpoint (): LogState
  /** Called when the thread cannot do it: SQLite is to write the log back as it does by itself. */
  giveUp (): void
}

/** Writes between two looks. */
const grain = 32
/** Pages from which the log is written back when nobody writes: those that SQLite has by itself. */
const idlePages = 1000
/** Milliseconds without a write. */
const idleTime = 1000
/** A thread keeps 10 MB. To start the next one takes 50 ms of a processor, which is nothing once a minute. */
const restTime = 60_000
/** Milliseconds that writes are put off at most: a pass over a few pages takes one or two, and two `fsync`. */
const longestHold = 200
/** Bytes that a page takes in the log: its own, and a header. */
const bytesOfPage = 4096 + 24

export class Checkpointer {
  #worker: Worker | undefined
  #isAtWork = false
  /** Whether it has failed, or is closed. */
  #isOver = false
  /** Since the last pass. */
  #writes = 0
  /** Pages of the log for each write; undefined until a pass has told. */
  #pagesPerWrite: number | undefined
  /** Pages that the log had when `#writes` was 0. */
  #pagesBefore = 0
  /**
   * Pages that are taken for there at that time: a log that could not be emptied is tried again after a quarter of what
   * it may have.
   */
  #lead = 0
  #idle: NodeJS.Timeout | undefined
  #writesOfIdle = 0
  #writesOfHold = 0
  #holdTimer: NodeJS.Timeout | undefined
  #rest: NodeJS.Timeout | undefined
  /** Resolved once the threads that were to end have ended. */
  #ended: Promise<void> = Promise.resolve()

  constructor (
    readonly settings: CheckpointerSettings, readonly writers: Writers, readonly log: DriverContext['log']
  ) {}

  /** Whether it does what it is for. */
  get isAble (): boolean {
    return !this.#isOver
  }

  /** To be called after each write, in whichever connection of this process. */
  wrote (): void {
    if (++this.#writes % grain === 0) this.#look()
  }

  #look (): void {
    if (this.#isAtWork || this.#isOver) return
    const pages = this.#pages()
    if (pages >= this.settings.pages) this.#begin()
    else if (pages >= idlePages) this.#awaitIdle()
  }

  #pages (): number {
    if (this.#pagesPerWrite !== undefined) return this.#lead + this.#writes * this.#pagesPerWrite
    return (statSync(`${this.settings.file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / bytesOfPage
  }

  #awaitIdle (): void {
    this.#writesOfIdle = this.#writes
    this.#idle ??= setInterval(() => {
      const isIdle = this.#writesOfIdle === this.#writes
      this.#writesOfIdle = this.#writes
      if (!isIdle) return
      clearInterval(this.#idle)
      this.#idle = undefined
      if (!this.#isAtWork && !this.#isOver) this.#begin()
    }, idleTime).unref()
  }

  #begin (): void {
    this.#isAtWork = true
    clearTimeout(this.#rest)
    this.#worker ??= this.#start()
    this.#worker.postMessage('begin' satisfies ToWorker)
  }

  #start (): Worker {
    const { driver, file } = this.settings
    const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), {
      name: 'fastback checkpoints',
      workerData: { driver, file } satisfies WorkerSettings,
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }
    })
    worker.on('message', (message: FromWorker) => this.#heard(message))
    worker.on('error', error => this.#fail(error))
    worker.unref()
    return worker
  }

  #heard (message: FromWorker): void {
    if (this.#isOver) return
    if (message === 'hold') {
      this.writers.hold()
      this.#writesOfHold = this.#writes
      this.#holdTimer = setTimeout(() => this.#release(), longestHold)
      this.#worker?.postMessage('held' satisfies ToWorker)
      return
    }
    if ('failed' in message) return this.#fail(new Error(message.failed))
    // Somebody has written all the same.
    const isOutdated = message.written === message.pages && this.#writes !== this.#writesOfHold
    this.#learn(isOutdated ? this.writers.checkpoint() : message)
    this.#isAtWork = false
    this.#release()
    this.#rest = setTimeout(() => { this.#end() }, this.settings.restTime ?? restTime).unref()
  }

  #learn ({ pages, written: inFile }: LogState): void {
    const isEmpty = inFile === pages
    const written = pages - this.#pagesBefore
    // Less than before: somebody else has emptied it, and how much came since is not known.
    if (this.#writes > 0 && written > 0) this.#pagesPerWrite = written / this.#writes
    this.#pagesBefore = isEmpty ? 0 : pages
    this.#lead = isEmpty ? 0 : this.settings.pages * 0.75
    this.#writes = 0
    this.#writesOfIdle = -1
  }

  #release (): void {
    clearTimeout(this.#holdTimer)
    this.#holdTimer = undefined
    this.writers.release()
  }

  #fail (error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#idle)
    clearTimeout(this.#rest)
    // It may have the file open.
    this.#worker?.terminate().catch(() => {})
    this.log.warn({ err: error }, `${this.settings.file}: the log is written back within commits, not beside them`)
    this.#release()
    this.writers.giveUp()
  }

  /** Ends the thread, with its connection; the next pass starts another one. */
  #end (): void {
    const worker = this.#worker
    if (worker === undefined) return
    this.#worker = undefined
    const exit = new Promise<void>(resolve => worker.once('exit', () => { resolve() }))
    this.#ended = this.#ended.then(() => exit)
    worker.ref()
    worker.postMessage('close' satisfies ToWorker)
  }

  /** Ends the thread for good. */
  async close (): Promise<void> {
    clearInterval(this.#idle)
    clearTimeout(this.#rest)
    this.#release()
    if (!this.#isOver) this.#end()
    this.#isOver = true
    await this.#ended
  }
}
