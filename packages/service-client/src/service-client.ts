import type { Readable } from 'node:stream'
import { Outgoing } from '@fastback/core/outgoing'
import type { HttpMethod, ServiceCall, ServiceClientContext, ServiceResponse } from './call.js'
import { Deadline } from './deadline.js'
import { badGateway, hostNotAllowed, invalidUrl } from './errors.js'
import { faultOf, isPassing, outcomeOf } from './faults.js'
import {
  authorizationOf, checkHeaders, hasHeader, ofBody, ofOrigin, takeCredentials, withOthers, withoutHeaders, type Headers
} from './headers.js'
import { HostRules, type Standing } from './hosts.js'
import { Lanes } from './lanes.js'
import { delayBefore } from './retry.js'
import { effective, type EffectiveSettings, type ServiceClientSettings } from './settings.js'
import { traced, type ServiceTrace } from './tracing.js'
import { streamed } from './streamed-response.js'
import { bufferResponse } from './buffered-response.js'

type Answer = ServiceResponse<Buffer | Readable>

/** One request of a call: the first, or where a redirect leads. */
interface Hop {
  readonly method: HttpMethod
  readonly url: URL
  readonly headers: Headers
  readonly body: ServiceCall['body']
  readonly standing: Standing
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Calls services over HTTP, within limits (service-connectors.md, sections 3, 7 and 8): one pool of connections for
 * each origin, time-outs, retries, a breaker, redirects that take no credentials elsewhere.
 *
 * ```js
 * const client = new ServiceClient(readClientSettings(settings, 'weather'), { dataSource: 'weather', log })
 * const { statusCode, body } = await client.request({ name: 'byCity', method: 'GET', url: 'https://api.example/oslo' })
 * await client.close()
 * ```
 */
export class ServiceClient {
  readonly #settings: EffectiveSettings
  readonly #lanes: Lanes
  readonly #hosts: HostRules
  readonly #authorization: string | undefined

  constructor (settings: ServiceClientSettings, readonly context: ServiceClientContext) {
    this.#settings = effective(settings)
    const outgoing = new Outgoing(context.resolve === undefined ? {} : { resolve: context.resolve })
    this.#hosts = new HostRules(settings.allowHosts ?? [], outgoing)
    this.#lanes = new Lanes(context.dataSource, this.#settings, outgoing)
    this.#authorization = authorizationOf(settings.auth)
  }

  /**
   * Makes a call, whatever the response's status is.
   * @throws ServiceError 502 BAD_GATEWAY, 503 SERVICE_BUSY and SERVICE_UNAVAILABLE, 504 GATEWAY_TIMEOUT; RequestError
   * 400 INVALID_HEADER_VALUE, INVALID_URL and HOST_NOT_ALLOWED, before anything is sent; the reason of `signal`
   */
  request (call: ServiceCall & { readonly stream?: false }): Promise<ServiceResponse>
  request (call: ServiceCall): Promise<Answer>
  async request (call: ServiceCall): Promise<Answer> {
    const hop = this.#firstHop(call)
    const { url: { host }, method } = hop
    const { dataSource } = this.context
    const trace: ServiceTrace = { dataSource, operation: call.name, method, host, propagated: {} }
    return await traced(trace, () => this.#timed(call, hop, trace))
  }

  /** Takes calls again after `close`. */
  open (): void {
    this.#lanes.open()
  }

  /** Waits for calls under way; later ones end with 503. */
  async close (): Promise<void> {
    await this.#lanes.close()
  }

  #firstHop ({ url: written, method, headers = {}, body, foreignHost = false }: ServiceCall): Hop {
    const url = parsed(written)
    if (url === undefined) throw invalidUrl()
    const standing = this.#hosts.standing(url, foreignHost ? undefined : url.hostname)
    if (standing === 'refused') throw foreignHost ? hostNotAllowed() : invalidUrl()
    checkHeaders(headers)
    const authorization = takeCredentials(url) ?? this.#authorization
    const own: Headers = { ...headers }
    if (authorization !== undefined && !hasHeader(own, 'authorization')) own.authorization = authorization
    if (this.#settings.gzip && !hasHeader(own, 'accept-encoding')) own['accept-encoding'] = 'gzip, deflate, br'
    return { method, url, headers: own, body, standing }
  }

  async #timed (call: ServiceCall, first: Hop, trace: ServiceTrace): Promise<Answer> {
    const start = performance.now()
    const deadline = new Deadline(call.timeout ?? this.#settings.timeout, call.signal)
    let isStreaming = false
    try {
      const answer = await this.#follow(call, this.#propagating(call, first, trace), deadline)
      trace.status = answer.statusCode
      isStreaming = !Buffer.isBuffer(answer.body)
      if (isStreaming) {
        deadline.stopClock();
        (answer.body as Readable).once('close', () => { deadline.finish() })
      }
      return answer
    } catch (error) {
      throw faultOf(error, this.context.dataSource, deadline)
    } finally {
      if (!isStreaming) deadline.finish()
      trace.milliseconds = performance.now() - start
      const { dataSource, operation, method, host, status, milliseconds } = trace
      const { pathname: path } = first.url
      this.context.log.debug({ dataSource, operation, method, host, status, milliseconds, path }, 'Service called')
    }
  }

  #propagating ({ foreignHost = false }: ServiceCall, first: Hop, { propagated }: ServiceTrace): Hop {
    if (foreignHost || Object.keys(propagated).length === 0) return first
    checkHeaders(propagated)
    return { ...first, headers: withOthers(first.headers, propagated) }
  }

