/** The property that counts the writes of a row (setting `version`). */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelDefinition, ModelSettings, PropertyDefinition } from './definition.js'
import { locationOf } from './location.js'
import type { CompiledProperty } from './stored-model.js'

const kinds: ReadonlySet<string> = new Set(['number', 'integer', 'long'])

/** Its name; undefined for models without. */
const nameIn = ({ version }: ModelSettings): string | undefined =>
  version === true ? 'version' : typeof version === 'string' ? version : undefined

/**
 * The properties of a model with the one that its setting `version` asks for.
 *
 * ```js
 * withVersion({ title: { type: 'string' } }, { version: true }) // { title: …, version: { type: 'integer', … } }
 * ```
 */
export function withVersion (
  properties: Record<string, PropertyDefinition>, settings: ModelSettings
): Record<string, PropertyDefinition> {
  const name = nameIn(settings)
  const declared = name === undefined ? undefined : properties[name]
  if (name === undefined || (declared === undefined && settings.version !== true)) return properties
  return { ...properties, [name]: { type: 'integer', ...declared, default: 1, readOnly: true, required: false } }
}

/**
 * The compiled property of a model's versions; undefined for models without.
 *
 * ```js
 * versionOf(definition, propertyByName)?.name // 'version'
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION where there is no such property, or it cannot count
 */
export function versionOf (
  definition: ModelDefinition, properties: ReadonlyMap<string, CompiledProperty>
): CompiledProperty | undefined {
  const name = nameIn(definition.settings)
  if (name === undefined) return undefined
  const property = properties.get(name)
  const why = property === undefined
    ? `names the property "${name}", which is not declared; write true, or declare it with the type "number"`
    : property.idPosition > 0
      ? `names the id "${name}", which never changes; write true, or name another property`
      : kinds.has(property.type.kind)
        ? undefined
        : `names "${name}", which is of the type "${property.type.kind}"; versions are whole numbers`
  if (why !== undefined) throw new InvalidDefinitionError(locationOf(definition, 'version'), why)
  return property
}
