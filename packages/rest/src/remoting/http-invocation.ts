/** A call to a method of another server. */
import type { Readable } from 'node:stream'
import type { ArgumentDefinition, ReturnDefinition } from '@fastback/core'
import { qs } from '../parse/qs.js'
import { sourceOf } from '../parse/source.js'
import { ContextBase } from './context.js'
import { EventObjects } from './event-objects.js'
import { sendRequest, type IncomingResponse, type OutgoingRequest, type RemotingAuth } from './http-request.js'
import type { Endpoint } from './rest-class.js'
import { RemotingTypes } from './types.js'

type Done = (error: unknown, ...values: unknown[]) => void

/** What an invocation needs of its method. */
export interface InvokedMethod {
  readonly accepts: readonly ArgumentDefinition[]
  readonly returns: readonly ReturnDefinition[]
  readonly isStatic?: unknown
  readonly sharedMethod?: { readonly isStatic: boolean }
  readonly restClass?: { readonly ctor?: { readonly accepts: readonly ArgumentDefinition[] } | undefined }
  getEndpoints? (): readonly Endpoint[]
}

/**
 * One call: its request, and what becomes of the response.
 *
 * ```js
 * const call = new HttpInvocation(restMethod, [], [1, 2], 'http://localhost:3000/api')
 * call.invoke((error, sum) => { console.log(error, sum) })
 * ```
 */
export class HttpInvocation {
  readonly isStatic: boolean
  readonly namedArgs: Record<string, unknown>
  readonly context: ContextBase & { req?: OutgoingRequest, res?: IncomingResponse }
  req: OutgoingRequest | undefined
  res: IncomingResponse | undefined

  /**
   * @param ctorArgs arguments of the constructor, for instance methods
   * @param args arguments of the method, in the order of `accepts`
   */
  constructor (
    readonly method: InvokedMethod,
    readonly ctorArgs: readonly unknown[] = [],
    readonly args: readonly unknown[] = [],
    readonly base = '',
    readonly auth?: RemotingAuth,
    readonly typeRegistry: RemotingTypes = new RemotingTypes()
  ) {
    this.isStatic = method.isStatic === true || method.sharedMethod?.isStatic === true
    this.namedArgs = { ...named(this.#instanceAccepts(), ctorArgs), ...named(method.accepts, args) }
    this.context = new ContextBase(method, typeRegistry)
  }

  /** Whether a value has the type that an argument declares. */
  static isAcceptable (value: unknown, { type }: Pick<ArgumentDefinition, 'type'>): boolean {
    const name = Array.isArray(type) ? 'array' : String(typeof type === 'function' ? type.name : type ?? 'any').toLowerCase()
    if (name === 'any') return true
    if (name === 'array') return Array.isArray(value)
    const plain = name === 'integer' ? 'number' : name
    const wanted = plainTypes.has(plain) ? plain : 'object'
    const given: string = typeof value
    return given === wanted
  }

  #instanceAccepts (): readonly ArgumentDefinition[] {
    return this.isStatic ? [] : this.method.restClass?.ctor?.accepts ?? []
  }

  /** The request that carries the arguments, each in its place; it may be changed before it is sent. */
  createRequest (): OutgoingRequest {
    const { verb, fullPath } = this.method.getEndpoints?.()[0] ?? { verb: 'GET', fullPath: '' }
    const url = this.base + fullPath
    const req: OutgoingRequest = { method: verb, url, protocol: protocolOf(url), json: true }
    const { auth } = this
    if (this.#givesObjects()) Object.assign(req, { streams: true, headers: { accept: 'text/event-stream' } })
    if (auth?.accessToken !== undefined) req.headers = { ...req.headers, Authorization: auth.accessToken.id }
    else if (auth !== undefined) req.auth = { sendImmediately: false, ...auth }
    const query: Record<string, unknown> = {}
    for (const argument of [...this.#instanceAccepts(), ...this.method.accepts]) this.#place(argument, req, query)
    if (Object.keys(query).length > 0) req.url += `?${qs().stringify(query)}`
    this.req = req
    return req
  }

  #place (argument: ArgumentDefinition, req: OutgoingRequest, query: Record<string, unknown>): void {
    const name = nameOf(argument)
    const value = this.namedArgs[name]
    const source = sourceOf(argument) ?? (req.method === 'GET' ? 'query' : 'form')
    if (source === 'body') req.body = value
    else if (source === 'form' || source === 'formData') req.body = { ...req.body as object | undefined, [name]: value }
    else if (source === 'path') req.url = req.url.replace(`:${name}`, encodeURIComponent(String(value)))
    else if (source === 'query' && value !== undefined) query[name] = inQuery(value, argument)
    else if (source === 'header' && value !== undefined) req.headers = { ...req.headers, [name]: String(value) }
  }

  #givesObjects (): boolean {
    return this.method.returns.some(({ type, json }) => type === 'ReadableStream' && json === true)
  }

  /** Sends the request and calls back with the results that the method declares. */
  invoke (done: Done): void {
    sendRequest(this.req ?? this.createRequest()).then(answer => {
      this.res = answer
      this.context.res = answer
      this.transformResponse(answer, answer.body, done)
    }).catch(done)
  }

  getResponse (): IncomingResponse | null {
    return this.res ?? null
  }

  /** Makes results, or an error with everything that the server says of it, of a response. */
  transformResponse ({ statusCode }: Pick<IncomingResponse, 'statusCode'>, body: any, done: Done): void {
    if (statusCode >= 400) { done(errorOf(statusCode, body)); return }
    if (this.#givesObjects()) { done(null, new EventObjects(body as Readable)); return }
    const values: unknown[] = []
    for (const definition of this.method.returns) {
      const found: unknown = definition.root === true ? body : body?.[nameOf(definition)]
      const result = this.typeRegistry.getConverter(definition.type).fromTypedValue(this.context, found)
      if ('error' in result) { done(result.error); return }
      values.push(result.value)
    }
    done(null, ...values)
  }
}

const plainTypes = new Set(['boolean', 'string', 'object', 'number'])

const nameOf = (definition: ArgumentDefinition | ReturnDefinition): string => definition.arg ?? String(definition.name)

const named = (accepts: readonly ArgumentDefinition[], values: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(accepts
    .map((argument, index) => [argument, values[index]] as const)
    .filter(([argument, value]) => HttpInvocation.isAcceptable(value, argument))
    .map(([argument, value]) => [nameOf(argument), value]))

const protocolOf = (url: string): string | null => /^([a-z][a-z\d+.-]*:)/i.exec(url)?.[1] ?? null

const inQuery = (value: unknown, { type }: ArgumentDefinition): unknown =>
  (type === 'object' || type === 'string') && typeof value === 'object' ? JSON.stringify(value) : value

function errorOf (statusCode: number, body: { error?: { message?: string } } | string | undefined): Error {
  const told = typeof body === 'object' ? body.error : undefined
  return told === undefined
    ? Object.assign(new Error(`Error: ${statusCode}`), { statusCode, details: body })
    : Object.assign(new Error(told.message), told)
}
