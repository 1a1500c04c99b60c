import type { RequestError } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import { noMethodForPath, noMethodOfModel } from './request-errors.js'

export interface ModelPath {
  readonly modelName: string
  /** `/Notes`, `/press/articles` */
  readonly path: string
}

/** What a 404 may say beyond that no route has the path. */
export interface PathAdvice {
  /** Models that are defined and not published, with the paths that they would have. Default: none. */
  readonly unpublished?: readonly ModelPath[] | undefined
  /** Whether the letters of paths count, so that `/notes` is not `/Notes`. Default: false. */
  readonly lettersCount?: boolean | undefined
}

/**
 * The 404 for a path under the REST root that no route has: it names the model whose path it is, if any.
 *
 * ```js
 * app.setNotFoundHandler(request => { throw unknownPath(request, '/api', [{ modelName: 'Note', path: '/Notes' }]) })
 * ```
 * @param prefix where the routes are mounted, `/api`
 * @param advice what who develops may be told
 */
export function unknownPath (
  request: FastifyRequest,
  prefix: string,
  models: readonly ModelPath[],
  { unpublished = [], lettersCount }: PathAdvice = {}
): RequestError {
  const [whole] = (request.raw.url as string).split(/[?#]/, 1) as [string]
  const path = whole.toLowerCase().startsWith(prefix.toLowerCase()) ? whole.slice(prefix.length) : whole
  const lower = path.toLowerCase()
  const isOf = (candidate: ModelPath): boolean => {
    const own = candidate.path.toLowerCase()
    return lower === own || lower.startsWith(`${own}/`)
  }
  const model = models.find(isOf)
  if (model === undefined) {
    const defined = unpublished.find(isOf)
    return noMethodForPath(request.method, path === '' ? '/' : path, defined === undefined
      ? ''
      : `: the model "${defined.modelName}" is defined and not published ("models" of @fastback/core, or "public": true)`)
  }
  const rest = path.slice(model.path.length)
  if (lettersCount === true && !path.startsWith(model.path)) {
    return noMethodOfModel(model.modelName, request.method, rest === '' ? '/' : rest,
      `: its path is ${model.path}, and letters count here (routerOptions: { caseSensitive: false } of Fastify folds them)`)
  }
  return noMethodOfModel(model.modelName, request.method, rest === '' ? '/' : rest)
}
