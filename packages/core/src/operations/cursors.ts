/**
 * The cursors of an application: the values of one row, signed, so that nobody makes them up, encrypted, as rows may be
 * put in order by what their reader may not read, and good for the list that they come from alone.
 */
import {
  createCipheriv, createHash, createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual, type KeyObject
} from 'node:crypto'
import { InvalidSettingError } from '../errors.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import { invalidCursor } from '../query/parse-cursor.js'
import { warnOnce } from '../warn-once.js'

/** Characters of a cursor: it stands in addresses and headers. */
const longest = 2048
/** Of the signature: nobody guesses one of 16 bytes. */
const signatureBytes = 16
const leastSecret = 32
/** Of what is sealed: another form is another version. */
const version = 3
const form = /^[\w-]+$/

const kCursors = Symbol('fastback.cursors')

/**
 * What a list's cursors hold for, as one text: the same text for the same list.
 *
 * ```js
 * listText(['Note', { stars: 5, at: new Date(0) }]) // '["Note",{"at":{"Date":"0"},"stars":5}]'
 * ```
 */
export const listText = (value: unknown): string => JSON.stringify(plain(value)) ?? 'null'

/** JSON with the names of objects in order, in which no two values of different types are alike. */
function plain (value: unknown): unknown {
  if (typeof value === 'bigint') return { BigInt: String(value) }
  if (value === null || typeof value !== 'object') return value ?? null
  if (value instanceof Date) return { Date: String(value.getTime()) }
  if (value instanceof RegExp) return { RegExp: String(value) }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(plain)
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return plain(toJSON.call(value))
  const given = value as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(given).sort().flatMap(name => given[name] === undefined ? [] : [[name, plain(given[name])]])
  )
}

/**
 * Signs cursors, by HMAC-SHA-256 (RFC 2104), and encrypts them, by AES-256 in counter mode from the signature on (as
 * SIV does, RFC 5297): the same row has the same cursor.
 *
 * ```js
 * const cursors = new Cursors(secret)
 * cursors.open(cursors.seal([5, 7], 'Note'), 'Note') // [5, 7]
 * ```
 */
export class Cursors {
  readonly #key: KeyObject
  readonly #valueKey: KeyObject
  /** The list that was last asked about: a page opens one cursor of it and seals two. */
  #list = { text: '', digest: digestOf('') }

  /** @param secret undefined: a random one, which nobody else has */
  constructor (readonly secret: string | undefined) {
    const keyFor = (use: string): KeyObject => createSecretKey(secret === undefined
      ? randomBytes(32)
      : Buffer.from(hkdfSync('sha256', secret, 'fastback', use, 32)))
    this.#key = keyFor('fastback cursors')
    this.#valueKey = keyFor('fastback values of cursors')
  }

  /**
   * @param values JSON
   * @param list what the cursor holds for
   * @throws RequestError 400 INVALID_CURSOR for values that are too long
   */
  seal (values: unknown, list: string): string {
    const payload = Buffer.from(JSON.stringify([version, values]))
    const signature = this.#signature(payload, list)
    const cursor = Buffer.concat([signature, this.#crypted(payload, signature)]).toString('base64url')
    if (cursor.length > longest) {
      throw invalidCursor(
        'The list is ordered by texts that are too long for a cursor', 'Order by a shorter property, or use "skip"'
      )
    }
    return cursor
  }

  /** @throws RequestError 400 INVALID_CURSOR for what was not sealed for this list */
  open (cursor: string, list: string): unknown {
    const bytes = cursor.length > longest || !form.test(cursor) ? undefined : Buffer.from(cursor, 'base64url')
    const signature = bytes?.subarray(0, signatureBytes)
    const payload = bytes === undefined || signature === undefined || bytes.length <= signatureBytes
      ? undefined
      : this.#crypted(bytes.subarray(signatureBytes), signature)
    if (
      bytes === undefined || signature === undefined || payload === undefined ||
      // One text for one cursor: characters may carry bits that no byte takes.
      bytes.toString('base64url') !== cursor ||
      !timingSafeEqual(signature, this.#signature(payload, list))
    ) {
      throw invalidCursor('The cursor is none of this list, of its order and of who asks, or was changed')
    }
    const [sealed, values] = JSON.parse(payload.toString()) as [number, unknown]
    if (sealed !== version) throw invalidCursor('The cursor is of another version of the application')
    return values
  }

  /** Encrypts and decrypts: the counter begins where the signature says, which no two payloads have in common. */
  #crypted (bytes: Buffer, signature: Buffer): Buffer {
    return createCipheriv('aes-256-ctr', this.#valueKey, signature).update(bytes)
  }

  #signature (payload: Buffer, list: string): Buffer {
    if (this.#list.text !== list) this.#list = { text: list, digest: digestOf(list) }
    const signed = Buffer.concat([this.#list.digest, payload])
    return createHmac('sha256', this.#key).update(signed).digest().subarray(0, signatureBytes)
  }
}

const digestOf = (list: string): Buffer => createHash('sha256').update(list).digest()

/**
 * The secret that an application names: its setting `cursorSecret`.
 *
 * ```js
 * cursorSecretOf({ cursorSecret: process.env.CURSOR_SECRET })
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION for one that is too short to be one
 */
export function cursorSecretOf ({ cursorSecret: secret }: Readonly<Record<string, unknown>>): string | undefined {
  if (secret === undefined || secret === null) return undefined
  if (typeof secret === 'string' && secret.length >= leastSecret) return secret
  throw new InvalidSettingError('cursorSecret', `must be a text of at least ${leastSecret} characters`)
}

const alone = 'Cursors are signed with a key of this process, and other processes refuse them, as this one will after ' +
  'its next start: set "cursorSecret" to a text of at least 32 characters that all of them have'

/**
 * The cursors of a registry's application, by the secret that its settings name now.
 *
 * ```js
 * cursorsOf(registry).seal([5, 7], 'Note')
 * ```
 */
export function cursorsOf (registry: ModelRegistry): Cursors {
  const kept = registry.slot<{ cursors: Cursors | undefined }>(kCursors, () => ({ cursors: undefined }))
  const secret = cursorSecretOf(registry.settings)
  if (kept.cursors === undefined || kept.cursors.secret !== secret) kept.cursors = new Cursors(secret)
  if (secret === undefined && registry.bus.hasOthers) warnOnce(registry, {}, alone)
  return kept.cursors
}
