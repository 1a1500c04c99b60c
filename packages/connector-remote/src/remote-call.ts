/** One call of a shared method of another application: its request, and what its response comes to. */
import { pipeline } from 'node:stream'
import {
  RequestError, type DescribedSharedMethod, type ModelClass, type OperationOptions, type ReturnDefinition,
  type SharedClass
} from '@fastback/core'
import { HttpInvocation, type InvokedMethod, type RestMethod } from '@fastback/rest/remoting'
import { badGateway, type HttpMethod, type ServiceCall, type ServiceClient } from '@fastback/service-client'
import { invalidSegment } from './errors.js'
import { eventsOf } from './events.js'
import { instancesOf } from './instances.js'
import { seenEvents } from './judged-request.js'
import type { RemoteAuth, RemoteSettings } from './settings.js'

/** Methods that give null where the other application knows no such row (RM-3). */
const findsOne = new Set(['findById', 'findOne'])

/** What calls need beside their arguments. */
export interface Caller {
  readonly settings: RemoteSettings
  readonly client: ServiceClient
  readonly dataSource: string
  /** How this application says who it is, now. */
  auth (): RemoteAuth | undefined
}

/** What is shared of a model now. */
export const sharedClassOf = (Model: ModelClass): SharedClass => Model.sharedClass as SharedClass

/**
 * A shared method of a model, ready to be called.
 *
 * ```js
 * const find = new RemoteMethod(Note, restMethod, caller)
 * await find.call(undefined, [{ limit: 1 }])
 * ```
 */
export class RemoteMethod {
  readonly method: DescribedSharedMethod
  readonly #invoked: InvokedMethod
  /** Places of arguments that clients send; the others come from the request here. */
  readonly #sent: readonly number[]
  readonly #isStream: boolean
  /** The place of the operation's options; -1: it has none. */
  readonly #options: number

  /** Whether a callback gets the results one by one. */
  readonly givesSeveral: boolean

  constructor (readonly Model: ModelClass, routed: RestMethod<DescribedSharedMethod>, readonly caller: Caller) {
    const { sharedMethod: method, restClass: { ctor } } = routed
    this.method = method
    this.#sent = method.accepts.flatMap(({ http }, index) => typeof http === 'function' ? [] : [index])
    const accepts = this.#sent.map(index => method.accepts[index] as (typeof method.accepts)[number])
    this.#invoked = {
      accepts,
      returns: [],
      isStatic: method.isStatic,
      restClass: { ctor: ctor && { accepts: ctor.accepts.filter(({ http }) => typeof http !== 'function') } },
      getEndpoints: () => routed.getEndpoints()
    }
    this.givesSeveral = method.returns.length > 1
    this.#options = method.accepts.findLastIndex(({ arg, http }) => arg === 'options' && typeof http === 'function')
    this.#isStream = method.returns.some(({ type }) => type === 'ReadableStream')
  }

  /**
   * @param id the id of the instance, for instance methods
   * @param values arguments in their order
   * @throws RequestError as the other application says; ServiceError 502, 503, 504
   */
  async call (id: unknown, values: readonly unknown[]): Promise<unknown> {
    const { client, dataSource } = this.caller
    const call = this.#request(id, values)
    if (this.#isStream) {
      const { statusCode, body } = await client.request({ ...call, stream: true })
      if (Buffer.isBuffer(body)) throw errorOf(statusCode, parsed(body))
      // Who lets go of the events lets go of the response.
      const events = pipeline(body, eventsOf(), () => {})
      return this.method.builtin === 'createChangeStream' ? seenEvents(this.Model, values[0], events) : events
    }
    const { statusCode, body } = await client.request(call)
    const told = parsed(body)
    if (statusCode < 400) {
      if (statusCode >= 300 && statusCode !== 304) throw badGateway(dataSource, `the response was ${String(statusCode)}`)
      return this.#resultOf(told)
    }
    const error = errorOf(statusCode, told)
    if (error.code === 'MODEL_NOT_FOUND' && findsOne.has(this.method.name)) return null
    throw error
  }

  #request (id: unknown, values: readonly unknown[]): ServiceCall & { readonly stream?: false } {
    const { settings: { url } } = this.caller
    const given = this.#sent.map(index => values[index])
    const invocation = new HttpInvocation(this.#invoked, this.method.isStatic ? [] : [id], given, url)
    this.#checkPath(invocation)
    const { method, url: address, body, headers } = invocation.createRequest()
    const text = body === undefined ? undefined : JSON.stringify(body)
    const authorization = this.#authorization(values)
    return {
      name: this.method.stringName,
      method: method as HttpMethod,
      url: address,
      body: text,
      headers: {
        accept: this.#isStream ? 'text/event-stream' : 'application/json',
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...(authorization === undefined ? {} : { authorization })
      }
    }
  }

  /** A value keeps its place in the path: none leads above it, and none is left out (SC-S2). */
  #checkPath ({ method, namedArgs }: HttpInvocation): void {
    const { fullPath = '' } = method.getEndpoints?.()[0] ?? {}
    for (const [, name = ''] of fullPath.matchAll(/:([^/]+)/g)) {
      const value = namedArgs[name]
      if (value === undefined || value === null || ['', '.', '..'].includes(String(value))) throw invalidSegment(name)
    }
  }

  /** The caller's token where it is to go along, else this application's own. */
  #authorization (values: readonly unknown[]): string | undefined {
    if (this.caller.settings.forwardToken) {
      const token = this.optionsOf(values)?.accessToken as { readonly id?: unknown } | null | undefined
      if (typeof token?.id === 'string') return token.id
    }
    return authorizationOf(this.caller.auth())
  }

  /** The options of the operation among the values of a call. */
  optionsOf (values: readonly unknown[]): OperationOptions | undefined {
    return values[this.#options] as OperationOptions | undefined
  }

  #resultOf (body: unknown): unknown {
    const results = this.method.returns.map(returned => this.#read(returned, body))
    return results.length > 1 ? results : results[0]
  }

  #read ({ arg, name, root, type }: ReturnDefinition, body: unknown): unknown {
    const own = arg ?? name
    const value = root === true || own === undefined ? body : (body as Record<string, unknown> | null)?.[String(own)]
    return instancesOf(this.Model, type, value)
  }
}

/** How this application says who it is. */
export function authorizationOf (auth: RemoteAuth | undefined): string | undefined {
  const { accessToken, bearer, username, password = '' } = auth ?? {}
  if (accessToken !== undefined) return typeof accessToken === 'string' ? accessToken : accessToken.id
  if (bearer !== undefined) return `Bearer ${bearer}`
  if (username !== undefined) return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return undefined
}

/** What a response says: JSON where it is, else its text. */
export function parsed (body: Buffer): unknown {
  if (body.length === 0) return undefined
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface Told {
  readonly message?: unknown
  readonly name?: unknown
  readonly code?: unknown
  readonly details?: unknown
}

/** What the other application says of an error, as it says it (RM-3). */
export function errorOf (statusCode: number, body: unknown): RequestError {
  const told = (body as { readonly error?: Told } | undefined)?.error
  const message = typeof told?.message === 'string' ? told.message : `The response was ${String(statusCode)}.`
  return new RequestError(statusCode, message, {
    ...(typeof told?.name === 'string' ? { name: told.name } : {}),
    ...(typeof told?.code === 'string' ? { code: told.code } : {}),
    ...(told?.details === undefined ? {} : { details: told.details })
  })
}
