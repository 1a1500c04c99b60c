/**
 * `npm run fuzz -- --costly`: looks for the requests that cost most, by hill climbing. Two lists of the worst that are
 * known are kept, by time and by memory; each step changes one of them a little, or begins anew, and what costs more
 * takes the place of what costs less (security.md, S-74).
 */
import type { Cost } from '../inside/gauge.js'
import { isStream, operationsOf } from '../routes.js'
import { Target, type TargetOptions } from '../target.js'
import { Connection, type Answer } from '../wire.js'
import type { WireRequest } from '../wire-request.js'
import { requestHeader } from '../inside/protocol.js'
import { Breeder, largest, sizeOf, wireOf, type Candidate } from './candidates.js'
import { Random } from './random.js'

export const objectives = ['hold', 'grown'] as const
export type Objective = typeof objectives[number]

/** What one request may cost others: S-74's milliseconds and bytes. */
export const bounds: Cost = { hold: 50, grown: 64 * 2 ** 20 }

export interface ClimbOptions extends TargetOptions {
  readonly seed: number
  /** Requests to try. */
  readonly requests: number
  /** Seconds after which no other is tried. Default: no limit. */
  readonly seconds?: number | undefined
  readonly bounds?: Cost
  readonly onProgress?: (outcome: Climbed) => void
}

export interface Tried extends Cost {
  readonly candidate: Candidate
  readonly request: WireRequest
  readonly status: number
  /** Milliseconds until the response was there. */
  readonly milliseconds: number
}

export interface Fault { readonly what: string, readonly request: WireRequest }

export interface Climbed {
  readonly requests: number
  readonly seconds: number
  /** The worst by each measure, the first before all others. */
  readonly worst: Readonly<Record<Objective, readonly Tried[]>>
  readonly faults: readonly Fault[]
  readonly statuses: Readonly<Record<string, number>>
}

/** How many are kept to be changed. */
const kept = 24
/** Of these no more than so many of the same operation: the second worst is elsewhere. */
const ofOneOperation = 4
/**
 * Times that something is measured which would be among the worst; other programs run on this machine, so the least
 * counts.
 */
const repetitions = 3
const progressEvery = 500

export async function climb (options: ClimbOptions): Promise<Climbed> {
  let search = await Search.begin(options)
  try {
    while (!search.isSpent) {
      await search.step()
      if (search.target.ended !== undefined) search = await search.anew()
      if (search.requests % progressEvery === 0) options.onProgress?.(search.outcome)
    }
    return search.outcome
  } finally {
    await search.end()
  }
}

interface Findings {
  readonly worst: Record<Objective, Tried[]>
  readonly faults: Map<string, Fault>
  readonly statuses: Record<string, number>
}

class Search {
  readonly #connection: Connection
  readonly #streams: ReadonlySet<string>

  private constructor (
    readonly options: ClimbOptions,
    readonly target: Target,
    readonly breeder: Breeder,
    streams: readonly string[],
    readonly random: Random,
    readonly found: Findings,
    public requests: number,
    readonly started: number
  ) {
    this.#connection = new Connection(target.port)
    this.#streams = new Set(streams)
  }

  static async begin (options: ClimbOptions, before?: Search): Promise<Search> {
    const target = await Target.start(options)
    try {
      const { models } = await target.facts()
      const operations = operationsOf(await target.description())
      const random = before?.random ?? new Random(options.seed)
      const found = before?.found ?? { worst: { hold: [], grown: [] }, faults: new Map<string, Fault>(), statuses: {} }
      const search = new Search(
        options,
        target,
        new Breeder(operations, models, random),
        operations.filter(isStream).map(({ id }) => id),
        random,
        found,
        before?.requests ?? 0,
        before?.started ?? performance.now()
      )
      await search.#warm()
      return search
    } catch (error) {
      await target.stop()
      throw error
    }
  }

  get isSpent (): boolean {
    const { requests, seconds = Infinity } = this.options
    return this.requests >= requests || (performance.now() - this.started) / 1_000 >= seconds
  }

  get outcome (): Climbed {
    const { worst, faults, statuses } = this.found
    return {
      requests: this.requests,
      seconds: (performance.now() - this.started) / 1_000,
      worst,
      faults: [...faults.values()],
      statuses
    }
  }

