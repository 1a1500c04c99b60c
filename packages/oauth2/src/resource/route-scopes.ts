/**
 * Scopes that belong to routes: the option `scopes` as a table, and the rows of `OAuthScopeMapping` (oauth2.md, section
 * 9.2).
 */
import { RecentCache } from '@fastback/auth/service'
import type { MaybePromise, ModelClass, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { findRows, forgetOnChange } from '@fastback/core/remote'

interface Route {
  readonly scope: string
  /** Upper case; undefined: all. */
  readonly methods: readonly string[] | undefined
  readonly segments: readonly string[]
}

/** The scopes of the routes that a request is on: one of them is needed. Undefined: the request is on none. */
export type ScopesOfRoute = (method: string, forms: readonly string[]) => MaybePromise<readonly string[] | undefined>

/** `{ email: [{ methods: 'get', path: '/profile' }, '/order'] }`; paths are whole, or below one of the prefixes. */
export function tableScopes (table: Readonly<Record<string, unknown>>, prefixes: readonly string[]): ScopesOfRoute {
  const routes = Object.entries(table).flatMap(([scope, list]) => [list].flat().flatMap(each => {
    const { path, methods } = typeof each === 'string'
      ? { path: each, methods: undefined }
      : each as { path: string, methods?: string | string[] }
    return ['', ...prefixes].map(prefix => route(scope, prefix + path, methods))
  }))
  return (method, forms) => find(routes, method, forms)
}

/** `[verb] path` of each row; a change is seen within a second. */
export function storedScopes (Mapping: ModelClass): ScopesOfRoute {
  const recent = new RecentCache<readonly Route[]>({ size: 1, ttl: 1000 })
  forgetOnChange(Mapping, ['after save', 'after delete'], () => { recent.clear() })
  const load = (): MaybePromise<readonly Route[]> =>
    chain(findRows(Mapping.compiled, {}, { notify: false }), rows => rows.map(storedRoute))
  return (method, forms) => chain(recent.getOr('all', load), routes => find(routes, method, forms))
}

function storedRoute (row: Row): Route {
  const [, verb, path] = /^(?:([a-z]+)\s+)?([^]*)$/i.exec(String(row.route)) as unknown as [
    string,
    string | undefined,
    string
  ]
  return route(String(row.scope), path, verb)
}

function route (scope: string, path: string, methods: string | string[] | undefined): Route {
  const verbs = [methods ?? []].flat().map(verb => verb.toUpperCase())
  return {
    scope,
    methods: verbs.length === 0 || verbs.includes('ALL') ? undefined : verbs,
    segments: path.toLowerCase().split('/').filter(segment => segment !== '')
  }
}

/** A route covers what is below it, too: more is asked for rather than less. */
function find (routes: readonly Route[], method: string, forms: readonly string[]): string[] | undefined {
  const paths = forms.map(form => form.toLowerCase().split('/').filter(segment => segment !== ''))
  const isOn = ({ methods, segments }: Route): boolean => (methods === undefined || methods.includes(method)) &&
    paths.some(path => segments.every((segment, i) => path[i] !== undefined &&
      (segment === path[i] || segment === '*' || segment.startsWith(':'))))
  const scopes = routes.filter(isOn).map(({ scope }) => scope)
  return scopes.length === 0 ? undefined : [...new Set(scopes)]
}
