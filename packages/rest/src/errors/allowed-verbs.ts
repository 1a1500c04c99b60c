import type { FastifyRequest } from 'fastify'
import type { ModelPlan } from '../routes/plan.js'

/**
 * The verbs that a path has, for the header `Allow`: none where no route has the path. Asked only when a request is
 * refused.
 * @param prefix where the routes are mounted, `/api`
 */
export function allowedVerbs (request: FastifyRequest, prefix: string, plans: readonly ModelPlan[]): string[] {
  const [whole] = (request.raw.url as string).split(/[?#]/, 1) as [string]
  const parts = partsOf(whole.slice(prefix.length))
  const verbs = new Set(
    plans
      .flatMap(({ routes }) => routes)
      .filter(({ url }) => matches(partsOf(url), parts))
      .flatMap(route => route.verbs)
  )
  if (verbs.has('GET')) verbs.add('HEAD')
  return [...verbs].sort()
}

const partsOf = (path: string): string[] => path.toLowerCase().replace(/\/$/, '').split('/')

const matches = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
