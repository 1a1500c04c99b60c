/** Apple's push service over HTTP/2 (PU-50 to PU-56). */
import { randomUUID, type KeyObject } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { optionsFault } from '@fastback/core/connector'
import { SignJWT } from 'jose'
import { PushSettingsError } from '../errors.js'
import { Http2Client, type Http2Response } from '../provider/http2-client.js'
import { outgoingOf } from '../provider/network.js'
import { reasonCode, retryAfter, type Outcome } from '../provider/outcome.js'
import { contextOr, Provider, type Message, type ProviderContext, type PushSettings } from '../provider/provider.js'
import { privateKey } from '../provider/secret-file.js'
import { apnsHeaders, apnsPayload } from './apns-message.js'

const text = Type.String({ minLength: 1 })
const data = Type.Union([text, Type.Uint8Array()])

/** Rows of the original have settings of its old protocol beside these: they are left alone. */
const ApnsSettings = Type.Object({
  production: Type.Optional(Type.Boolean()),
  token: Type.Optional(Type.Object({ keyId: text, key: text, teamId: text })),
  bundle: text,
  certData: Type.Optional(data),
  keyData: Type.Optional(data),
  pfx: Type.Optional(data),
  passphrase: Type.Optional(Type.String()),
  host: Type.Optional(text),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  ca: Type.Optional(data)
})

/** Milliseconds: Apple takes a token for an hour, and no new one within twenty minutes (PU-51). */
const tokenAge = 40 * 60 * 1000
const mostBytes = 4096
/** Reasons of a 400 that are the device's (PU-52). */
const ofDevice = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic'])

/**
 * ```js
 * const { publicKey: _, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
 * const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
 * const provider = new ApnsProvider({ apns: { token: { keyId: 'K', teamId: 'T', key }, bundle: 'com.example.shop' } })
 * provider.close()
 * ```
 */
export class ApnsProvider extends Provider {
  readonly #settings: Static<typeof ApnsSettings>
  readonly #key: KeyObject | undefined
  readonly #client: Http2Client
  #token: { readonly text: Promise<string>, readonly made: number } | undefined

  /** @throws FBK_PUSH_SETTINGS */
  constructor (pushSettings: PushSettings, given?: ProviderContext) {
    super()
    const context = contextOr(given)
    const settings = pushSettings.apns
    const fault = optionsFault(ApnsSettings, settings ?? {}, 'setting')
    if (fault !== undefined) throw new PushSettingsError('apns', fault)
    const { token, certData, keyData, pfx, passphrase, production, host, port, ca } = this.#settings =
      settings as Static<typeof ApnsSettings>
    if (token === undefined && certData === undefined && pfx === undefined) {
      throw new PushSettingsError('apns', 'needs a "token" of "keyId", "key" and "teamId", or a certificate.')
    }
    if (token !== undefined) this.#key = privateKey(token.key, 'apns.token.key', context.baseDir)
    const address = host ?? (production === true ? 'api.push.apple.com' : 'api.sandbox.push.apple.com')
    this.#client = new Http2Client(`https://${address}:${String(port ?? 443)}`, {
      outgoing: outgoingOf(context),
      ca: asBuffer(ca),
      ...(token === undefined
        ? { cert: asBuffer(certData), key: asBuffer(keyData), pfx: asBuffer(pfx), passphrase }
        : {})
    })
  }

  async deliver (message: Message, token: string): Promise<Outcome> {
    // It stands in the path: what is no token must not become another address.
    if (!/^[\w-]{1,400}$/.test(token)) return { status: 'gone', reason: 'BadDeviceToken' }
    const payload = apnsPayload(message)
    if (payload.length > mostBytes) return { status: 'failed', reason: 'PayloadTooLarge' }
    try {
      const first = await this.#send(message, token, payload)
      if (first.status !== 403 || reasonOf(first) !== 'ExpiredProviderToken') return outcomeOf(first)
      this.#token = undefined
      return outcomeOf(await this.#send(message, token, payload))
    } catch (error) {
      return { status: 'retry', reason: reasonCode((error as Error).message, 'ConnectionFailed') }
    }
  }

  override close (): void {
    this.#client.close()
  }

  async #send (message: Message, token: string, payload: Buffer): Promise<Http2Response> {
    return await this.#client.request({
      ':path': `/3/device/${token}`,
      'content-type': 'application/json',
      'apns-id': randomUUID(),
      ...apnsHeaders(message, this.#settings.bundle),
      ...(this.#key === undefined ? {} : { authorization: `bearer ${await this.#bearer(this.#key)}` })
    }, payload)
  }

  #bearer (key: KeyObject): Promise<string> {
    const now = Date.now()
    if (this.#token === undefined || now - this.#token.made > tokenAge) {
      const { keyId, teamId } = this.#settings.token as { keyId: string, teamId: string }
      const text = new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: keyId }).setIssuer(teamId)
        .setIssuedAt(Math.floor(now / 1000)).sign(key)
      this.#token = { text, made: now }
    }
    return this.#token.text
  }
}

const asBuffer = (value: string | Uint8Array | undefined): string | Buffer | undefined =>
  typeof value === 'string' || value === undefined ? value : Buffer.from(value)

function bodyOf ({ text }: Http2Response): { reason?: unknown, timestamp?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object
  } catch {
    return {}
  }
}

const reasonOf = (answer: Http2Response): string => reasonCode(bodyOf(answer).reason, String(answer.status))

/** The table of PU-52. */
function outcomeOf (answer: Http2Response): Outcome {
  const { status, headers } = answer
  if (status === 200) return { status: 'sent', providerId: headers['apns-id'] as string | undefined }
  const reason = reasonOf(answer)
  if (status === 410 || (status === 400 && ofDevice.has(reason))) {
    const { timestamp } = bodyOf(answer)
    return { status: 'gone', reason, ...(typeof timestamp === 'number' ? { since: new Date(timestamp) } : {}) }
  }
  if (status === 429 || status >= 500) return { status: 'retry', reason, after: retryAfter(headers['retry-after']) }
  return { status: 'failed', reason }
}
