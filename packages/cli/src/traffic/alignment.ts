/**
 * What stands on the other server for ids, tokens and dates of the recording. It is learnt from responses, and put into
 * the requests that come after them.
 */
import { placeholderPattern } from './masks.js'
import { isOperator, jsonIn, lastName, namesId, pairsOf, stemOf, unescaped } from './names.js'

type Id = string | number

const isDate = (value: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))

/** Numbers and short texts are ids of one collection only. */
const isShort = (id: Id): boolean => typeof id === 'number' || id.length < 8 || /^\d+$/.test(id)

const looksLikeId = (segment: string): boolean => /^\d+$|^[\da-f]{16,}$|^[\da-f]{8}-[\da-f-]{20,}$/i.test(segment)

export class Alignment {
  /** Long ids, dates and entity tags: what they are, wherever they stand. */
  readonly #texts = new Map<string, string>()
  /** Short ids, by collection. */
  readonly #ids = new Map<string, Map<string, Id>>()
  readonly #secrets = new Map<string, string>()
  readonly #given: ReadonlyMap<string, string>
  readonly #collections = new Set<string>()
  readonly #sentDates = new Set<number>()
  /** Short ids of the request at hand. */
  #replaced = new Map<string, string>()

  /** @param given values of placeholders that no response tells, by number: `{ '1': 'secret' }` */
  constructor (given: Readonly<Record<string, string>> = {}) {
    this.#given = new Map(Object.entries(given))
  }

