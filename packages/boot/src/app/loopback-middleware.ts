/** Middleware of the framework object: `loopback.rest()`, `loopback.token()`, `loopback.status()` … */
import { createRequire } from 'node:module'
import { markPrivate } from '@fastback/auth/service'
import { RemovedFunctionError } from '../errors.js'
import { exchangeOf, type ExpressRequest, type Next } from '../middleware/exchange.js'
import { defaultIcon } from '../middleware/native/static.js'
import { handOverStep, markNative } from './native-handler.js'

type Handler = (req: ExpressRequest, res: unknown, next: Next) => unknown

/** Parameters of the token middleware, as far as they concern Express code. */
export interface TokenParams {
  readonly currentUserLiteral?: string | boolean
  readonly enableDoublecheck?: boolean
  readonly overwriteExistingToken?: boolean
  readonly [name: string]: unknown
}

/** An error as the framework raises it for an address that nothing answers. */
export function urlNotFound (req: { method?: string | undefined, url?: string | undefined }): Error {
  return Object.assign(new Error(`Cannot ${req.method} ${req.url}`), { status: 404, statusCode: 404, code: 'PATH_NOT_FOUND' })
}

/** `{ started, uptime }` of the status middleware; uptime in seconds. */
export function statusBody (started: Date): { started: Date, uptime: number } {
  return { started, uptime: (Date.now() - started.getTime()) / 1000 }
}

/** They belong to no application: each asks the one that it was added to. */
export const loopbackMiddleware = {
  status () {
    const started = new Date()
    return (_req: ExpressRequest, res: { send (body: unknown): void }) => {
      res.send(statusBody(started))
    }
  },

  /** Stands for the REST routes; mounted with `app.use(app.get('restApiRoot'), loopback.rest())`. */
  rest: (): Handler =>
    markNative(handOver, (paths, host) => {
      host.restMounted(paths)
      return handOverStep('rest', paths)
    }) as Handler,

  urlNotFound: () => (req: ExpressRequest, _res: unknown, next: Next) => {
    next(urlNotFound(req))
  },

  /** Express code finds the caller's token on the request, null where there is none. */
  token: (params: TokenParams = {}): Handler =>
    markNative(tokenHandler(params), (_paths, host) => {
      host.tokenUsed(params)
      return undefined
    }) as Handler,

  /** Serves an icon; without a file the framework's own. */
  favicon: (file: string = defaultIcon): Handler => serveIcon(file),

  errorHandler (): never {
    throw new RemovedFunctionError('loopback.errorHandler', insteadOfErrorHandler)
  },

  /** The error handler of the framework, as an Express middleware. */
  strongErrorHandler:
    (options: Record<string, unknown> = {}) =>
      (error: unknown, req: ExpressRequest, _res: unknown, next: Next) => {
        const exchange = req[exchangeOf]
        if (exchange === undefined) next(error)
        else exchange.host.answerError(error, exchange.request, exchange.reply, options)
      }
}

const insteadOfErrorHandler =
  'It is no longer available: use the module "strong-error-handler", in the phase "final:after".'

/** Lets Fastify's routes have the request; what they do not answer goes on after this handler. */
function handOver (req: ExpressRequest, _res: unknown, next: Next): void {
  const exchange = req[exchangeOf]
  if (exchange === undefined) next()
  else exchange.handOver(next)
}

/**
 * A token that other middleware put on the request stays, unless the parameters say otherwise: with
 * `enableDoublecheck` one without an id is looked up again, with `overwriteExistingToken` any.
 */
function tokenHandler (params: TokenParams): Handler {
  const literal = params.currentUserLiteral === true ? 'me' : params.currentUserLiteral
  return (req, _res, next) => {
    const exchange = req[exchangeOf]
    if (exchange === undefined || keepsToken(req, params)) { next(); return }
    Promise.resolve()
      .then(() => exchange.host.accessToken(exchange.request, exchange.reply))
      .then(token => {
        Object.assign(req, { accessToken: token ?? null })
        // One that a cookie parser made readable is found only now.
        if (token !== undefined && token !== null) markPrivate(exchange.reply)
        if (typeof literal === 'string') replaceLiteral(req, literal, token)
      })
      .then(() => { next() }, next)
  }
}

function keepsToken (req: ExpressRequest, { enableDoublecheck, overwriteExistingToken }: TokenParams): boolean {
  const given: unknown = Object.getOwnPropertyDescriptor(req, 'accessToken')?.value
  if (given === undefined) return false
  if (enableDoublecheck !== true) return true
  const isToken = given !== null && typeof given === 'object' && 'id' in given
  return isToken && overwriteExistingToken !== true
}

/** `/users/me` becomes the address of the caller; without one, reading the token was refused. */
function replaceLiteral (req: ExpressRequest, literal: string, token: unknown): void {
  const [path = '', ...rest] = (req.url as string).split(/(?=[?#])/)
  const segments = path.split('/')
  if (!segments.includes(literal)) return
  const userId = (token as { userId?: unknown } | null | undefined)?.userId
  if (userId === undefined || userId === null) return
  const own = encodeURIComponent(String(userId))
  req.url = segments.map(segment => segment === literal ? own : segment).join('/') + rest.join('')
}

/** By Express' own file sender: the icon may be anywhere on this machine. */
function serveIcon (file: string): Handler {
  const { static: files } = createRequire(import.meta.url)('express') as typeof import('express')
  const at = file.replaceAll('\\', '/').lastIndexOf('/')
  const serve = files(file.slice(0, at), { index: false, fallthrough: true, maxAge: '1d' })
  return (req, res, next) => {
    const path = (req.url as string).split(/[?#]/, 1)[0]
    if (path !== '/favicon.ico') { next(); return }
    const { url } = req
    req.url = `/${encodeURIComponent(file.slice(at + 1))}`
    serve(req as never, res as never, (error?: unknown) => {
      req.url = url as string
      next(error)
    })
  }
}