  async step (): Promise<void> {
    const objective = this.random.of(objectives)
    const known = this.found.worst[objective]
    const candidate =
      known.length === 0 || this.random.once(4)
        ? this.breeder.fresh()
        : this.breeder.changed(this.random.of(known).candidate)
    const request = wireOf(candidate)
    if (sizeOf(request) > largest || this.#streams.has(candidate.operation.id)) return
    let tried = await this.#try(candidate, request)
    for (
      let time = 1;
      time < repetitions && tried !== undefined && objectives.some(each => this.#isAmongWorst(tried as Tried, each));
      time++
    ) {
      const again = await this.#try(candidate, request)
      tried =
        again === undefined
          ? undefined
          : { ...again, hold: Math.min(tried.hold, again.hold), grown: Math.min(tried.grown, again.grown) }
    }
    if (tried === undefined) return
    for (const each of objectives) if (this.#isAmongWorst(tried, each)) this.#keep(tried, each)
    const limits = this.options.bounds ?? bounds
    if (tried.hold > limits.hold) {
      this.#fault(`hold: others waited ${tried.hold.toFixed(0)} ms for ${candidate.operation.id}`, request)
    }
    if (tried.grown > limits.grown) {
      this.#fault(`memory: ${(tried.grown / 2 ** 20).toFixed(0)} MiB more for ${candidate.operation.id}`, request)
    }
  }

  /** A server in place of one that ended. */
  async anew (): Promise<Search> {
    await this.end()
    return await Search.begin(this.options, this)
  }

  async end (): Promise<void> {
    this.#connection.close()
    await this.target.stop()
  }

  /** Functions are compiled, and statements prepared, before anything is measured. */
  async #warm (): Promise<void> {
    for (let time = 0; time < 200; time++) {
      const request = wireOf(this.breeder.fresh())
      if (!this.#streams.has(request.operation) && sizeOf(request) <= largest) {
        await this.#restored(await this.#connection.send(request))
      }
      if (this.target.ended !== undefined) return
    }
  }

  /** Undefined: it ended the server, or gave no response, which is a fault. */
  async #try (candidate: Candidate, request: WireRequest): Promise<Tried | undefined> {
    this.requests++
    try {
      await this.target.ask('gauge')
      const answer = await this.#connection.send(request)
      const cost = await this.target.ask('cost')
      const { status, milliseconds, failure } = answer
      this.found.statuses[status] = (this.found.statuses[status] ?? 0) + 1
      await this.#restored(answer)
      if (status >= 500 || failure !== undefined) {
        this.#fault(`${failure ?? status}: ${candidate.operation.id}`, request)
        return undefined
      }
      return { candidate, request, status, milliseconds, ...cost }
    } catch (error) {
      if (this.target.ended === undefined) throw error
      this.#fault(`crash: ${this.target.ended} at ${candidate.operation.id}`, request)
      return undefined
    }
  }

  async #restored (answer: Answer): Promise<void> {
    if (answer.headers[requestHeader]?.endsWith('false') !== true) await this.target.ask('restore')
  }

  #isAmongWorst (tried: Tried, by: Objective): boolean {
    const list = this.found.worst[by]
    const rivals = list.filter(({ request }) => request.operation === tried.request.operation)
    if (rivals.length >= ofOneOperation) return tried[by] > (rivals.at(-1) as Tried)[by]
    return list.length < kept || tried[by] > (list.at(-1) as Tried)[by]
  }

  #keep (tried: Tried, by: Objective): void {
    const list = this.found.worst[by]
    const rivals = list.filter(({ request }) => request.operation === tried.request.operation)
    const leaves = rivals.length >= ofOneOperation ? rivals.at(-1) : list.length >= kept ? list.at(-1) : undefined
    this.found.worst[by] = [...list.filter(each => each !== leaves), tried].sort((one, other) => other[by] - one[by])
  }

  /** One of each kind for an operation: the last is the worst, since that is where the search goes. */
  #fault (what: string, request: WireRequest): void {
    this.found.faults.set(`${what.split(':', 1)[0]} ${request.operation}`, { what, request })
  }
}
