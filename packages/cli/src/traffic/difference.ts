/** What of a response is not as it was recorded. */
import { isDate, type Alignment } from './alignment.js'
import type { Exchange, Headers, RecordedBody } from './exchange.js'
import { namesId } from './names.js'

export interface Difference {
  /** `status`, `header:NAME`, `body:$.a[0].b`, or `answer` when there was none. */
  readonly place: string
  /** Undefined where there was nothing. */
  readonly recorded: unknown
  readonly live: unknown
}

export interface ReplayedResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: RecordedBody | undefined
}

export interface DifferenceOptions {
  readonly alignment: Alignment
  readonly ignored: (place: string) => boolean
  /** Dates that the server made are compared by their shape, unless they must be the same. */
  readonly exactDates: boolean
  /** The host in the recording and that of the other server: each names itself. */
  readonly hosts: readonly [recorded: string, live: string]
}

/** Compares a response with the recorded one, and learns the ids, tokens and dates that it tells. */
export function differences (exchange: Exchange, live: ReplayedResponse, options: DifferenceOptions): Difference[] {
  const comparison = new Comparison(exchange, options)
  comparison.status(exchange.response.status, live.status)
  comparison.headers(exchange.response.headers, live.headers)
  comparison.body(exchange.response.body, live.body)
  return comparison.found
}

class Comparison {
  readonly found: Difference[] = []
  readonly #options: DifferenceOptions
  readonly #collection: string
  /** Whether new ids may appear. */
  readonly #creates: boolean
  readonly #sentIds: ReadonlySet<string>
  /** What the client sent, as one text. */
  readonly #sent: string

  constructor (exchange: Exchange, options: DifferenceOptions) {
    this.#options = options
    this.#collection = options.alignment.collectionOf(exchange.path)
    this.#creates = !['GET', 'HEAD', 'OPTIONS'].includes(exchange.method)
    const { body } = exchange.request
    this.#sent = exchange.path + JSON.stringify(body)
    this.#sentIds = new Set([...exchange.path.split(/[/?&=]/), ...(body !== undefined && 'json' in body ? idsIn(body.json) : [])])
  }

  status (recorded: number, live: number): void {
    if (recorded !== live) this.#differ('status', recorded, live)
  }

