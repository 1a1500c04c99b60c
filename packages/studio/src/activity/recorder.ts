/** Keeps what an application does: its last requests with their spans, and its last seconds. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { MaybePromise, ModelRegistry, StoreRead } from '@fastback/core'
import { watchDecisions } from '@fastback/acl/review'
import { instrument, instrumentReads, type Instrument, type StepValues } from '@fastback/core/remote'
import type { Span } from '@fastback/ui/contracts'
import { connectorOf } from '../models/definitions.js'
import { changedProperties, fingerprintOf } from './changed-properties.js'
import { RequestRecord, type OpenSpan } from './request-record.js'
import { rounded, Seconds } from './seconds.js'
import { StatementTexts } from './statement-text.js'

/** What a piece of work is within. */
interface Inside {
  readonly record: RequestRecord
  /** Position of the span. */
  readonly parent: number | undefined
  readonly read: StoreRead | undefined
}

export interface RecorderOptions {
  /** How many requests are kept. */
  readonly capacity: number
  /** From how many milliseconds on one is slow. */
  readonly slow: number
}

export class Recorder {
  readonly seconds = new Seconds()
  readonly #inside = new AsyncLocalStorage<Inside>()
  readonly #requests: RequestRecord[] = []
  /** Ids of another run of the server are other ones. */
  readonly #run = Date.now().toString(36)
  #count = 0
  /** By data source. */
  readonly #texts = new Map<string, StatementTexts>()
  #stops: Array<() => void> = []
  recording = true
  inFlight = 0

  constructor (readonly registry: ModelRegistry, readonly options: RecorderOptions) {}

  /** Listens to the application: before its routes are made, and again when all data sources are there. */
  listen (): void {
    this.silence()
    this.#stops = [
      instrument(this.registry, this.#around),
      instrumentReads(this.registry, (_dataSource, read, work) => this.#reading(read, work)),
      watchDecisions(this.registry, ({ permission, rule, byCheck }, method) => {
        const inside = this.#inside.getStore()
        if (inside === undefined) return
        const { record } = inside
        const allowed = permission !== 'DENY'
        const written = rule?.written ?? (byCheck === true ? 'checkAccess' : 'default')
        const name = `${method.modelName}.${method.fullName}`
        const at = record.add({ kind: 'rule', name, model: method.modelName, decision: { allowed, rule: written } })
        const span = at === undefined ? undefined : record.spans[at]
        if (span === undefined) return
        span.start = record.rulesBegan
        span.duration = rounded(record.now - record.rulesBegan)
      })
    ]
  }

  silence (): void {
    for (const stop of this.#stops.splice(0)) stop()
  }

  /** The oldest first. */
  get requests (): readonly RequestRecord[] {
    return this.#requests
  }

  isOfThisRun (id: string): boolean {
    return id.startsWith(`${this.#run}.`)
  }

  begin (): RequestRecord {
    return new RequestRecord(`${this.#run}.${++this.#count}`)
  }

  run (record: RequestRecord, work: () => void): void {
    this.#inside.run({ record, parent: undefined, read: undefined }, work)
  }

  keep (record: RequestRecord): void {
    this.#requests.push(record)
    if (this.#requests.length > this.options.capacity) this.#requests.shift()
  }

  #reading<T> (read: StoreRead, work: () => MaybePromise<T>): MaybePromise<T> {
    const inside = this.#inside.getStore()
    return inside === undefined ? work() : this.#inside.run({ ...inside, read }, work)
  }

  readonly #around: Instrument = (step, work, values) => {
    const inside = this.#inside.getStore()
    if (inside === undefined) return work()
    const { record, parent } = inside
    const { kind, name, model, operation, text } = step
    const isQuery = kind === 'query'
    if (isQuery) record.statements++
    const named = model ?? (isQuery ? inside.read?.model.name : undefined)
    const at = record.add({
      kind,
      name,
      ...named === undefined ? {} : { model: named },
      ...parent === undefined ? {} : { parent },
      ...operation === undefined ? {} : { operation },
      ...text === undefined ? {} : { text: this.#textsOf(name).of(text) }
    })
    const span = at === undefined ? undefined : record.spans[at]
    if (span === undefined) return work()
    if (isQuery) {
      this.#keepRead(inside, span, values)
      return finished(work, record, span)
    }
    const within = { record, parent: at, read: undefined }
    return finished(() => this.#inside.run(within, work), record, span, values?.changing)
  }

  #keepRead (
    { record, read }: Inside, { name, text, model, operation }: Span, values: StepValues | undefined
  ): void {
    if (read === undefined) return
    if (text !== undefined && operation !== 'SELECT') return
    record.keepRead({
      dataSource: name, text: text ?? `${operation ?? ''} ${model ?? ''}`, read, statement: values?.statement
    })
  }

  #textsOf (dataSource: string): StatementTexts {
    let texts = this.#texts.get(dataSource)
    if (texts === undefined) {
      const found = this.registry.dataSources[dataSource]
      this.#texts.set(dataSource, texts = new StatementTexts((found && connectorOf(found)) ?? ''))
    }
    return texts
  }
}

/** Does the work, and completes its span. */
function finished<T> (
  work: () => T, record: RequestRecord, span: OpenSpan, changing?: StepValues['changing']
): T {
  const before = changing === undefined ? undefined : fingerprintOf(changing())
  const end = (failed: boolean, result?: unknown): void => {
    span.duration = rounded(record.now - span.start)
    if (failed) span.failed = true
    if (before !== undefined) span.changed = changedProperties(before, fingerprintOf(changing?.()))
    const rows = span.kind === 'query' ? rowsIn(result) : undefined
    if (rows !== undefined) span.rows = rows
  }
  try {
    const result = work()
    if (result instanceof Promise) result.then(value => { end(false, value) }, () => { end(true) })
    else end(false, result)
    return result
  } catch (error) {
    end(true)
    throw error
  }
}

const rowsIn = (result: unknown): number | undefined => {
  if (Array.isArray(result)) return result.length
  const { rows } = (result ?? {}) as { readonly rows?: unknown }
  return Array.isArray(rows) ? rows.length : undefined
}
