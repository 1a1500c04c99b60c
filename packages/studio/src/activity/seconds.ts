/** What a process did, second by second, for the last minutes. */
import { monitorEventLoopDelay, performance, type EventLoopUtilization, type IntervalHistogram } from 'node:perf_hooks'
import type { ActivitySecond } from '@fastback/ui/contracts'

/** Five minutes. */
const most = 300
/** Durations of one second that percentiles are made of; of more a random part. */
const sampled = 2_048
const nanosecondsInOne = 1e6
/** Milliseconds between two looks at the event loop. */
const resolution = 20

export class Seconds {
  #seconds: ActivitySecond[] = []
  #requests = 0
  #clientErrors = 0
  #serverErrors = 0
  #durations: number[] = []
  #began = Date.now()
  #utilization: EventLoopUtilization | undefined
  #delay: IntervalHistogram | undefined
  #timer: NodeJS.Timeout | undefined

  get list (): readonly ActivitySecond[] {
    return this.#seconds
  }

  /** Once for a process that serves; a second call changes nothing. */
  start (): void {
    if (this.#timer !== undefined) return
    this.#began = Date.now()
    this.#utilization = performance.eventLoopUtilization()
    this.#delay = monitorEventLoopDelay({ resolution })
    this.#delay.enable()
    this.#timer = setInterval(() => { this.#end() }, 1_000).unref()
  }

  stop (): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#delay?.disable()
  }

  /** @param status 0 where the client went away first */
  add (status: number, duration: number): void {
    const count = this.#requests++
    if (status >= 500) this.#serverErrors++
    else if (status >= 400) this.#clientErrors++
    if (count < sampled) {
      this.#durations.push(duration)
      return
    }
    const at = Math.floor(Math.random() * (count + 1))
    if (at < sampled) this.#durations[at] = duration
  }

  #end (): void {
    const sorted = this.#durations.sort((a, b) => a - b)
    const at = (part: number): number => rounded(sorted[Math.ceil(part * sorted.length) - 1] ?? 0)
    const utilization = performance.eventLoopUtilization()
    const { heapUsed, rss } = process.memoryUsage()
    const late = (this.#delay?.max ?? 0) / nanosecondsInOne - resolution
    this.#seconds.push({
      at: this.#began,
      requests: this.#requests,
      p50: at(0.5),
      p99: at(0.99),
      clientErrors: this.#clientErrors,
      serverErrors: this.#serverErrors,
      eventLoopDelay: rounded(Math.max(0, late)),
      eventLoopUtilization: rounded(performance.eventLoopUtilization(utilization, this.#utilization).utilization),
      heapUsed,
      rss
    })
    if (this.#seconds.length > most) this.#seconds.shift()
    this.#began = Date.now()
    this.#utilization = utilization
    this.#delay?.reset()
    this.#requests = this.#clientErrors = this.#serverErrors = 0
    this.#durations = []
  }
}

export const rounded = (value: number): number => Math.round(value * 100) / 100