  headers (recorded: Headers, live: Headers): void {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(live)])) {
      const [was, is] = [recorded[name], live[name]].map(value => value === undefined ? undefined : [value].flat())
      if (was === undefined || is === undefined || was.length !== is.length) this.#differ(`header:${name}`, recorded[name], live[name])
      else if (!was.every((each, at) => this.#headersAgree(name, each, is[at] as string))) this.#differ(`header:${name}`, recorded[name], live[name])
    }
  }

  body (recorded: RecordedBody | undefined, live: RecordedBody | undefined): void {
    if (recorded === undefined || live === undefined) {
      if (recorded !== live) this.#differ('body:$', contentOf(recorded), contentOf(live))
    } else if ('json' in recorded && 'json' in live) this.#value(recorded.json, live.json, 'body:$', '', this.#collection)
    else if ('text' in recorded && 'text' in live) this.#text(recorded.text, live.text)
    else if (JSON.stringify(recorded) !== JSON.stringify(live)) this.#differ('body:$', contentOf(recorded), contentOf(live))
  }

  #differ (place: string, recorded: unknown, live: unknown): void {
    if (!this.#options.ignored(place)) this.found.push({ place, recorded, live })
  }

  #headersAgree (name: string, recorded: string, live: string): boolean {
    if (recorded === live) return true
    const { alignment } = this.#options
    switch (name) {
      case 'etag':
        // It is made of the content, with its ids and dates.
        alignment.learnText(recorded, live)
        return recorded.startsWith('W/') === live.startsWith('W/')
      case 'last-modified': case 'expires': return Number.isNaN(Date.parse(recorded)) === Number.isNaN(Date.parse(live))
      case 'set-cookie': {
        const withoutDate = (cookie: string): string => cookie.replace(/(expires=)[^;]+/i, '$1')
        return this.#stringsAgree(withoutDate(recorded), withoutDate(live))
      }
      default: return this.#stringsAgree(recorded, live)
    }
  }

  #value (recorded: unknown, live: unknown, place: string, key: string, collection: string): void {
    if (this.#options.ignored(place)) return
    if (Array.isArray(recorded) && Array.isArray(live)) {
      if (recorded.length !== live.length) this.#differ(`${place}.length`, recorded.length, live.length)
      for (let at = 0; at < Math.min(recorded.length, live.length); at++) this.#value(recorded[at], live[at], `${place}[${at}]`, key, collection)
    } else if (isObject(recorded) && isObject(live)) {
      const below = this.#options.alignment.within(key, collection)
      for (const name of new Set([...Object.keys(recorded), ...Object.keys(live)])) {
        const at = `${place}.${name}`
        if (!Object.hasOwn(recorded, name) || !Object.hasOwn(live, name)) this.#differ(at, recorded[name], live[name])
        else this.#value(recorded[name], live[name], at, name, below)
      }
    } else if (!this.#scalarsAgree(recorded, live, key, collection)) this.#differ(place, recorded, live)
  }

  #scalarsAgree (recorded: unknown, live: unknown, key: string, collection: string): boolean {
    const { alignment } = this.#options
    if ((typeof recorded === 'string' || typeof recorded === 'number') && typeof live === typeof recorded && namesId(key)) {
      if (typeof recorded === 'string' && recorded.includes('{{secret:')) return alignment.secretsAgree(recorded, String(live))
      const id = live as string | number
      if ((alignment.expected(recorded, key, collection) ?? recorded) === id) return true
      if (!this.#creates || this.#sentIds.has(String(recorded))) return false
      alignment.learn(recorded, id, key, collection)
      return true
    }
    if (typeof recorded === 'string' && typeof live === 'string') {
      return this.#stringsAgree(recorded, live) || this.#isMadeAnew(recorded, live)
    }
    return recorded === live
  }

  /** A UUID that a server makes is another one each time, under whatever name. */
  #isMadeAnew (recorded: string, live: string): boolean {
    const { alignment } = this.#options
    const isNew = this.#creates && isUuid(recorded) && isUuid(live) && !this.#sent.includes(recorded)
    if (!isNew || alignment.words(recorded) !== recorded) return false
    alignment.learnText(recorded, live)
    return true
  }

  #stringsAgree (recorded: string, live: string): boolean {
    if (recorded === live) return true
    const { alignment, exactDates, hosts } = this.#options
    if (recorded.includes('{{secret:')) return alignment.secretsAgree(recorded, live)
    if (isDate(recorded) && isDate(live) && !exactDates && !alignment.wasSent(recorded)) {
      alignment.learnText(recorded, live)
      return shapeOf(recorded) === shapeOf(live)
    }
    return alignment.words(recorded.replaceAll(...hosts)) === live
  }

  #text (recorded: string, live: string): void {
    if (this.#stringsAgree(recorded, live)) return
    const [was, is] = [recorded, live].map(text => text.split('\n')) as [string[], string[]]
    const shaped = (line: string | undefined): string => line?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, shapeOf) ?? ''
    const { exactDates } = this.#options
    const at = was.findIndex((line, at) => !this.#stringsAgree(line, is[at] ?? '') && (exactDates || !this.#stringsAgree(shaped(line), shaped(is[at]))))
    if (at !== -1 || was.length !== is.length) {
      this.#differ(`body:line ${(at === -1 ? Math.min(was.length, is.length) : at) + 1}`, was[at], is[at])
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

const shapeOf = (date: string): string => date.replace(/\d/g, '0')

const contentOf = (body: RecordedBody | undefined): unknown =>
  body === undefined ? undefined : 'json' in body ? body.json : 'text' in body ? body.text : body

/** The ids that a body names. */
function idsIn (value: unknown, key = ''): string[] {
  if (typeof value !== 'object' || value === null) return namesId(key) ? [String(value)] : []
  return Object.entries(value).flatMap(([name, each]) => idsIn(each, Array.isArray(value) ? key : name))
}
