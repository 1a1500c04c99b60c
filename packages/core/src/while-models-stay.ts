import type { ModelRegistry } from './interfaces/model-registry.js'

/**
 * What is worked out from all models of a registry, kept until one of them changes or another is added.
 *
 * ```js
 * const kNames = Symbol('names')
 * const namesOf = registry => whileModelsStay(registry, kNames, () => Object.keys(registry.models))
 * ```
 * @param key one for each kind of thing that is worked out
 */
export function whileModelsStay<T> (registry: ModelRegistry, key: symbol, workOut: () => T): T {
  const slot = registry.slot<{ known: { readonly value: T } | undefined }>(key, () => {
    const made: { known: { readonly value: T } | undefined } = { known: undefined }
    const forget = (): void => { made.known = undefined }
    for (const event of ['modelDefined', 'modelChanged']) registry.on(event, forget)
    return made
  })
  return (slot.known ??= { value: workOut() }).value
}
