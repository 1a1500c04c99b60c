/** The jobs of an application: defined before it is ready or later, run while it is. */
import type { ModelRegistry } from '@fastback/core'
import { deferredWorkIn, measuresOf, nearest } from '@fastback/core/remote'
import type { EngineJob } from '../engines/engine.js'
import {
  DuplicateJobError, InvalidJobError, NoTransactionError, NotStartedError, UnknownJobError
} from '../errors.js'
import type { EventsContext, EventsPart } from '../events-context.js'
import { jobData, mustMatch } from './job-data.js'
import { checkJob, queueSettings } from './job-settings.js'
import type { Job, JobFunction, JobOptions, Jobs, JobSendOptions } from './job-types.js'

interface Defined {
  readonly name: string
  readonly options: JobOptions
  readonly handler: JobFunction<never>
  /** Whether nobody is to read its data. */
  readonly isSecret: boolean
  /** Once the engine knows the queue. */
  ready: Promise<void> | undefined
}

export class JobRegistry implements Jobs, EventsPart {
  readonly #defined = new Map<string, Defined>()
  readonly #counts = new Map<string, number>()
  readonly #seconds = new Map<string, number>()
  #context: EventsContext | undefined
  #isRunning = false

  constructor (readonly registry: ModelRegistry) {}

  /** Before `start`. */
  use (context: EventsContext): void {
    this.#context = context
  }

  /** As `registry.job`. */
  define (name: string, options: JobOptions, handler: JobFunction<never>): Job<never> {
    checkJob(name, options)
    if (typeof handler !== 'function') throw new InvalidJobError(name, 'the handler must be a function.')
    this.#add({ name, options, handler, isSecret: false, ready: undefined })
    return {
      name,
      send: async (data: unknown, sendOptions?: JobSendOptions) => await this.send(name, data, sendOptions)
    }
  }

  #add (defined: Defined): void {
    const { name } = defined
    if (this.#defined.has(name)) throw new DuplicateJobError(name)
    this.#defined.set(name, defined)
    if (!this.#isRunning) return
    this.#open(defined).catch((err: unknown) => {
      this.#context?.log.error({ err, job: name }, 'a job that was defined late could not be set up')
    })
  }

  isSecret (name: string): boolean {
    return this.#defined.get(name)?.isSecret === true
  }

  get names (): string[] {
    return [...this.#defined.keys()]
  }

  async send (name: string, data: unknown, options: JobSendOptions = {}): Promise<string | undefined> {
    const defined = this.#defined.get(name)
    if (defined === undefined) throw new UnknownJobError(name, nearest(name, this.names))
    const context = this.#context
    if (context === undefined || !this.#isRunning) throw new NotStartedError('sent')
    const checked = jobData(name, data, defined.options.schema, context.settings.largestData)
    mustBeKey(name, options)
    mustBeOf(context, options.transaction)
    await defined.ready
    return await context.engine.send(name, checked, options)
  }

  async start (): Promise<void> {
    for (const { name, concurrency, timeout, isSecret, run } of deferredWorkIn(this.registry).values()) {
      if (this.#defined.has(name)) continue
      const handler = async ({ data }: { readonly data: unknown }): Promise<unknown> => await run(data)
      this.#add({ name, options: { concurrency, timeout }, handler, isSecret, ready: undefined })
    }
    this.#measure()
    this.#isRunning = true
    for (const defined of this.#defined.values()) await this.#open(defined)
  }

  async stop (): Promise<void> {}

  #open (defined: Defined): Promise<void> {
    defined.ready ??= this.#setUp(defined)
    return defined.ready
  }

  async #setUp ({ name, options, handler, isSecret }: Defined): Promise<void> {
    const { engine, settings } = this.#context as EventsContext
    const { retention, ...queue } = queueSettings(options, settings)
    await engine.define(name, { ...queue, retention: isSecret ? { ...retention, completed: 0 } : retention })
    const { schedule, timeZone = 'UTC', scheduleData = null } = options
    if (schedule === undefined) await engine.unschedule(name)
    else await engine.schedule(name, schedule, { timeZone, data: scheduleData })
    if (settings.work) await engine.work(name, async job => { await this.#run(job, options, handler) })
  }

  async #run (job: EngineJob, { schema }: JobOptions, handler: JobFunction<never>): Promise<void> {
    const { registry } = this
    const { log } = this.#context as EventsContext
    const { id, queue, data, signal, attempt } = job
    const from = performance.now()
    let status = 'failed'
    try {
      mustMatch(queue, data, schema)
      await handler({
        data: data as never, models: registry.models as never, registry, signal, attempt, id,
        log: log.child({ job: queue, jobId: id })
      })
      status = 'completed'
    } finally {
      add(this.#counts, JSON.stringify([queue, status]), 1)
      add(this.#seconds, queue, (performance.now() - from) / 1000)
    }
  }

  #measure (): void {
    const measures = measuresOf(this.registry)
    for (const name of this.names) {
      for (const status of ['completed', 'failed']) {
        const label = JSON.stringify([name, status])
        measures.add('jobsEnded', () => this.#counts.get(label) ?? 0, label)
      }
      measures.add('jobSeconds', () => this.#seconds.get(name) ?? 0, name)
    }
  }
}

const add = (sums: Map<string, number>, label: string, value: number): void => {
  sums.set(label, (sums.get(label) ?? 0) + value)
}

function mustBeKey (name: string, { uniqueKey, startAfter }: JobSendOptions): void {
  if (uniqueKey !== undefined && (typeof uniqueKey !== 'string' || uniqueKey === '')) {
    throw new InvalidJobError(name, '"uniqueKey" must be a text that is not empty.')
  }
  if (startAfter !== undefined && !(startAfter instanceof Date && !Number.isNaN(startAfter.getTime()))) {
    throw new InvalidJobError(name, '"startAfter" must be a date.')
  }
}

/** @throws FBK_EVENTS_NO_TRANSACTION */
function mustBeOf ({ dataSource }: EventsContext, transaction: unknown): void {
  const { connector } = (transaction ?? {}) as { readonly connector?: unknown }
  if (connector !== undefined && connector !== dataSource.connector) throw new NoTransactionError(dataSource.name)
}
