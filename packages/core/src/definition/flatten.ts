/**
 * A definition with all that it says in one place. LoopBack's folders and code say the same things at the top level,
 * under `options` (`createModel({ name, options })`), and as a third argument (`extend(name, properties, settings)`,
 * here `settings`).
 */
import { isDeepStrictEqual } from 'node:util'
import type { ModelDefinitionInput } from './definition.js'
import { modelWithoutEmpty } from './empty-texts.js'
import { InvalidDefinitionError } from '../errors.js'

/** What decides about access or shape as a whole: two lists of rules are not merged, and neither is dropped. */
const whole: ReadonlySet<string> = new Set([
  'properties',
  'base',
  'plural',
  'relations',
  'acls',
  'methods',
  'mixins',
  'scopes',
  'hidden',
  'hiddenProperties',
  'protected',
  'protectedProperties'
])

/**
 * Brings `options` and `settings` to the top level. As in LoopBack a setting under `options` wins over the same one
 * elsewhere; of what decides about access there can be one only.
 *
 * ```js
 * flattenDefinition({ name: 'Note', options: { strict: true } }) // { name: 'Note', strict: true }
 * ```
 * @returns the definition itself, where it has neither and no empty texts
 * @throws FBK_CORE_INVALID_DEFINITION where they are no objects, or two places say different things of relations,
 * rules, hidden properties, methods, mixins, scopes
 */
export function flattenDefinition (input: ModelDefinitionInput, source?: string): ModelDefinitionInput {
  const { options, settings, ...top } = input as Record<string, unknown>
  if (options === undefined && settings === undefined) return modelWithoutEmpty(input)
  const flat: Record<string, unknown> = { ...top }
  const place = `${source === undefined ? '' : `${source}: `}model "${String(input.name)}"`
  for (const [key, more] of Object.entries({ settings, options })) {
    if (more === undefined || more === null) continue
    if (typeof more !== 'object' || Array.isArray(more)) {
      throw new InvalidDefinitionError(`${place}, ${key}`, 'must be an object')
    }
    for (const [name, value] of Object.entries(more)) {
      if (value === undefined || name === 'name') continue
      // In code: values that rows of the model's scope have.
      if (name === 'properties' && key === 'settings' && !saysNothing(top.properties)) {
        flat.attributes ??= value
        continue
      }
      const before = flat[name]
      if (!whole.has(name) || saysNothing(before)) flat[name] = value
      else if (!saysNothing(value) && !isDeepStrictEqual(before, value)) {
        throw new InvalidDefinitionError(
          `${place}, ${key}.${name}`,
          `says something else than "${name}" elsewhere in the definition; say it in one place`
        )
      }
    }
  }
  return modelWithoutEmpty(flat as unknown as ModelDefinitionInput)
}

const saysNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
