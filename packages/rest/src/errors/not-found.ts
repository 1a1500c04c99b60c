import type { RequestError } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import { noMethodForPath, noMethodOfModel } from './request-errors.js'

export interface ModelPath {
  readonly modelName: string
  /** `/Notes`, `/press/articles` */
  readonly path: string
}

/**
 * The 404 for a path under the REST root that no route has: it names the model whose path it is, if any.
 *
 * ```js
 * app.setNotFoundHandler(request => { throw unknownPath(request, '/api', [{ modelName: 'Note', path: '/Notes' }]) })
 * ```
 * @param prefix where the routes are mounted, `/api`
 */
export function unknownPath (request: FastifyRequest, prefix: string, models: readonly ModelPath[]): RequestError {
  const [whole] = (request.raw.url as string).split(/[?#]/, 1) as [string]
  const path = whole.toLowerCase().startsWith(prefix.toLowerCase()) ? whole.slice(prefix.length) : whole
  const lower = path.toLowerCase()
  const model = models.find(candidate => {
    const own = candidate.path.toLowerCase()
    return lower === own || lower.startsWith(`${own}/`)
  })
  if (model === undefined) return noMethodForPath(request.method, path === '' ? '/' : path)
  const rest = path.slice(model.path.length)
  return noMethodOfModel(model.modelName, request.method, rest === '' ? '/' : rest)
}
