/** What an application writes into its models for a database: column types, property by property. */
import type { LoopbackConnectorModule } from '@fastback/connector-loopback'

type Loose = any

/** Column types by the name of the property's type; `text` for properties without an index. */
export type ColumnTypes = Readonly<Record<string, object>>

/** The module with `{ "mysql": { "dataType": … } }` on every property of the models that reach it. */
export function mapped (module: LoopbackConnectorModule, name: string, types: ColumnTypes): LoopbackConnectorModule {
  return {
    initialize (dataSource, callback) {
      const result = module.initialize(dataSource, callback)
      const connector = dataSource.connector as Loose
      const define = connector.define
      connector.define = function (definition: Loose) {
        for (const property of Object.values<Loose>(definition.properties)) {
          const type = property.id || property.index ? undefined : types[property.type.name ?? 'Array']
          if (type !== undefined) property[name] = type
        }
        return define.call(this, definition)
      }
      return result
    }
  }
}
