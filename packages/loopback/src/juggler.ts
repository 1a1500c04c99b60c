/** `@fastback/loopback/juggler`: stands for the package `loopback-datasource-juggler`. */
import { connectorModule } from '@fastback/boot/server'
import { errors } from '@fastback/core'
import { DataSource } from './juggler/data-source.js'
import { ModelBuilder } from './juggler/model-builder.js'

const { ValidationError } = errors

/** Rows in memory, `{ connector: Memory }`. */
export const Memory = connectorModule('memory')
/** Values by key in memory. */
export const KeyValueMemory = connectorModule('kv-memory')
/** Keeps nothing. */
export const Transient = connectorModule('transient')

export { GeoPoint } from '@fastback/boot/server'
export { DataSource, ModelBuilder, ValidationError, DataSource as Schema, ModelBuilder as LDL }
