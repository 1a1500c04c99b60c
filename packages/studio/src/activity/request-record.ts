/** One request while it goes on and after it: its spans, and what they come to. */
import type { StoreRead, StoreStatement } from '@fastback/core'
import type { RequestMark, RequestSummary, Span } from '@fastback/ui/contracts'
import { rounded } from './seconds.js'

/** Spans that are kept of one request. */
const mostSpans = 300
/** SELECT statements that are kept with their values, so that the store can be asked how it does them. */
const mostReads = 20
/** Characters of values that are kept with a statement. */
const mostValues = 1_000
/** From so many on, one statement is repeated. */
const oftenRepeated = 10

export interface RecordedRead {
  readonly dataSource: string
  readonly text: string
  readonly read: StoreRead
  /** With values, which never leave the process. */
  readonly statement: StoreStatement | undefined
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
export type OpenSpan = Writable<Span>

export class RequestRecord {
  readonly began = performance.now()
  readonly at = Date.now()
  readonly spans: OpenSpan[] = []
  readonly reads = new Map<string, RecordedRead>()
  /** Spans that were not kept. */
  left = 0
  statements = 0
  /** When access was asked for, in milliseconds from the beginning. */
  rulesBegan = 0
  /** Missing indexes, once stores were asked. */
  missing: Array<{ readonly model: string, readonly reason: string, readonly definition?: string }> | undefined
  summary: RequestSummary | undefined

  constructor (readonly id: string) {}

  /** Milliseconds from the beginning. */
  get now (): number {
    return rounded(performance.now() - this.began)
  }

  /** @returns its position; undefined where it is not kept */
  add (span: Omit<Span, 'start' | 'duration'>): number | undefined {
    if (this.spans.length >= mostSpans) {
      this.left++
      return undefined
    }
    return this.spans.push({ ...span, start: this.now, duration: 0 }) - 1
  }

  keepRead (read: RecordedRead): void {
    if (this.reads.size >= mostReads || this.reads.has(read.text)) return
    if (sizeOf(read.statement) <= mostValues) this.reads.set(read.text, read)
  }

  /** What marks the request; a missing index is known once stores were asked. */
  marks (status: number, duration: number, slow: number): RequestMark[] {
    return [
      ...duration >= slow ? ['slow' as const] : [],
      ...this.repeated.length > 0 ? ['repeated' as const] : [],
      ...(this.missing?.length ?? 0) > 0 ? ['missing index' as const] : [],
      ...status >= 500 ? ['error' as const] : []
    ]
  }

  /** Statements that ran often, with the positions of their spans. */
  get repeated (): ReadonlyArray<{ readonly text: string, readonly spans: readonly number[] }> {
    const byText = new Map<string, number[]>()
    for (const [i, { kind, name, text, model, operation }] of this.spans.entries()) {
      if (kind !== 'query') continue
      const key = `${name}: ${text ?? `${operation ?? ''} ${model ?? ''}`}`
      byText.set(key, [...byText.get(key) ?? [], i])
    }
    return [...byText].filter(([, spans]) => spans.length >= oftenRepeated).map(([text, spans]) => ({ text, spans }))
  }
}

/** Infinite for values that are not texts, numbers and the like. */
function sizeOf (statement: StoreStatement | undefined): number {
  let size = 0
  for (const value of statement?.params ?? []) {
    if (value !== null && typeof value === 'object' && !(value instanceof Date)) return Infinity
    size += String(value).length
  }
  return size
}
