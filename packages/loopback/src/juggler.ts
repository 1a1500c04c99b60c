/** `@fastback/loopback/juggler`: stands for the package `loopback-datasource-juggler`. */
import { connectorModule } from '@fastback/boot/server'
import { errors } from '@fastback/core'
import { BaseModel, keyValueStatics, Transaction } from '@fastback/core/juggler'
import { Connector } from './juggler/connector.js'
import { DataSource } from './juggler/data-source.js'
import { ModelBuilder } from './juggler/model-builder.js'
import { ModelDefinition } from './juggler/model-definition.js'

const { ValidationError } = errors

/** The version of juggler that this stands in for: code asks for what it can expect. */
export const version = '3.36.1'
/** Rows in memory, `{ connector: Memory }`. */
export const Memory = connectorModule('memory')
/** Values by key in memory. */
export const KeyValueMemory = connectorModule('kv-memory')
/** Keeps nothing. */
export const Transient = connectorModule('transient')

export { DateString, GeoPoint } from '@fastback/core/juggler'
export {
  BaseModel as ModelBaseClass, Connector, DataSource, keyValueStatics as KeyValueAccessObject, ModelBuilder,
  ModelDefinition, Transaction, ValidationError, DataSource as Schema, ModelBuilder as LDL
}
