/** The built-in models of this package. */
import type { BuiltinModel, ModelRegistry } from '@fastback/core'
import { installModels } from '@fastback/core/remote'
import { accessTokenDefinition, setUpAccessToken } from './access-token.js'
import { applicationDefinition, setUpApplication } from './application.js'
import { emailDefinition, setUpEmail } from './email.js'
import { userDefinition } from './user.js'
import { setUpUser } from '../user/set-up.js'

export const authModels: readonly BuiltinModel[] = [
  { definition: userDefinition, setUp: setUpUser },
  { definition: accessTokenDefinition, setUp: setUpAccessToken },
  { definition: applicationDefinition, setUp: setUpApplication },
  { definition: emailDefinition, setUp: setUpEmail }
]

/**
 * Defines User, AccessToken, Application and Email where the registry does not have them. Call it before a registry
 * without a server is given models that extend them; the plugin calls it, too. They are attached like any model:
 * `registry.attach('User', 'db', { public: true })`.
 *
 * ```js
 * installAuthModels(registry)
 * registry.defineModel({ name: 'Customer', base: 'User' })
 * ```
 */
export function installAuthModels (registry: ModelRegistry): void {
  installModels(registry, authModels)
}

/**
 * Attaches built-in models that an application did not attach itself, and has no model of its own for. The value:
 * whether it is published.
 *
 * ```js
 * attachMissing(registry, { User: true, AccessToken: false }, 'db')
 * ```
 */
export function attachMissing (
  registry: ModelRegistry,
  models: Readonly<Record<string, boolean>>,
  dataSource: string
): void {
  for (const [name, isPublic] of Object.entries(models)) {
    if (registry.getModelByType(name)?.dataSource === null) registry.attach(name, dataSource, { public: isPublic })
  }
}
