/**
 * Secrets leave a recording before it is written: the same secret always becomes the same placeholder, so that a replay
 * can put its own in their places.
 */
import type { Headers, Message, RecordedBody } from './exchange.js'
import { jsonIn, lastName, namesSecret, pairsOf, unescaped } from './names.js'

/** `{{secret:NUMBER/LENGTH}}`: the length is what limits on passwords look at, and is coarse. */
export const placeholderPattern = /\{\{secret:(\d+)\/(\d+)\}\}/g

/** Shorter ones are words: they are masked where a name tells them, and nowhere else. */
const shortestTold = 12

export class Masks {
  readonly #placeholders = new Map<string, string>()
  readonly #further: ReadonlySet<string>

  /** @param names of headers, parameters and keys that hold secrets, beside those that are known */
  constructor (names: readonly string[] = []) {
    this.#further = new Set(names.map(name => name.toLowerCase()))
  }

  message<M extends Message> (message: M): M {
    const masked = { ...message, headers: this.headers(message.headers) }
    return message.body === undefined ? masked : { ...masked, body: this.#body(message.body) }
  }

  headers (headers: Headers): Headers {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) =>
      [name, typeof value === 'string' ? this.#header(name, value) : value.map(each => this.#header(name, each))]
    ))
  }

  /** A path with its query. */
  path (path: string): string {
    const [place = '', ...rest] = path.split('?')
    const segments = place.split('/').map(segment => this.#told(unescaped(segment)) ?? segment).join('/')
    return rest.length === 0 ? segments : `${segments}?${this.#pairs(rest.join('?'))}`
  }

  /** A value of JSON. */
  value (value: unknown, key = ''): unknown {
    if (typeof value === 'string') return this.#secret(key) ? this.#mask(value) : this.#text(value)
    if (typeof value === 'number' && this.#secret(key)) return this.#mask(String(value))
    if (Array.isArray(value)) return value.map(each => this.value(each, key))
    if (typeof value !== 'object' || value === null) return value
    const isToken = 'ttl' in value && ('userId' in value || 'principalId' in value)
    return Object.fromEntries(Object.entries(value).map(([name, each]: [string, unknown]) =>
      [name, isToken && name === 'id' && typeof each === 'string' ? this.#mask(each) : this.value(each, this.#secret(key) ? key : name)]
    ))
  }

  #secret (name: string): boolean {
    return namesSecret(name, this.#further)
  }

  #mask (secret: string): string {
    if (secret === '') return ''
    const length = secret.length <= 12 ? secret.length : secret.length <= 72 ? 16 : 80
    const placeholder = this.#placeholders.get(secret) ?? `{{secret:${this.#placeholders.size + 1}/${length}}}`
    this.#placeholders.set(secret, placeholder)
    return placeholder
  }

  /** The placeholder of a secret that was met before. */
  #told (text: string): string | undefined {
    return text.length < shortestTold ? undefined : this.#placeholders.get(text)
  }

  /** Texts name secrets that were met before, and may be JSON or a form that cannot be read. */
  #text (text: string): string {
    return text
      .replace(/("([\w-]{1,64})"\s*:\s*")((?:[^"\\]|\\.)+)"/g, (all, start: string, name: string, secret: string) =>
        this.#secret(name) ? `${start}${this.#mask(secret)}"` : all)
      .replace(/([?&]([\w-]{1,64})=)([^&\s"'<>]+)/g, (all, start: string, name: string, secret: string) =>
        this.#secret(name) ? start + this.#mask(unescaped(secret)) : all)
      .replace(/[\w.~+/=%-]{12,}/g, word => this.#told(word) ?? this.#told(unescaped(word)) ??
        word.replace(/[^/=]+/g, part => this.#told(part) ?? part))
  }

  #header (name: string, value: string): string {
    switch (name.toLowerCase()) {
      case 'authorization': case 'proxy-authorization': return this.#credentials(value)
      case 'cookie': return value.split(/;\s*/).map(each => this.#cookie(each)).join('; ')
      case 'set-cookie': {
        const [cookie = '', ...attributes] = value.split(';')
        return [this.#cookie(cookie), ...attributes].join(';')
      }
      case 'location': case 'referer': case 'content-location': return this.path(value)
      default: return this.#secret(name) ? this.#mask(value) : this.#text(value)
    }
  }

  #credentials (value: string): string {
    const [, scheme, rest] = /^([A-Za-z][\w-]*) +([^ ][^]*)$/.exec(value) ?? []
    if (scheme === undefined || rest === undefined) return this.#mask(value)
    if (scheme.toLowerCase() !== 'basic') return `${scheme} ${this.#mask(rest)}`
    // Basic stands in the recording before its encoding, so that the secret in it is the one of other places.
    const [user = '', ...secret] = Buffer.from(rest, 'base64').toString('utf8').split(':')
    return `${scheme} ${user}:${this.#mask(secret.join(':'))}`
  }

  #cookie (cookie: string): string {
    const at = cookie.indexOf('=')
    return at === -1 ? cookie : cookie.slice(0, at + 1) + this.#mask(cookie.slice(at + 1))
  }

  #pairs (text: string): string {
    return pairsOf(text).map(({ raw, name, value }) => {
      const [key, plain] = [lastName(unescaped(name)), unescaped(value)]
      const json = this.#secret(key) ? undefined : jsonIn(plain)
      const masked = json === undefined ? this.value(plain, key) : JSON.stringify(this.value(json))
      const before = json === undefined ? plain : JSON.stringify(json)
      return masked === before ? raw : `${name}=${escapedAround(String(masked))}`
    }).join('&')
  }

  #body (body: RecordedBody): RecordedBody {
    if ('json' in body) return { json: this.value(body.json) }
    if ('text' in body) return { text: /^[\w[\].%-]+=/.test(body.text) && !/\s/.test(body.text) ? this.#pairs(body.text) : this.#text(body.text) }
    return 'latin1' in body ? { latin1: this.#fields(body.latin1) } : body
  }

  /** The fields of a form with files that hold secrets. */
  #fields (form: string): string {
    return form.replace(/(name="([^"\r\n]{1,200})"\r\n\r\n)([^\r\n]*)(?=\r\n--)/g, (all, start: string, name: string, value: string) =>
      this.#secret(lastName(name)) ? start + this.#mask(Buffer.from(value, 'latin1').toString('utf8')) : all)
  }
}

/** Escaped for a query, its placeholders excepted. */
const escapedAround = (text: string): string =>
  text.split(/(\{\{secret:\d+\/\d+\}\})/).map((part, at) => at % 2 === 1 ? part : encodeURIComponent(part)).join('')
