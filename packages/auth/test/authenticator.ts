/**
 * A software authenticator (WebAuthn Level 3): what a browser and a key do together, in a few lines, so that tests can
 * also do what no browser would. P-256 (or Ed25519, RSA), attestation `none`, CBOR by hand.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type JsonWebKey, type KeyObject } from 'node:crypto'

const enum Flag { present = 0x01, verified = 0x04, eligible = 0x08, backedUp = 0x10, attested = 0x40 }

export const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

/** What tests change of a response. */
export interface Twist {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  topOrigin?: string
  present?: boolean
  verified?: boolean
  backedUp?: boolean
  counter?: number
  userHandle?: string
  /** The id that the response names. */
  id?: string
  /** Changes the bytes that were signed. */
  tamper?: (signature: Buffer) => Buffer
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
  [member: string]: unknown
}
export interface RequestOptions { challenge: string, rpId?: string, [member: string]: unknown }

type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384'

export class Authenticator {
  readonly id = randomBytes(32)
  counter = 0
  userHandle: string | undefined
  readonly #privateKey: KeyObject
  readonly #cose: Buffer
  readonly #digest: string | undefined

  constructor (readonly origin = 'http://localhost:3000', algorithm: Algorithm = 'ES256') {
    const { privateKey, jwk } = keyOf(algorithm)
    this.#privateKey = privateKey
    this.#cose = coseOf(algorithm, jwk)
    this.#digest = { ES256: 'sha256', ES384: 'sha384', RS256: 'sha256', EdDSA: undefined }[algorithm]
  }

  /** The response of `navigator.credentials.create`, as JSON. */
  create ({ challenge, rp, user }: CreationOptions, twist: Twist = {}): Record<string, unknown> {
    this.userHandle = user.id
    const id = twist.id ?? base64url(this.id)
    const idBytes = Buffer.from(id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(idBytes.length)
    const authData = Buffer.concat([
      this.#authData(twist.rpId ?? rp.id, twist, Flag.attested), Buffer.alloc(16), length, idBytes, this.#cose
    ])
    const attestation = map([
      [text('fmt'), text('none')], [text('attStmt'), map([])], [text('authData'), bytes(authData)]
    ])
    return {
      id, rawId: id, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, twist)),
        attestationObject: base64url(attestation),
        transports: ['internal']
      }
    }
  }

  /** The response of `navigator.credentials.get`, as JSON. */
  get ({ challenge, rpId = 'localhost' }: RequestOptions, twist: Twist = {}): Record<string, unknown> {
    const id = twist.id ?? base64url(this.id)
    const authData = this.#authData(twist.rpId ?? rpId, twist)
    const clientData = this.#clientData('webauthn.get', challenge, twist)
    const signature = sign(this.#digest, Buffer.concat([authData, sha256(clientData)]), this.#privateKey)
    const userHandle = 'userHandle' in twist ? twist.userHandle : this.userHandle
    return {
      id, rawId: id, type: 'public-key', clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(twist.tamper?.(signature) ?? signature),
        ...userHandle === undefined ? {} : { userHandle }
      }
    }
  }

  #authData (rpId: string, { present = true, verified = true, backedUp = false, counter }: Twist, more = 0): Buffer {
    const head = Buffer.alloc(5)
    head[0] = (present ? Flag.present : 0) | (verified ? Flag.verified : 0) |
      (backedUp ? Flag.eligible | Flag.backedUp : 0) | more
    head.writeUInt32BE(counter ?? this.counter, 1)
    return Buffer.concat([sha256(rpId), head])
  }

  #clientData (type: string, challenge: string, twist: Twist): string {
    const { origin = this.origin, crossOrigin = false, topOrigin } = twist
    return JSON.stringify({
      type: twist.type ?? type, challenge: twist.challenge ?? challenge, origin, crossOrigin,
      ...topOrigin === undefined ? {} : { topOrigin }
    })
  }
}

function keyOf (algorithm: Algorithm): { privateKey: KeyObject, jwk: JsonWebKey } {
  const { privateKey, publicKey } = algorithm === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: algorithm === 'ES256' ? 'P-256' : 'P-384' })
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) as JsonWebKey }
}

/** RFC 9052, section 7. */
function coseOf (algorithm: Algorithm, jwk: JsonWebKey): Buffer {
  const part = (name: 'x' | 'y' | 'n' | 'e'): Buffer => bytes(Buffer.from(String(jwk[name]), 'base64url'))
  switch (algorithm) {
    case 'RS256': return map([[int(1), int(3)], [int(3), int(-257)], [int(-1), part('n')], [int(-2), part('e')]])
    case 'EdDSA': return map([[int(1), int(1)], [int(3), int(-8)], [int(-1), int(6)], [int(-2), part('x')]])
    default: {
      const [name, curve] = algorithm === 'ES256' ? [-7, 1] : [-35, 2]
      return map([
        [int(1), int(2)], [int(3), int(name)], [int(-1), int(curve)], [int(-2), part('x')], [int(-3), part('y')]
      ])
    }
  }
}

/** RFC 8949: the head of a value, with its kind and length. */
function head (major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}
const int = (value: number): Buffer => value < 0 ? head(1, -1 - value) : head(0, value)
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const map = (entries: ReadonlyArray<readonly [Buffer, Buffer]>): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])
