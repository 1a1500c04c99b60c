/** Reading the caller's token off a request, once per request. */
import type { MaybePromise, ModelInstance } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { LentTo } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authorizationRequired } from './errors.js'
import type { TokenFinder } from './tokens/find-token.js'
import { isForeignForm } from './tokens/foreign-form.js'
import type { TokenReader } from './tokens/token-reader.js'
import { LentTokens } from './tokens/lent-tokens.js'
import { TokenWatch } from './tokens/token-watch.js'

const kRead = Symbol('fastback.tokenRead')

const kCarried = Symbol('fastback.tokenCarried')

/**
 * Whether a cookie parser of the application has come by since the request was read without a token: it is middleware,
 * and tokens are read before all middleware (login.md, LG-55).
 */
function showsCookies (request: Reading): boolean {
  if (request.accessToken !== null || request[kCarried] === true || request[kCookies] === true) return false
  if ((request.raw as { signedCookies?: unknown }).signedCookies === undefined) return false
  return (request[kCookies] = true)
}

/** Finds the token of a request in another way. */
export type OwnLookup = (request: FastifyRequest, withCookies: boolean) => Promise<ModelInstance | null>

const kCookies = Symbol('fastback.cookiesRead')
const kReply = Symbol('fastback.replyOfRequest')

type Reading = FastifyRequest & {
  [kCarried]?: true
  [kCookies]?: true
  [kRead]?: MaybePromise<ModelInstance | null>
  [kReply]?: FastifyReply
}

/**
 * What the plugin decorates as `app.authentication`: reads the token of a request, once, and says whose it is.
 *
 * ```js
 * const token = await app.authentication.accessToken(request) // null: nobody is logged in
 * app.authentication.isCarried(request) // whether a token was sent, known or not
 * ```
 */
export class Authentication {
  #reader: TokenReader | undefined
  #watch: TokenWatch | undefined
  #lent: LentTokens | undefined
  /** How the application's own functions find tokens, where it has some. */
  #own: OwnLookup | undefined

  /** @param makeReader called when the first token is read: by then all models are there */
  constructor (
    readonly makeReader: () => TokenReader,
    readonly find: TokenFinder,
    readonly literal: string | undefined,
    readonly makeOwn: (reader: TokenReader) => OwnLookup | undefined = () => undefined
  ) {}

  /** What looks tokens up, made when it is first asked for. */
  get reader (): TokenReader {
    return (this.#reader ??= this.makeReader())
  }

  /** For what outlives the beginning of a response: streams. Tokens are looked at every four seconds. */
  get watch (): TokenWatch {
    return (this.#watch ??= new TokenWatch(this.reader, 4000))
  }

  /** Prepares reading tokens. */
  open (): void {
    this.#reader = this.reader
    this.#own = this.makeOwn(this.#reader)
  }

  /** Stops watching tokens. The plugin calls it when the server closes. */
  close (): void {
    this.#watch?.close()
  }

  /**
   * The caller's token, or null. What it is stays on the request (`request.accessToken`). A cookie is none in a form
   * that another site sent (security.md, S-158).
   * @param reply where the headers of CORS are; the first who asks gives it
   * @throws RequestError 401 INVALID_TOKEN for an expired one; 401 for the literal of the current user without one
   */
  accessToken (request: FastifyRequest, reply?: FastifyReply): MaybePromise<ModelInstance | null> {
    const reading = request as Reading
    if (reply !== undefined && request.headers.cookie !== undefined) reading[kReply] = reply
    // Somebody else knows who asks (an OAuth token on a path that it guards): that stands.
    if (reading[kRead] === undefined && request.accessToken !== null) return this.#keep(request, request.accessToken)
    if (reading[kRead] !== undefined && !showsCookies(reading)) return reading[kRead]
    const lent = this.#lent?.of(request.headers.authorization)
    const withCookies = request.headers.cookie === undefined || !isForeignForm(request, reading[kReply])
    const texts = this.find(request, withCookies)
    if (texts !== undefined) reading[kCarried] = true
    const read = lent ?? this.#read(request, texts, withCookies)
    const result = isPromise(read) ? read.then(token => this.#keep(request, token)) : this.#keep(request, read)
    reading[kRead] = result
    return result
  }

  #read (
    request: FastifyRequest, texts: readonly string[] | undefined, withCookies: boolean
  ): MaybePromise<ModelInstance | null> {
    if (this.#own !== undefined) return this.#own(request, withCookies)
    return texts === undefined || texts.length === 0 ? null : this.reader.read(texts)
  }

  /**
   * A text that requests of this process carry as their header `authorization` to be a user's. Nothing is stored.
   * @throws FBK_AUTH_UNKNOWN_USER
   */
  async lend (user: LentTo): Promise<string> {
    return await (this.#lent ??= new LentTokens()).lend(this.reader.TokenModel, user)
  }

  /** Whether a request came with a token, known or not. Asked after it was read. */
  isCarried (request: FastifyRequest): boolean {
    return (request as Reading)[kCarried] === true || request.accessToken !== null
  }

  #keep (request: FastifyRequest, token: ModelInstance | null): ModelInstance | null {
    request.accessToken = token
    if (this.literal !== undefined) replaceLiteral(request, this.literal, token?.userId)
    return token
  }
}

/**
 * `/me` stands for the caller's id: as a whole segment, in every path (recorded). It says nothing of the caller's
 * model: on a route of another user model it is a row that the caller does not own (security.md, S-44).
 */
function replaceLiteral (request: FastifyRequest, literal: string, userId: unknown): void {
  const url = request.raw.url as string
  if (!url.includes(literal)) return
  const [path] = url.split(/[?#]/, 1) as [string]
  if (!path.split('/').includes(literal)) return
  if (userId === undefined || userId === null) throw authorizationRequired()
  const params = request.params as Record<string, string> | undefined
  for (const name of Object.keys(params ?? {})) if (params?.[name] === literal) params[name] = String(userId)
}
