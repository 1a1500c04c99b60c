/** The keys of sealed properties: from settings, from the environment, or from a function (a key service). */
import { createHmac } from 'node:crypto'
import { SealingKeysError } from '../errors.js'
import { sealingKeyUnavailable } from './sealing-errors.js'
import { eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { isKeyId, subkey } from './sealed-text.js'

/** A key of 32 bytes in Base64, or the name of the environment variable that has it. */
export type KeyText = string | { readonly env: string }

/** The setting `sealing` of the application, or of a data source. */
export interface SealingSettings {
  /** Keys by name. All of them open, and the `current` one seals. */
  readonly keys?: Readonly<Record<string, KeyText>>
  /** The name of the key that seals. Default: the only one. */
  readonly current?: string
  /** Gives the 32 bytes of a key, in code only; undefined for one that there is not. It is asked once for each key. */
  readonly keyFor?: (id: string) => Buffer | undefined | Promise<Buffer | undefined>
  /** What `searchable` values are hashed with: the first for new rows, all of them in conditions. */
  readonly searchKey?: KeyText | readonly KeyText[]
  /** Whether values that are stored in plain text are read as they are, until `fastback rekey` has sealed them. */
  readonly acceptPlain?: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const keyBytes = 32
const known: readonly string[] = ['keys', 'current', 'keyFor', 'searchKey', 'acceptPlain']

/** The environment variable with keys, where the settings name none: `name:key` with commas, the current one first. */
const variable = 'FASTBACK_SEALING_KEYS'
const searchVariable = 'FASTBACK_SEALING_SEARCH_KEY'

/** Keys by name, and what was derived of them. */
export class KeyRing {
  readonly current: string
  readonly acceptPlain: boolean
  readonly #masters = new Map<string, Buffer>()
  readonly #derived = new Map<string, Buffer>()
  readonly #coming = new Map<string, Promise<Buffer | undefined>>()
  readonly #keyFor: SealingSettings['keyFor']
  readonly #searchMasters: readonly Buffer[]

  /** @throws FBK_CORE_SEALING_KEYS for settings that name no key, and for keys that are none */
  constructor (settings: SealingSettings, environment: Environment) {
    const refuse = (why: string): never => { throw new SealingKeysError(why) }
    const stray = Object.keys(settings).find(key => !known.includes(key))
    if (stray !== undefined) refuse(`there is no "${stray}"; it has ${known.join(', ')}`)
    const fromEnvironment = settings.keys === undefined && settings.keyFor === undefined
    const keys = Object.entries(fromEnvironment ? keysIn(environment[variable], refuse) : settings.keys ?? {})
    for (const [id, text] of keys) {
      if (!isKeyId(id)) refuse(`"${id}" is no name of a key: letters, digits, "-" and "_", 64 at most`)
      this.#masters.set(id, readKey(text, `keys.${id}`, environment, refuse))
    }
    const [first, second] = keys
    this.current = settings.current ?? (second === undefined || fromEnvironment ? first?.[0] : undefined) ??
      refuse(first === undefined && settings.keyFor === undefined
        ? `there are no keys: set "sealing": { "keys": { "2026-10": { "env": "…" } } }, or the environment variable ${variable} (2026-10:<32 bytes in Base64>)`
        : '"current" must name the key that seals')
    this.#keyFor = settings.keyFor
    if (settings.keyFor !== undefined && typeof settings.keyFor !== 'function') refuse('"keyFor" must be a function')
    if (!isKeyId(this.current)) refuse('"current" must name the key that seals')
    if (settings.keyFor === undefined && !this.#masters.has(this.current)) {
      refuse(`"current" is "${this.current}", which is not among the keys`)
    }
    const search = settings.searchKey ?? environment[searchVariable]
    this.#searchMasters = (search === undefined ? [] : [search].flat() as KeyText[])
      .map(text => readKey(text, 'searchKey', environment, refuse))
    this.acceptPlain = settings.acceptPlain === true
  }

  /** Whether there is a key for the hashes of searchable values. */
  get canSearch (): boolean {
    return this.#searchMasters.length > 0
  }

  /** Fetches keys that are not there yet; those that there are not stay away. */
  load (ids: Iterable<string>): MaybePromise<void> {
    const missing = [...new Set(ids)].filter(id => !this.#masters.has(id))
    if (this.#keyFor === undefined || missing.length === 0) return undefined
    return eachInSequence(missing, id => this.#fetch(id))
  }

  /** The key of this name for a purpose; undefined where it is not there, or not loaded. */
  key (id: string, purpose: string): Buffer | undefined {
    return this.#of(this.#masters.get(id), `${id} ${purpose}`, purpose)
  }

  /** What a text is found by, with each of the search keys: the first is that of new rows. */
  hashes (purpose: string, text: string): readonly string[] {
    // The empty text is told by its length as well, and unique indexes may leave it out.
    if (text === '') return ['']
    return this.#searchMasters.map((master, i) => createHmac(
      'sha256', this.#of(master, `search ${i} ${purpose}`, purpose) as Buffer
    ).update(text, 'utf8').digest('hex'))
  }

  #of (master: Buffer | undefined, name: string, purpose: string): Buffer | undefined {
    if (master === undefined) return undefined
    const known = this.#derived.get(name) ?? subkey(master, purpose)
    this.#derived.set(name, known)
    return known
  }

  #fetch (id: string): MaybePromise<void> {
    const waiting = this.#coming.get(id)
    const failed = (error: unknown): never => { throw sealingKeyUnavailable(error) }
    const keep = (key: Buffer | undefined): void => {
      if (key === undefined) return
      if (!Buffer.isBuffer(key) || key.length !== keyBytes) failed(new Error(`"keyFor" gave no ${keyBytes} bytes`))
      this.#masters.set(id, key)
    }
    if (waiting !== undefined) return waiting.then(keep, failed)
    try {
      const given = this.#keyFor?.(id)
      if (given === undefined || Buffer.isBuffer(given)) return keep(given)
      const coming = Promise.resolve(given).finally(() => { this.#coming.delete(id) })
      this.#coming.set(id, coming)
      return coming.then(keep, failed)
    } catch (error) { return failed(error) }
  }
}

function keysIn (text: string | undefined, refuse: (why: string) => never): Record<string, string> {
  const parts = (text ?? '').split(',').map(part => part.trim()).filter(part => part !== '')
  return Object.fromEntries(parts.map(part => {
    const at = part.indexOf(':')
    return at < 1 ? refuse(`${variable} must be "name:key", with commas in between`) : [part.slice(0, at), part.slice(at + 1)]
  }))
}

/** The value of a key is never told. */
function readKey (
  text: KeyText, name: string, environment: Environment, refuse: (why: string) => never
): Buffer {
  const from = text !== null && typeof text === 'object' ? text.env : undefined
  const value = from === undefined ? text : environment[from]
  if (from !== undefined && (value === undefined || value === '')) {
    return refuse(`"${name}": the environment variable ${from} is not set`)
  }
  const key = typeof value === 'string' && /^[\w+/-]+=*$/.test(value) ? Buffer.from(value, 'base64') : undefined
  if (key?.length !== keyBytes) {
    return refuse(`"${name}" must be ${keyBytes} bytes in Base64: node -p "crypto.randomBytes(32).toString('base64')"`)
  }
  return key
}
