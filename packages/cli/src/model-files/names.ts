/** Names of models and of their files (generators.md, GE-6, GE-M6). */
import { builtinNames } from '@fastback/core/remote'
import { UsageError } from '../errors.js'

/**
 * The name of a model's files: `CoffeeShop` is kept in `coffee-shop.json`, `SKU` in `sku.json`, `coffee-Shop` in
 * `coffee-shop.json`. Files that begin with `_` are not loaded, and so none does.
 */
export function fileNameOf (given: string): string {
  const model = given.replace(/^_+/, '')
  if (model === model.toUpperCase() || model.includes('-')) return model.toLowerCase()
  return model.replace(/([a-z\d])([A-Z])/g, '$1-$2').replace(/([A-Z])([A-Z][a-z])/g, '$1-$2').toLowerCase()
}

/** Why a model, property, relation, data source or script cannot be called so; undefined where it can. */
export function faultOfName (name: string): string | undefined {
  if (name === '') return 'a name is needed.'
  const letter = /[/@+%:.\s]/.exec(name)?.[0]
  if (letter !== undefined) return `a name has no "${letter}".`
  if (!/^[-_a-zA-Z0-9]+$/.test(name)) return 'use letters, digits, "-" and "_".'
  return ['constructor', '__proto__', 'prototype'].includes(name) ? 'objects have it for themselves.' : undefined
}

/**
 * Names of the framework's models. What others describe (tables, APIs) must not take their place: an `ACL` of theirs
 * would be where rules of access are looked for (security.md, S-196).
 */
export const namesOfFramework: ReadonlySet<string> = new Set([
  'Model', 'PersistedModel', 'KeyValueModel', ...builtinNames, 'Change', 'Checkpoint', 'OAuthKey', 'UserFactor',
  'UserChallenge', 'WebhookSubscription', 'WebhookDelivery'
])

/** What a model is called whose name is one of the framework's, as tables have it (DN-3). */
export const recordNameOf = (name: string): string => `${name}Record`

/** @throws FBK_CLI_USAGE */
export function checkName (what: string, name: string): string {
  const fault = faultOfName(name)
  if (fault !== undefined) throw new UsageError(`"${name}" cannot be the name of a ${what}: ${fault}`)
  return name
}
