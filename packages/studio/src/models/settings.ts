/** Settings of a model that are shown: those that are written in its definition, without what is told elsewhere. */
import { isSecretName } from '@fastback/core/connector'

const elsewhereShown: ReadonlySet<string> = new Set([
  '$schema', 'name', 'base', 'super', 'plural', 'public', 'description', 'properties', 'relations', 'acls', 'indexes',
  'methods', 'mixins', 'hidden', 'protected', 'hiddenProperties', 'protectedProperties'
])

/**
 * A copy of plain values alone. What is named like a secret is left out.
 *
 * ```js
 * shownSettings({ strict: true, apiKey: 'x', acls: [] }) // { strict: true }
 * ```
 */
export const shownSettings = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => {
    if (elsewhereShown.has(name) || isSecretName(name) || value === undefined) return []
    const copy = plainCopy(value)
    return copy === undefined ? [] : [[name, copy]]
  }))

/** Of deep settings the outer levels; undefined for what JSON does not have. */
function plainCopy (value: unknown, depth = 0): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value
  if (typeof value !== 'object' || depth > 6) return undefined
  if (Array.isArray(value)) return value.map(each => plainCopy(each, depth + 1) ?? null)
  return Object.fromEntries(Object.entries(value)
    .filter(([name]) => !isSecretName(name))
    .map(([name, each]) => [name, plainCopy(each, depth + 1)]))
}
