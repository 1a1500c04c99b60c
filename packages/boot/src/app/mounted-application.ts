/** Applications within an application, Express' or our own: `app.use('/admin', other)`. */
import { exchangeOf, outerNext, type ExpressRequest, type Next } from '../middleware/exchange.js'
import { namesNoFile, pathnameOf } from '../middleware/paths.js'
import { refuseEscapedPaths, type Router } from '../middleware/router.js'
import type { Handler, Paths } from './express-handler.js'

export const isApplication = (handler: Handler): boolean =>
  typeof handler.handle === 'function' && typeof handler.set === 'function'

/** What Express tells an application that is made part of another one. */
export function tellMounted (application: object, parent: object, paths: Paths | undefined): void {
  Object.assign(application, { mountpath: paths ?? '/', parent })
  ;(application as { emit?: (event: string, parent: object) => void }).emit?.('mount', parent)
}

/** The application as a handler. It gives the request its own methods, which are taken back when it passes it on. */
export function mounted (application: Handler & { readonly _router?: Pick<Router, 'stack'> }): Handler {
  return function mountedApplication (req: ExpressRequest, res: object, next: Next) {
    if (namesNoFile(pathnameOf(req.url as string))) application._router?.stack.forEach(refuseEscapedPaths)
    const { [exchangeOf]: exchange, [outerNext]: outer } = req
    const ofRequest = Object.getPrototypeOf(req) as object
    const ofResponse = Object.getPrototypeOf(res) as object
    req[exchangeOf] = undefined
    ;(application.handle as Handler)(req, res, (error?: unknown) => {
      Object.setPrototypeOf(req, ofRequest)
      Object.setPrototypeOf(res, ofResponse)
      Object.assign(req, { [exchangeOf]: exchange, [outerNext]: outer })
      if (exchange !== undefined) exchange.host.prepare(exchange.request, exchange.reply)
      next(error)
    })
  }
}
