import type { TSchema } from '@sinclair/typebox'
import type { PropertyDefinition } from '../definition/definition.js'
import type { CheckedSettings } from '../typed/checks.js'

/**
 * A TypeBox schema with settings of the property (`id`, `generated`, `default`, `defaultFn`, `hidden`, `index` …). The
 * settings may as well be written among the schema's own options; written here, the types of rows and inputs know of
 * them.
 *
 * ```ts
 * Type.Object({ id: Property(Type.String(), { id: true, defaultFn: 'uuidv4' }), state: Property(Type.String(), {
 * default: 'new' }) })
 * ```
 */
export function Property<const Schema extends TSchema, const Settings extends Omit<PropertyDefinition, 'type'>> (
  schema: Schema,
  settings: Settings & NoInfer<CheckedSettings<Settings>>
): Schema & Settings {
  return { ...schema, ...settings }
}
