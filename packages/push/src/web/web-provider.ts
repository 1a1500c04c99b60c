/** Web Push: RFC 8030, messages encrypted by RFC 8291, the server named by RFC 8292 (PU-67 to PU-69). */
import type { KeyObject } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { Type, type Static } from '@sinclair/typebox'
import { optionsFault } from '@fastback/core/connector'
import type { Outgoing } from '@fastback/core/outgoing'
import { SignJWT } from 'jose'
import { PushSettingsError } from '../errors.js'
import { outgoingOf } from '../provider/network.js'
import { reasonCode, retryAfter, type Outcome } from '../provider/outcome.js'
import { contextOr, Provider, type Message, type ProviderContext, type PushSettings } from '../provider/provider.js'
import { encrypt } from './encrypt.js'
import { signingKey } from './keys.js'
import { readSubscription, type Subscription } from './subscription.js'
import { webHeaders, webPayload } from './web-message.js'

const WebSettings = Type.Object({
  subject: Type.String({ pattern: '^(?:mailto:|https://)' }),
  publicKey: Type.String({ minLength: 80 }),
  privateKey: Type.String({ minLength: 40 })
})

/** Bytes of a message before it is encrypted: what is left of 4096. */
const mostBytes = 3993
/** Milliseconds: a token names its end, at most 24 hours away. */
const tokenAge = 12 * 60 * 60 * 1000
/** Push services that tokens are kept for. Subscriptions name them, so that there may be any number. */
const mostTokens = 100
/** Milliseconds until a response begins, and those that the rest of it may take, of which nothing is used. */
const timeout = 15_000
const responseTime = 1000
/** Bytes of a response that are read, and thrown away. */
const longestResponse = 4096

/**
 * ```js
 * const provider = new WebProvider({ web: { subject: 'mailto:push@shop.example', ...makeWebPushKeys() } })
 * provider.close()
 * ```
 */
export class WebProvider extends Provider {
  readonly #settings: Static<typeof WebSettings>
  readonly #key: KeyObject
  readonly #context: ProviderContext
  readonly #outgoing: Outgoing
  readonly #tokens = new Map<string, { readonly text: Promise<string>, readonly until: number }>()
  readonly #agents: { readonly http: HttpAgent, readonly https: HttpsAgent }

  /** @throws FBK_PUSH_SETTINGS */
  constructor (pushSettings: PushSettings, given?: ProviderContext) {
    super()
    this.#context = contextOr(given)
    const fault = optionsFault(WebSettings, pushSettings.web ?? {}, 'setting')
    if (fault !== undefined) throw new PushSettingsError('web', fault)
    this.#settings = pushSettings.web as Static<typeof WebSettings>
    this.#key = signingKey(this.#settings)
    this.#outgoing = outgoingOf(this.#context)
    const options = { keepAlive: true, maxFreeSockets: 10, timeout: 60_000, lookup: this.#outgoing.lookup }
    this.#agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  }

  async deliver (message: Message, token: string): Promise<Outcome> {
    const read = readSubscription(token, this.#context)
    if ('fault' in read) return { status: 'gone', reason: 'BadSubscription' }
    const payload = webPayload(message)
    if (payload.length > mostBytes) return { status: 'failed', reason: 'PayloadTooLarge' }
    const url = new URL(read.subscription.endpoint)
    const address = url.hostname.replace(/^\[|\]$/g, '')
    // An address is not looked up, so that `lookup` does not see it.
    if (isIP(address) !== 0 && !this.#outgoing.permits(address)) return { status: 'failed', reason: 'ForbiddenAddress' }
    let body: Buffer
    try {
      body = encrypt(payload, read.subscription)
    } catch {
      return { status: 'gone', reason: 'BadSubscription' }
    }
    try {
      return await this.#send(url, message, body)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'FBK_CORE_FORBIDDEN_ADDRESS'
        ? { status: 'failed', reason: 'ForbiddenAddress' }
        : { status: 'retry', reason: reasonCode(code, 'ConnectionFailed') }
    }
  }

  /** Browsers choose their service, and strangers may say that they are browsers. */
  override serviceOf (token: string): string {
    const read = readSubscription(token, this.#context)
    return 'fault' in read ? '' : new URL(read.subscription.endpoint).origin
  }

  override close (): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  async #send (url: URL, message: Message, body: Buffer): Promise<Outcome> {
    const headers = {
      ...webHeaders(message),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      'content-length': String(body.length),
      authorization: `vapid t=${await this.#token(url.origin)}, k=${this.#settings.publicKey}`
    }
    const isSecure = url.protocol === 'https:'
    return await new Promise((resolve, reject) => {
      // A service that says a byte now and then is as slow as one that says nothing.
      let timer = setTimeout(() => {
        request.destroy(Object.assign(new Error('Timeout'), { code: 'Timeout' }))
      }, timeout)
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method: 'POST', headers, agent: isSecure ? this.#agents.https : this.#agents.http
      }, response => {
        const end = (): void => { resolve(outcomeOf(response.statusCode as number, response.headers)) }
        clearTimeout(timer)
        timer = setTimeout(() => { response.destroy() }, responseTime)
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > longestResponse) response.destroy()
        })
        response.on('error', end)
        response.on('close', end)
      })
      request.on('error', reject)
      request.on('close', () => { clearTimeout(timer) })
      request.end(body)
    })
  }

  #token (audience: string): Promise<string> {
    const kept = this.#tokens.get(audience)
    const now = Date.now()
    if (kept !== undefined && kept.until > now) return kept.text
    if (this.#tokens.size >= mostTokens) this.#tokens.clear()
    const text = new SignJWT({}).setProtectedHeader({ typ: 'JWT', alg: 'ES256' }).setAudience(audience)
      .setExpirationTime(Math.floor((now + tokenAge) / 1000)).setSubject(this.#settings.subject).sign(this.#key)
    // An hour before its end another one is made.
    this.#tokens.set(audience, { text, until: now + tokenAge - 3_600_000 })
    return text
  }
}

/** The table of PU-69. Redirects are not followed. */
function outcomeOf (status: number, headers: IncomingHttpHeaders): Outcome {
  if (status === 201 || status === 202 || status === 200) return { status: 'sent', providerId: undefined }
  const reason = String(status)
  if (status === 404 || status === 410) return { status: 'gone', reason }
  if (status === 429 || status >= 500) return { status: 'retry', reason, after: retryAfter(headers['retry-after']) }
  return { status: 'failed', reason }
}

export type { Subscription }
