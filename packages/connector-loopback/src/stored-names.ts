/** Names that a store has for properties, and no property has: they are no way to values (security.md, S-170). */
import type { StoredModel } from '@fastback/core'

/** What connectors call the name of a column or field in their object of a property. */
const settings = ['fieldName', 'field', 'columnName', 'column']

/**
 * Whether a store has a declared property under this name, which no property has.
 * @param connector the name of the connector, by which properties say what is for it
 */
export function isStoredName (
  { properties, propertyByName }: StoredModel, name: string, connector: string
): boolean {
  return !propertyByName.has(name) && properties.some(({ definition }) => {
    const own = (definition as Readonly<Record<string, unknown>>)[connector]
    return own !== null && typeof own === 'object' &&
      settings.some(setting => (own as Readonly<Record<string, unknown>>)[setting] === name)
  })
}
