/** Firebase Cloud Messaging, HTTP v1 (PU-60 to PU-66). */
import { Type, type Static } from '@sinclair/typebox'
import { optionsFault } from '@fastback/core/connector'
import { GcmRemovedError, PushSettingsError } from '../errors.js'
import { Http2Client, type Http2Response } from '../provider/http2-client.js'
import { isAllowedOrigin, outgoingOf } from '../provider/network.js'
import { reasonCode, retryAfter, type Outcome } from '../provider/outcome.js'
import { contextOr, Provider, type Message, type ProviderContext, type PushSettings } from '../provider/provider.js'
import { privateKey } from '../provider/secret-file.js'
import { fcmMessage } from './fcm-message.js'
import { GoogleToken } from './google-token.js'

const text = Type.String({ minLength: 1 })
const FcmSettings = Type.Object({
  projectId: text,
  clientEmail: text,
  privateKey: text,
  host: Type.Optional(text),
  tokenUrl: Type.Optional(text),
  ca: Type.Optional(text)
})
const mostBytes = 4096

/** The file that Google gives out has other names. */
function accountOf (given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { serviceAccount, ...own } = given
  let account: Readonly<Record<string, unknown>> = {}
  try {
    account = (typeof serviceAccount === 'string' ? JSON.parse(serviceAccount) : serviceAccount) as typeof account ?? {}
  } catch {
    throw new PushSettingsError('fcm.serviceAccount', 'is no JSON.')
  }
  const named = {
    projectId: account.project_id, clientEmail: account.client_email,
    privateKey: account.private_key, tokenUrl: account.token_uri
  }
  return { ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)), ...own }
}

/**
 * ```js
 * const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
 * const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
 * const provider = new FcmProvider({ fcm: { projectId: 'shop', clientEmail: 'push@shop.example', privateKey: key } })
 * provider.close()
 * ```
 */
export class FcmProvider extends Provider {
  readonly #path: string
  readonly #client: Http2Client
  readonly #token: GoogleToken
  readonly #context: ProviderContext
  readonly #warned = new Set<string>()

  /** @throws FBK_PUSH_SETTINGS, FBK_PUSH_GCM_GONE */
  constructor (pushSettings: PushSettings, given?: ProviderContext) {
    super()
    const context = this.#context = contextOr(given)
    if (pushSettings.fcm === undefined || pushSettings.fcm === null) {
      if (pushSettings.gcm !== undefined && pushSettings.gcm !== null) throw new GcmRemovedError()
      throw new PushSettingsError('fcm', 'is needed: "projectId", "clientEmail" and "privateKey" of a service account.')
    }
    const settings = accountOf(pushSettings.fcm as Readonly<Record<string, unknown>>)
    const fault = optionsFault(FcmSettings, settings, 'setting')
    if (fault !== undefined) throw new PushSettingsError('fcm', fault)
    const { projectId, clientEmail, host, tokenUrl, ca, privateKey: key } = settings as Static<typeof FcmSettings>
    const options = { outgoing: outgoingOf(context), ca }
    const account = {
      clientEmail,
      key: privateKey(key, 'fcm.privateKey', context.baseDir),
      tokenUrl: checked(tokenUrl ?? 'https://oauth2.googleapis.com/token', 'fcm.tokenUrl', context)
    }
    this.#client = new Http2Client(
      new URL(checked(host ?? 'https://fcm.googleapis.com', 'fcm.host', context)).origin, options
    )
    this.#token = new GoogleToken(account, options)
    this.#path = `/v1/projects/${encodeURIComponent(projectId)}/messages:send`
  }

  async deliver (given: Message, token: string): Promise<Outcome> {
    const { message, dropped } = fcmMessage(given, token)
    for (const name of dropped) this.#warn(name)
    const body = Buffer.from(JSON.stringify({ message }))
    if (body.length - Buffer.byteLength(token) > mostBytes) return { status: 'failed', reason: 'PayloadTooLarge' }
    try {
      const first = await this.#send(body)
      if (first.status !== 401) return outcomeOf(first)
      this.#token.forget()
      return outcomeOf(await this.#send(body))
    } catch (error) {
      const reason = reasonCode((error as Error).message, 'ConnectionFailed')
      return reason === 'TokenRefused' ? { status: 'failed', reason } : { status: 'retry', reason }
    }
  }

  override close (): void {
    this.#client.close()
  }

  async #send (body: Buffer): Promise<Http2Response> {
    const authorization = `Bearer ${await this.#token.get()}`
    return await this.#client.request({ ':path': this.#path, 'content-type': 'application/json', authorization }, body)
  }

  /** Once for each name. */
  #warn (name: string): void {
    if (this.#warned.has(name) || this.#warned.size > 100) return
    this.#warned.add(name)
    this.#context.warn({ property: name }, 'FCM keeps this name for itself: the property of the notification is not sent')
  }
}

function checked (address: string, what: string, context: ProviderContext): string {
  if (URL.canParse(address) && isAllowedOrigin(new URL(address), context)) return address
  throw new PushSettingsError(what, 'must be an address with "https:".')
}

interface FcmError {
  readonly status?: unknown
  readonly details?: ReadonlyArray<{
    readonly errorCode?: unknown
    readonly fieldViolations?: ReadonlyArray<{ readonly field?: unknown }>
  }>
}

function errorOf ({ text }: Http2Response): FcmError {
  try {
    return ((JSON.parse(text) as { error?: FcmError }).error) ?? {}
  } catch {
    return {}
  }
}

/** The table of PU-65. */
function outcomeOf (answer: Http2Response): Outcome {
  const { status, headers, text } = answer
  if (status === 200) return { status: 'sent', providerId: nameIn(text) }
  const { details = [], status: word } = errorOf(answer)
  const listed = Array.isArray(details) ? details : []
  const reason = reasonCode(listed.find(each => each?.errorCode !== undefined)?.errorCode ?? word, String(status))
  const namesToken = listed.some(each => Array.isArray(each?.fieldViolations) &&
    (each.fieldViolations as ReadonlyArray<{ field?: unknown }>).some(violation => violation?.field === 'message.token'))
  if ((status === 404 && reason === 'UNREGISTERED') || (status === 403 && reason === 'SENDER_ID_MISMATCH') ||
    (status === 400 && reason === 'INVALID_ARGUMENT' && namesToken)) return { status: 'gone', reason }
  if (status === 429 || status >= 500) return { status: 'retry', reason, after: retryAfter(headers['retry-after']) }
  return { status: 'failed', reason }
}

function nameIn (text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown }
    return typeof name === 'string' ? name.slice(0, 200) : undefined
  } catch {
    return undefined
  }
}
