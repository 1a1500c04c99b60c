/** The properties of rows that are put away and not removed (setting `softDelete`). */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelDefinition, ModelSettings, PropertyDefinition } from './definition.js'
import { locationOf } from './location.js'
import type { CompiledProperty } from './stored-model.js'

/** What the setting says, written out. */
export interface SoftDeleteSetting {
  /** The property that says when a row was put away. */
  readonly property: string
  /** Seconds after which such rows are removed for good; undefined: never. */
  readonly purgeAfter: number | undefined
}

/**
 * The property that tells rows which were put away by the same delete, so that a restore brings back these and no
 * others. It is stored, and nobody sees it.
 */
export const deletionProperty = '_deletion'

/**
 * What a model's setting `softDelete` says; undefined for models without.
 *
 * ```js
 * softDeleteIn({ softDelete: true }) // { property: 'deletedAt', purgeAfter: undefined }
 * ```
 */
export function softDeleteIn ({ softDelete }: Pick<ModelSettings, 'softDelete'>): SoftDeleteSetting | undefined {
  if (softDelete === undefined || softDelete === null || softDelete === false) return undefined
  if (typeof softDelete !== 'object') return { property: 'deletedAt', purgeAfter: undefined }
  const { property = 'deletedAt', purgeAfter } = softDelete
  return { property, purgeAfter }
}

/**
 * The properties of a model with the one that its setting `softDelete` asks for.
 *
 * ```js
 * withSoftDelete({ title: { type: 'string' } }, { softDelete: true }) // { title: …, deletedAt: { type: 'date', … } }
 * ```
 */
export function withSoftDelete (
  properties: Record<string, PropertyDefinition>, settings: ModelSettings
): Record<string, PropertyDefinition> {
  const setting = softDeleteIn(settings)
  if (setting === undefined) return properties
  const { default: _, ...declared } = properties[setting.property] ?? {}
  return { ...properties, [setting.property]: { type: 'date', ...declared, readOnly: true, required: false } }
}

/**
 * The compiled property that says when a row was put away; undefined for models without.
 *
 * ```js
 * softDeleteOf(definition, propertyByName)?.name // 'deletedAt'
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION where it cannot hold a date
 */
export function softDeleteOf (
  definition: ModelDefinition, properties: ReadonlyMap<string, CompiledProperty>
): CompiledProperty | undefined {
  const setting = softDeleteIn(definition.settings)
  const property = setting === undefined ? undefined : properties.get(setting.property)
  if (property === undefined) return undefined
  const why = property.idPosition > 0
    ? `names the id "${property.name}"; name another property, or write true`
    : property.type.kind === 'date' && property.type.calendar === undefined
      ? undefined
      : `names "${property.name}", which is of the type "${property.type.kind}"; when a row was put away is a date`
  if (why !== undefined) throw new InvalidDefinitionError(locationOf(definition, 'softDelete'), why)
  return property
}
