import type { Connector } from '../data-source/connector.js'
import type { PropertyDefinition } from './definition.js'

/** Where the rows of a model are. */
interface StoredIn {
  readonly dataSource: { readonly connector: Pick<Connector, 'generatedIdType' | 'keepsIdType'> } | undefined
}

/**
 * A generated id has the type that the store gives out, unless the definition insists (`useDefaultIdType: false`), or
 * says how this store keeps it.
 */
export function withStoreIdType (property: PropertyDefinition, { dataSource }: StoredIn): PropertyDefinition {
  if (
    property.generated !== true ||
    property.id === undefined ||
    property.id === false ||
    property.useDefaultIdType === false
  ) { return property }
  if (property.defaultFn !== undefined) return property
  const connector = dataSource?.connector
  const type = connector?.generatedIdType
  return type === undefined || connector?.keepsIdType?.(property) === true ? property : { ...property, type }
}
