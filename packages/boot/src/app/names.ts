/** Classes and connectors that LoopBack's module has beside its functions. */
import { AccessContext, AccessRequest, Principal } from '@fastback/acl/access'
import { DataSource, ValidationError } from '@fastback/core'
import { connectorModule } from '../connectors.js'
import { GeoPoint } from '@fastback/core/juggler'

/** Built-in connectors as modules: `createDataSource({ connector: loopback.Memory })`. */
export const builtinConnectors = {
  Memory: connectorModule('memory'),
  KeyValueMemory: connectorModule('kv-memory'),
  Remote: connectorModule('remote')
} as const

interface LoopbackNames {
  readonly AccessContext: typeof AccessContext
  readonly AccessRequest: typeof AccessRequest
  readonly DataSource: typeof DataSource
  readonly GeoPoint: typeof GeoPoint
  readonly Principal: typeof Principal
  readonly ValidationError: typeof ValidationError
}

export const loopbackNames: LoopbackNames & typeof builtinConnectors = {
  ...builtinConnectors, AccessContext, AccessRequest, DataSource, GeoPoint, Principal, ValidationError
}
