/** What `app.use` and its siblings take: handlers of Express, and the paths that they are for. */
import type { Next } from '../middleware/exchange.js'
import { expressPath } from '../middleware/paths.js'

export type Handler = ((...args: any[]) => unknown) & {
  readonly handle?: unknown
  readonly set?: unknown
  readonly stack?: unknown
}
export type Paths = string | RegExp | ReadonlyArray<string | RegExp>

interface Request {
  readonly method: string
}

/** Paths in the spelling that Express compares. */
export const spelled = (paths: Paths): Paths =>
  Array.isArray(paths) ? paths.map(expressPath) : expressPath(paths as string | RegExp)

/** Runs a handler for some methods only; handlers of errors stay such. */
export function onlyFor (methods: readonly string[], handler: Handler): Handler {
  const concerns = (req: Request): boolean => methods.includes(req.method.toUpperCase())
  // Express tells handlers of errors by their four parameters.
  if (handler.length > 3) {
    return (error: unknown, req: Request, res: unknown, next: Next) => {
      if (concerns(req)) handler(error, req, res, next)
      else next(error)
    }
  }
  return (req: Request, res: unknown, next: Next) => {
    if (concerns(req)) handler(req, res, next)
    else next()
  }
}