  /** Looks at a request of the recording, before the first one is sent. */
  foresee (path: string, body: unknown): void {
    const segments = (path.split('?')[0] ?? '').split('/')
    segments.forEach((segment, at) => { if (looksLikeId(segment)) this.#collections.add(stemOf(segments[at - 1] ?? '')) })
    const visit = (value: unknown): void => {
      if (typeof value === 'string') this.#foreseeDates(value)
      else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) visit(each)
    }
    visit(body)
    for (const { value } of pairsOf(path.split('?')[1] ?? '')) this.#foreseeDates(unescaped(value))
  }

  /** Whether clients of the recording sent the date, so that it is no date of the server. */
  wasSent (date: string): boolean {
    return this.#sentDates.has(Date.parse(date))
  }

  /** The path and query of a request, for the other server. */
  path (path: string): string {
    this.#replaced = new Map()
    const [place = '', query] = path.split(/\?(.*)/s)
    const segments = place.split('/')
    const aligned = segments.map((segment, at) => {
      const plain = unescaped(segment)
      const id = this.#id(plain, stemOf(unescaped(segments[at - 1] ?? ''))) ?? this.fill(plain)
      if (id === plain) return segment
      this.#replaced.set(plain, String(id))
      return encodeURIComponent(String(id))
    }).join('/')
    return query === undefined ? aligned : `${aligned}?${this.#pairs(query, this.collectionOf(path))}`
  }

  /** A body or a header of a request, for the other server. */
  outgoing (value: unknown, collection: string, key = ''): unknown {
    if (typeof value === 'string') {
      const filled = this.fill(value)
      return filled !== value ? filled : this.#known(value, key, collection) ?? this.words(value)
    }
    if (typeof value === 'number') return this.#known(value, key, collection) ?? value
    if (Array.isArray(value)) return value.map(each => this.outgoing(each, collection, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]: [string, unknown]) =>
      [name, this.outgoing(each, this.within(key, collection), isOperator(name) ? key : name)]))
  }

  /** Placeholders replaced by what stands for them here. */
  fill (text: string): string {
    return text.replace(placeholderPattern, (placeholder, number: string, length: string) => {
      const secret = this.#secrets.get(placeholder) ?? this.#given.get(number) ?? madeUp(number, Number(length))
      this.#secrets.set(placeholder, secret)
      return secret
    })
  }

  /** A form, or what comes after the question mark. */
  form (text: string, collection: string): string {
    return this.#pairs(text, collection)
  }

  /** What an id of a response should be; undefined when nothing is known of it. */
  expected (id: Id, key: string, collection: string): Id | undefined {
    return this.#known(id, key, collection)
  }

  /** From now on a value of the recording is this one. */
  learn (recorded: Id, live: Id, key: string, collection: string): void {
    if (!isShort(recorded)) {
      this.#texts.set(String(recorded), String(live))
      return
    }
    const scope = this.#scope(key, collection)
    const ids = this.#ids.get(scope) ?? new Map<string, Id>()
    ids.set(String(recorded), live)
    this.#ids.set(scope, ids)
  }

  /** The same of a text that is no id: a date, an entity tag. */
  learnText (recorded: string, live: string): void {
    this.#texts.set(recorded, live)
  }

  /** Long ids, and the short ones of this request, within a text. */
  words (text: string): string {
    if (this.#texts.size === 0 && this.#replaced.size === 0) return text
    const whole = this.#texts.get(text)
    if (whole !== undefined) return whole
    return text.replace(/[\w.:-]+/g, word => this.#texts.get(word) ?? this.#replaced.get(word) ?? word)
  }

  /**
   * Whether a text of the recording with placeholders stands for one of a response. What is not known of them is
   * is learnt from it.
   */
  secretsAgree (recorded: string, live: string): boolean {
    const placeholders = [...recorded.matchAll(placeholderPattern)].map(([each]) => each)
    const pattern = recorded.split(/\{\{secret:\d+\/\d+\}\}/)
      .map(part => this.words(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^]+?)')
    const found = new RegExp(`^${pattern}$`).exec(live)
    if (found === null) return false
    return placeholders.every((placeholder, at) => {
      const value = found[at + 1] as string
      const known = this.#secrets.get(placeholder)
      if (known === undefined) this.#secrets.set(placeholder, value)
      return known === undefined || known === value || unescaped(value) === known
    })
  }

  /** Whose ids the responses of a path have: `order` of `/api/Customers/1/orders` and `/api/Orders/replaceOrCreate`. */
  collectionOf (path: string): string {
    const segments = (path.split('?')[0] ?? '').split('/')
    const names = segments.filter(segment => segment !== '' && !looksLikeId(segment)).map(stemOf)
    return names.findLast(name => this.#collections.has(name)) ?? names.at(-1) ?? ''
  }

  /** The collection of the ids below a key: that of `orders` in a response of customers. */
  within (key: string, collection: string): string {
    const stem = stemOf(key)
    return key !== '' && this.#ids.has(stem) ? stem : collection
  }

  #scope (key: string, collection: string): string {
    return /^_?ids?$/.test(key) || key === '' ? collection : stemOf(key)
  }

  #known (value: Id, key: string, collection: string): Id | undefined {
    if (!isShort(value)) return this.#texts.get(String(value))
    return namesId(key) ? this.#id(value, this.#scope(key, collection)) : undefined
  }

  /** A short id of a collection; of an unknown one where all that know the id agree. */
  #id (id: Id, collection: string): Id | undefined {
    if (!isShort(id)) return this.#texts.get(String(id))
    const own = this.#ids.get(collection)
    if (own !== undefined) return own.get(String(id))
    if (typeof id === 'string' && !/^\d+$/.test(id)) return undefined
    const all = new Set([...this.#ids.values()].flatMap(ids => ids.get(String(id)) ?? []))
    return all.size === 1 ? [...all][0] : undefined
  }

  #pairs (text: string, collection: string): string {
    return pairsOf(text).map(({ raw, name, value }) => {
      const plain = unescaped(value)
      const json = jsonIn(plain)
      const key = lastName(unescaped(name))
      const number = /^\d{1,15}$/.test(plain) ? Number(plain) : undefined
      const aligned = json === undefined
        ? String(number === undefined ? this.outgoing(plain, collection, key) : this.outgoing(number, collection, key))
        : JSON.stringify(this.outgoing(json, collection))
      const before = json === undefined ? number === undefined ? plain : String(number) : JSON.stringify(json)
      return aligned === before ? raw : `${name}=${encodeURIComponent(aligned)}`
    }).join('&')
  }

  #foreseeDates (text: string): void {
    for (const [date] of text.matchAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g)) {
      const time = Date.parse(date)
      if (!Number.isNaN(time)) this.#sentDates.add(time)
    }
  }
}

/** A secret that passes for a password, and is another one for each number. */
function madeUp (number: string, length: number): string {
  const text = `${number}-Fb1!`
  return length >= text.length ? text.padEnd(length, 'x') : number.padStart(length, '0').slice(-Math.max(length, 1))
}

export { isDate }
