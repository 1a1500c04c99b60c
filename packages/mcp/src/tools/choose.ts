/** Which methods are tools. */
import type { SharedMethod } from '@fastback/core'
import type { PublishedRoute } from '@fastback/rest'
import { callFault } from '@fastback/rest/calls'
import { UnknownToolError } from '../errors.js'
import type { Settings } from '../options.js'

/** Built-in methods that read, and that an agent needs; the others are tools where they are named. */
const reading: ReadonlySet<SharedMethod['builtin']> = new Set(['find', 'findById', 'count', undefined])

/** Whether a method only reads: one of the application's own only where it says so, for many a GET writes. */
export const isRead = ({ verb, method: { accessType, builtin, relation } }: PublishedRoute): boolean =>
  verb === 'GET' && (accessType === 'READ' || (accessType === undefined && (builtin ?? relation) !== undefined))

/**
 * The routes of the chosen methods, one for each method.
 * @throws FBK_MCP_UNKNOWN_TOOL for names that lead to no method
 */
export function chosenRoutes (
  routes: readonly PublishedRoute[], { models, tools }: Pick<Settings, 'models' | 'tools'>
): PublishedRoute[] {
  const possible = oneForEach(routes.filter(({ verb, method }) =>
    verb !== 'HEAD' && verb !== 'OPTIONS' && method.documented && callFault(method) === undefined))
  const readsOf = (named: ReadonlySet<string> | undefined): PublishedRoute[] => possible.filter(route => {
    const { method } = route
    return isRead(route) && method.relation === undefined && reading.has(method.builtin) &&
      (named === undefined || named.has(method.modelName))
  })
  const known = new Set(routes.map(({ method }) => method.modelName))
  for (const name of [...models ?? [], ...Object.keys(tools ?? {})]) {
    if (!known.has(name)) throw new UnknownToolError(`there is no published model "${name}".`)
  }
  const byModel = models === undefined && tools !== undefined ? [] : readsOf(models && new Set(models))
  const byName = Object.entries(tools ?? {}).flatMap(([model, names]) => names.map(name => named(model, name)))
  return [...new Set([...byModel, ...byName])]

  function named (model: string, name: string): PublishedRoute {
    const is = ({ method }: PublishedRoute): boolean =>
      method.modelName === model && (method.fullName === name || method.name === name || method.aliases.includes(name))
    const found = possible.find(is)
    if (found !== undefined) return found
    const [left] = routes.filter(is)
    const fault = left === undefined ? undefined : callFault(left.method)
    throw new UnknownToolError(fault === undefined
      ? `"${name}" is no published and documented method of "${model}".`
      : `"${name}" of "${model}" cannot be a tool: ${fault}.`)
  }
}

/** A method may have several routes. */
function oneForEach (routes: readonly PublishedRoute[]): PublishedRoute[] {
  const first = new Map<SharedMethod, PublishedRoute>()
  for (const route of routes) if (!first.has(route.method)) first.set(route.method, route)
  return [...first.values()]
}
