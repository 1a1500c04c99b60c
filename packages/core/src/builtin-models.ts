/** Models that packages bring: how they are put into a registry, and which package has which. */
import type { BuiltinModel } from './contracts/builtin-model.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { ModelRegistry } from './interfaces/model-registry.js'

const packages: ReadonlyMap<string, string> = new Map([
  ...['User', 'AccessToken', 'Application', 'Email'].map(name => [name, '@fastback/auth'] as const),
  ...['ACL', 'Role', 'RoleMapping', 'Scope'].map(name => [name, '@fastback/acl'] as const),
  ...[
    'OAuthAccessToken', 'OAuthAuthorizationCode', 'OAuthPermission', 'OAuthScope', 'OAuthScopeMapping',
    'OAuthClientApplication', 'OAuthState'
  ].map(name => [name, '@fastback/oauth2'] as const),
  ...['UserIdentity', 'UserCredential', 'ApplicationCredential', 'LoginState', 'LoginSession']
    .map(name => [name, '@fastback/login'] as const)
])

/**
 * Whether a package defines a model of this name when its plugin is registered.
 *
 * ```js
 * isBuiltin('AccessToken') // true
 * ```
 */
export const isBuiltin = (name: string): boolean => packages.has(name)

/** The names that `isBuiltin` knows. */
export const builtinNames: readonly string[] = [...packages.keys()]

/** " It is a model of @fastback/auth: …" for names of built-in models; undefined for others. */
export function whereFrom (name: string): string | undefined {
  const from = packages.get(name)
  return from === undefined ? undefined : ` It is a model of ${from}: register that plugin as well.`
}

/**
 * Defines one; anyone who is told of it (the event `modelDefined`) finds it complete.
 *
 * ```js
 * defineBuiltin(registry, { definition: userDefinition, setUp: setUpUser })
 * ```
 * @throws as `registry.defineModel`
 */
export function defineBuiltin (registry: ModelRegistry, { definition, setUp }: BuiltinModel): ModelClass {
  return registry.defineModel(definition, setUp === undefined ? {} : { setUp }) as ModelClass
}

/**
 * Defines those that a registry does not have: for plugins that bring models.
 *
 * ```js
 * installModels(registry, [{ definition: userDefinition, setUp: setUpUser }])
 * ```
 * @throws as `registry.defineModel`
 */
export function installModels (registry: ModelRegistry, models: readonly BuiltinModel[]): void {
  for (const model of models) {
    if (registry.findModel(model.definition.name) === undefined) defineBuiltin(registry, model)
  }
}
