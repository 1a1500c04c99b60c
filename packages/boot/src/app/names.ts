/** Classes and connectors that LoopBack's module has beside its functions. */
import { AccessContext, AccessRequest, Principal } from '@fastback/acl/access'
import { DataSource, ValidationError } from '@fastback/core'
import { connectorModule } from '../connectors.js'
import { GeoPoint } from './geo-point.js'

/** Built-in connectors as modules: `createDataSource({ connector: loopback.Memory })`. */
export const builtinConnectors = {
  Memory: connectorModule('memory'),
  KeyValueMemory: connectorModule('kv-memory')
} as const

export const loopbackNames = {
  ...builtinConnectors, AccessContext, AccessRequest, DataSource, GeoPoint, Principal, ValidationError
}
