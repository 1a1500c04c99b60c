import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { DataSource, ModelRegistry } from '@fastback/core'
import type { HealthOptions } from './options.js'

/** How one component is. */
export interface ComponentHealth {
  readonly status: 'up' | 'down'
  /** What it took to answer. */
  readonly milliseconds?: number
  /** Why it is down. */
  readonly reason?: string
  /** Tables that are not there, by model. */
  readonly missing?: ReadonlyArray<{ readonly model: string, readonly table: string }>
}

export interface Health {
  readonly status: 'up' | 'down'
  /** Data sources by name (`db`), `eventLoop`, and `draining` when the server ends. */
  readonly components: Readonly<Record<string, ComponentHealth>>
}

const defaults = { timeout: 1_000, freshness: 500, maxEventLoopDelay: 1_000 }
const nanosecondsInOne = 1e6

/** Whether an application can take requests: data sources answer, tables are there, the event loop is on time. */
export class Readiness {
  readonly #options: typeof defaults
  readonly #except: ReadonlySet<string>
  readonly #delay: IntervalHistogram
  readonly #sampling: NodeJS.Timeout
  /** Data sources whose tables were all there once. */
  readonly #whole = new WeakSet<DataSource>()
  #lateness = 0
  #draining = false
  #last: { readonly at: number, readonly health: Promise<Health> } | undefined

  constructor (readonly registry: ModelRegistry, options: HealthOptions) {
    const { timeout, freshness, maxEventLoopDelay, except = [] } = { ...defaults, ...options }
    this.#options = { timeout, freshness, maxEventLoopDelay }
    this.#except = new Set(except)
    this.#delay = monitorEventLoopDelay({ resolution: 20 })
    this.#delay.enable()
    this.#sampling = setInterval(() => {
      this.#lateness = Number.isNaN(this.#delay.mean) ? 0 : Math.max(0, this.#delay.mean / nanosecondsInOne - 20)
      this.#delay.reset()
    }, 1_000).unref()
  }

  /** Milliseconds that the event loop came late, on average of the last second. */
  get eventLoopDelay (): number {
    return this.#lateness
  }

  /** From now on it is not ready. */
  drain (): void {
    this.#draining = true
    this.#last = undefined
  }

  close (): void {
    clearInterval(this.#sampling)
    this.#delay.disable()
  }

  /** How everything is; many that ask at once cost as much as one. */
  look (): Promise<Health> {
    const now = performance.now()
    if (this.#last !== undefined && now - this.#last.at < this.#options.freshness) return this.#last.health
    const health = this.#look()
    this.#last = { at: now, health }
    return health
  }

  async #look (): Promise<Health> {
    const sources = Object.entries(this.registry.dataSources).filter(([name]) => !this.#except.has(name))
    const components: Record<string, ComponentHealth> = Object.fromEntries(
      await Promise.all(sources.map(async ([name, source]) => [name, await this.#ask(source)] as const))
    )
    const isLate = this.#lateness > this.#options.maxEventLoopDelay
    components.eventLoop = {
      status: isLate ? 'down' : 'up',
      milliseconds: Math.round(this.#lateness),
      ...(isLate ? { reason: 'the event loop comes late' } : {})
    }
    if (this.#draining) components.draining = { status: 'down', reason: 'the server ends' }
    const isUp = Object.values(components).every(({ status }) => status === 'up')
    return { status: isUp ? 'up' : 'down', components }
  }

  /** What a data source says of itself stays in the log of its own: here stands that it does not answer. */
  async #ask (source: DataSource): Promise<ComponentHealth> {
    const start = performance.now()
    const since = (): number => Math.round(performance.now() - start)
    const { timeout } = this.#options
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<ComponentHealth>(resolve => {
      timer = setTimeout(() => {
        resolve({ status: 'down', milliseconds: since(), reason: `no response within ${String(timeout)} ms` })
      }, timeout)
    })
    try {
      return await Promise.race([this.#answer(source, since), late])
    } catch {
      return { status: 'down', milliseconds: since(), reason: 'it cannot be reached' }
    } finally {
      clearTimeout(timer)
    }
  }

  async #answer (source: DataSource, since: () => number): Promise<ComponentHealth> {
    await source.ping()
    if (!this.#whole.has(source)) {
      const missing = await source.missing()
      if (missing.length > 0) {
        return { status: 'down', milliseconds: since(), reason: 'tables are missing: run "fastback migrate"', missing }
      }
      this.#whole.add(source)
    }
    return { status: 'up', milliseconds: since() }
  }
}
