/** Functions of the model AccessToken, as code of LoopBack applications calls and overrides them. */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { callWithNext, compiledOf } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { builtin, isOwn } from '../builtin.js'
import { userModelsOf } from '../user/user-models.js'
import { tokenFinder, type CarrierOptions } from './find-token.js'
import { isValid, TokenReader } from './token-reader.js'
import { generateToken } from './token-text.js'

type Next = (error?: unknown, token?: unknown) => void

interface TokenModel extends ModelClass {
  getIdForRequest (req: Carrying, options?: CarrierOptions): string | undefined
  resolve (id: string, done: Next): unknown
  findForRequest (req: Carrying, options: CarrierOptions | undefined, done: Next): unknown
}

/** A request as Express code has it. */
interface Carrying {
  readonly headers: FastifyRequest['headers']
  readonly query?: unknown
  readonly signedCookies?: unknown
}

const kReader = Symbol('fastback.tokenReaderOf')

/** Looks tokens of a model up, without remembering them. */
const readerOf = (Model: ModelClass): TokenReader =>
  Model.registry.slot(kReader, () => new WeakMap<ModelClass, TokenReader>()).get(Model) ?? keepReader(Model)

function keepReader (Model: ModelClass): TokenReader {
  const reader = new TokenReader(Model, { size: 1, ttl: 0 })
  Model.registry.slot(kReader, () => new WeakMap<ModelClass, TokenReader>()).set(Model, reader)
  return reader
}

const statically = (work: (Model: TokenModel, values: readonly any[]) => unknown) =>
  builtin(function (this: TokenModel, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    return promiseOrCallback(async () => await work(this, values), callback, false, this.registry)
  })

/** Stands for the token of a request without one. */
export const anonymous = Object.freeze({ id: '$anonymous' })

export const tokenStatics = {
  DEFAULT: 'DEFAULT',
  ANONYMOUS: anonymous,

  /** `AccessToken.createAccessTokenId([callback])`: the text of a new token. */
  createAccessTokenId: statically(({ settings }) => generateToken(Number(settings.accessTokenIdLength ?? 64))),

  /** The text of a request's token; undefined where it has none. Only signed cookies count (security.md, S-55). */
  getIdForRequest: builtin((req: Carrying, options: CarrierOptions = {}): string | undefined =>
    tokenFinder(options)({ query: req.query, headers: req.headers, raw: req } as unknown as FastifyRequest)?.[0]),

  /**
   * `AccessToken.resolve(id, [callback])`: the token with this text, or null.
   * @throws RequestError 401 INVALID_TOKEN for one that has ended
   */
  resolve: statically(async (Model, [id]) => await readerOf(Model).read([String(id)])),

  /** `findForRequest(req, [options], [callback])`: by `getIdForRequest` and `resolve`, whosever they are. */
  findForRequest: statically(async (Model, [req, options]) => {
    const id = Model.getIdForRequest(req as Carrying, options as CarrierOptions | undefined)
    return id === undefined || id === '' ? null : await callWithNext(next => Model.resolve(id, next), true) ?? null
  })
}

export const tokenMethods = {
  /** `token.validate([callback])`: whether it has not ended. */
  validate: builtin(function (this: ModelInstance, ...args: unknown[]): unknown {
    const { Model } = compiledOf(this)
    return promiseOrCallback(() => {
      const users = userModelsOf(Model.registry)
      const owner = users.ofToken(this, Model) ?? Model.registry.findModel('User')
      return isValid(this, owner?.settings.allowEternalTokens === true)
    }, splitCallback(args).callback, false, Model.registry)
  })
}

/**
 * How an application that has its own `findForRequest`, `getIdForRequest` or `resolve` finds the token of a request;
 * undefined for one that leaves that to us.
 */
export function ownLookup (
  Model: ModelClass, options: CarrierOptions
): ((request: FastifyRequest, withCookies: boolean) => Promise<ModelInstance | null>) | undefined {
  const own = Model as TokenModel
  // A token model that does not extend AccessToken has none of them.
  const all: unknown[] = [own.findForRequest, own.getIdForRequest, own.resolve]
  if (!all.some(isOwn)) return undefined
  return async ({ raw, headers, query }, withCookies) => {
    const { cookie: _, ...others } = headers
    const carried = withCookies ? { headers } : { headers: others, cookies: {}, signedCookies: {} }
    const req = Object.assign(Object.create(raw) as Carrying, { query, ...carried })
    return (await callWithNext(next => own.findForRequest(req, options, next), true) ?? null) as ModelInstance | null
  }
}
