/** Reading the caller's token off a request, once per request. */
import { isPromise, type MaybePromise, type ModelClass, type ModelInstance } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import { authorizationRequired } from './errors.js'
import { isUserModel } from './user/user-model.js'
import { userModelsOf } from './user/user-models.js'
import type { TokenFinder } from './tokens/find-token.js'
import type { TokenReader } from './tokens/token-reader.js'
import { TokenWatch } from './tokens/token-watch.js'

const kRead = Symbol('fastback.tokenRead')

const kCarried = Symbol('fastback.tokenCarried')

type Reading = FastifyRequest & { [kCarried]?: true, [kRead]?: MaybePromise<ModelInstance | null> }

export class Authentication {
  #reader: TokenReader | undefined
  #watch: TokenWatch | undefined

  /** @param makeReader called when the first token is read: by then all models are there */
  constructor (readonly makeReader: () => TokenReader, readonly find: TokenFinder, readonly literal: string | undefined) {}

  get reader (): TokenReader {
    return (this.#reader ??= this.makeReader())
  }

  /** For what outlives the beginning of an answer: streams. Tokens are looked at every four seconds. */
  get watch (): TokenWatch {
    return (this.#watch ??= new TokenWatch(this.reader, 4000))
  }

  /** Prepares reading tokens. */
  open (): void {
    this.#reader = this.reader
  }

  close (): void {
    this.#watch?.close()
  }

  /**
   * The caller's token, or null. What it is stays on the request (`request.accessToken`).
   * @throws RequestError 401 INVALID_TOKEN for an expired one; 401 for the literal of the current user without one
   */
  accessToken (request: FastifyRequest): MaybePromise<ModelInstance | null> {
    const reading = request as Reading
    // Somebody else knows who asks (an OAuth token on a path that it guards): that stands.
    if (reading[kRead] === undefined && request.accessToken !== null) return this.#keep(request, request.accessToken)
    if (reading[kRead] !== undefined) return reading[kRead]
    const texts = this.find(request)
    if (texts !== undefined) reading[kCarried] = true
    const read = texts === undefined || texts.length === 0 ? null : this.reader.read(texts)
    const result = isPromise(read) ? read.then(token => this.#keep(request, token)) : this.#keep(request, read)
    reading[kRead] = result
    return result
  }

  /** Whether a request came with a token, known or not. Asked after it was read. */
  isCarried (request: FastifyRequest): boolean {
    return (request as Reading)[kCarried] === true || request.accessToken !== null
  }

  #keep (request: FastifyRequest, token: ModelInstance | null): ModelInstance | null {
    request.accessToken = token
    if (this.literal !== undefined) replaceLiteral(request, this.literal, token)
    return token
  }
}

/** As far as it is used here; the type is of `@fastback/rest`, which this package does not need. */
interface SharedRoute { readonly method: { readonly model: ModelClass, readonly relation?: string | undefined } }

/**
 * `/me` stands for the caller's id: as a whole segment, in every path. It is never the id of another user model's row
 * (security.md, S-44, S-71).
 */
function replaceLiteral (request: FastifyRequest, literal: string, token: ModelInstance | null): void {
  const url = request.raw.url as string
  if (!url.includes(literal)) return
  const [path] = url.split(/[?#]/, 1) as [string]
  if (!path.split('/').includes(literal)) return
  const userId = token?.userId
  if (token === null || userId === undefined || userId === null) throw authorizationRequired()
  const params = request.params as Record<string, string> | undefined
  const { sharedMethod } = request.routeOptions.config as { sharedMethod?: SharedRoute }
  for (const name of Object.keys(params ?? {})) {
    if (params?.[name] !== literal) continue
    const Model = sharedMethod === undefined ? undefined : modelOf(sharedMethod, name)
    if (Model !== undefined && isUserModel(Model) && userModelsOf(Model.registry).ofToken(token) !== Model) {
      throw authorizationRequired()
    }
    params[name] = String(userId)
  }
}

/** The model whose rows a parameter of the path names, where that is known. */
function modelOf ({ method: { model, relation } }: SharedRoute, parameter: string): ModelClass | undefined {
  if (parameter === 'id') return model
  return parameter === 'fk' && relation !== undefined ? model.state.relations.get(relation)?.target() : undefined
}