  /** The answer at the end of all redirects (SC-E5). */
  async #follow (call: ServiceCall, first: Hop, deadline: Deadline): Promise<Answer> {
    const configured = call.foreignHost === true ? undefined : first.url.hostname
    const most = call.maxRedirects ?? this.#settings.maxRedirects
    let hop = first
    for (let hops = 0; ; hops++) {
      const answer = await this.#tryOften(call, hop, deadline)
      const next = this.#next(call, hop, answer, configured)
      if (next === undefined) return answer
      if (hops >= most) throw badGateway(this.context.dataSource, `more than ${String(most)} redirects`)
      hop = next
    }
  }

  /** Where a response sends the call; undefined where it is the last one. */
  #next (call: ServiceCall, hop: Hop, answer: Answer, configured: string | undefined): Hop | undefined {
    const { statusCode, headers: { location } } = answer
    if (!redirects.has(statusCode) || typeof location !== 'string') return undefined
    const follows = hop.method === 'GET' || hop.method === 'HEAD'
      ? call.followRedirect ?? this.#settings.followRedirect
      : call.followAllRedirects ?? this.#settings.followAllRedirects
    // 307 and 308 ask for the same request again, which a body that is gone cannot be.
    const isSame = statusCode === 307 || statusCode === 308
    if (!follows || (isSame && isOnce(hop.body))) return undefined
    const refuse = (): never => { throw badGateway(this.context.dataSource, 'a redirect leads where no call may go') }
    const url = parsed(location, hop.url)
    if (url === undefined) return refuse()
    takeCredentials(url)
    const standing = this.#hosts.standing(url, configured)
    if (standing === 'refused') return refuse()
    const kept = url.origin === hop.url.origin ? hop.headers : withoutHeaders(hop.headers, ofOrigin)
    if (isSame || hop.method === 'GET' || hop.method === 'HEAD') return { ...hop, url, headers: kept, standing }
    return { method: 'GET', url, headers: withoutHeaders(kept, ofBody), body: undefined, standing }
  }

  /** Tries again as `retry` says, within the time of the call. */
  async #tryOften (call: ServiceCall, hop: Hop, deadline: Deadline): Promise<Answer> {
    const { retry } = this.#settings
    const mayRetry = retry !== undefined && !isOnce(hop.body) && (call.idempotent ?? retry.methods.includes(hop.method))
    for (let tries = 1; ; tries++) {
      const isLast = !mayRetry || tries >= retry.attempts
      let answer: Answer | undefined
      try {
        answer = await this.#exchange(call, hop, deadline)
        if (isLast || !retry.statuses.includes(answer.statusCode)) return answer
      } catch (error) {
        if (isLast || deadline.hasEnded || !isPassing(error)) throw error
      }
      const retryAfter = answer?.headers['retry-after']
      const delay = delayBefore(retry, tries, typeof retryAfter === 'string' ? retryAfter : undefined)
      if (delay >= deadline.left && answer !== undefined) return answer
      await deadline.pause(delay)
    }
  }

  async #exchange ({ stream = false }: ServiceCall, hop: Hop, deadline: Deadline): Promise<Answer> {
    const { headersTimeout, bodyTimeout, maxResponseSize, timeout } = this.#settings
    const { url, method } = hop
    const { origin } = url
    const lane = this.#lanes.of(origin, hop.standing === 'guarded')
    const turn = lane.enter()
    const options = {
      origin,
      path: url.pathname + url.search,
      method,
      headers: hop.headers,
      body: hop.body ?? null,
      headersTimeout,
      // What is read as it comes has no end of its own: then each part of it has.
      bodyTimeout: bodyTimeout === 0 && stream ? timeout : bodyTimeout
    }
    try {
      const { statusCode, headers, body } = stream
        ? await streamed(lane.dispatcher, options, maxResponseSize, deadline)
        : await bufferResponse(lane.dispatcher, options, maxResponseSize, deadline)
      turn.left(statusCode >= 500 ? 'failure' : 'success')
      if (Buffer.isBuffer(body)) turn.ended()
      else body.once('close', turn.ended)
      return { statusCode, headers, body, url: url.href }
    } catch (error) {
      const fault = faultOf(error, this.context.dataSource, deadline)
      turn.left(outcomeOf(fault))
      turn.ended()
      throw fault
    }
  }
}

/** Whether a body can be sent only once. */
const isOnce = (body: ServiceCall['body']): boolean =>
  body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)

/** An address; undefined for what is none. */
function parsed (written: string | URL, base?: URL): URL | undefined {
  try {
    return new URL(written, base)
  } catch {
    return undefined
  }
}
