/** What `authenticate(paths, options)` declares. */
import { levels, type Assurance } from '@fastback/auth/service'
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { checkOptions } from '@fastback/core/remote'
import { covers, scopeList } from '../checks/scope.js'
import { InsufficientScope, InvalidOptionsError } from '../errors.js'
import { AuthenticateSchema } from '../authenticate-options.js'
import { pathAssurance } from '../session/login-facts.js'
import type { AuthenticateOptions } from '../authenticate-options.js'
import { coversAny, prefixOf, type Covers, type PathRules } from './paths.js'
import { tableScopes, type ScopesOfRoute } from './route-scopes.js'

export interface Rule {
  readonly covers: Covers
  readonly session: boolean
  /** Scopes that the options name, whatever the route. */
  readonly scopes: readonly string[]
  /** How the user of the token must have logged in; undefined: somehow. */
  readonly assurance: Assurance | undefined
  /** Whom the token must be for; undefined: this server. */
  readonly resource: string | undefined
  /** @throws InsufficientScope */
  check (scopes: readonly string[], method: string, forms: readonly string[]): MaybePromise<void>
}

/** @throws FBK_OAUTH2_INVALID_OPTIONS */
export function compileRule (
  paths: string | readonly string[] | undefined,
  options: AuthenticateOptions,
  pathRules: PathRules,
  mapping: ScopesOfRoute | undefined,
  acrNames: readonly string[] = levels
): Rule {
  const list = [paths ?? '/'].flat()
  const wrong = list.find(path => typeof path !== 'string' || !path.startsWith('/'))
  if (wrong !== undefined) {
    throw new InvalidOptionsError(`authenticate() was given "${String(wrong)}", which is no path: one starts with "/".`)
  }
  const { scope, scopes, session, allScopes, acrValues, maxAge, resource } =
    checkOptions(AuthenticateSchema, options, InvalidOptionsError)
  const assurance = pathAssurance({ acrValues, maxAge }, acrNames)
  if (typeof assurance === 'string') {
    throw new InvalidOptionsError(`authenticate() was given the level "${assurance}" in "acrValues"; there are ${acrNames.join(', ')}.`)
  }
  const isTable = typeof scopes === 'object' && !Array.isArray(scopes)
  const needed = [...scopeList(scope), ...(isTable ? [] : scopeList(scopes))]
  const sources: ScopesOfRoute[] = [
    () => (needed.length === 0 ? undefined : needed),
    ...(isTable
      ? [
          tableScopes(
            scopes as Record<string, unknown>,
            list.map(path => prefixOf(path, pathRules))
          )
        ]
      : []),
    ...(mapping === undefined ? [] : [mapping])
  ]
  const suffices =
    allScopes === true
      ? covers
      : (given: readonly string[], needed: readonly string[]): boolean => needed.some(scope => given.includes(scope))
  return {
    covers: coversAny(list, pathRules),
    session: session === true,
    resource,
    assurance,
    scopes: [...new Set([...needed, ...(isTable ? Object.keys(scopes) : [])])],
    check: (given, method, forms) =>
      sources.reduce<MaybePromise<void>>(
        (before, source) =>
          chain(before, () =>
            chain(source(method, forms), wanted => {
              if (wanted !== undefined && !suffices(given, wanted)) {
                throw new InsufficientScope(wanted)
              }
            })
          ),
        undefined
      )
  }
}
