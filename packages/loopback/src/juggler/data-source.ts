/** `new DataSource(…)`, as code makes one without an application. */
import { dataSourceArguments } from '@fastback/boot/server'
import { DataSource as CoreDataSource, type ModelBuilder } from '@fastback/core'
import { createRegistry } from './registry.js'

type Given = string | object | undefined

function create (first?: Given, second?: Given, builder?: ModelBuilder): CoreDataSource {
  const { name, settings } = dataSourceArguments(first, second)
  return (builder?.registry ?? createRegistry()).defineDataSource(name, settings)
}

export interface DataSourceClass {
  new (name?: Given, settings?: Given, modelBuilder?: ModelBuilder): CoreDataSource
  (name?: Given, settings?: Given, modelBuilder?: ModelBuilder): CoreDataSource
  readonly prototype: CoreDataSource
}

/**
 * `new DataSource(name, settings)`, `new DataSource(settings)`, `new DataSource(connector, settings)`: a data source
 * with models of its own, unless a model builder is given.
 *
 * ```js
 * const { DataSource } = require('loopback-datasource-juggler')
 * const db = new DataSource('db', { connector: 'memory' })
 * const Note = db.createModel('Note', { title: String })
 * await Note.create({ title: 'hello' })
 * ```
 * @throws FBK_CORE_UNKNOWN_CONNECTOR, FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const DataSource = new Proxy(CoreDataSource, {
  construct: (_target, args: Parameters<typeof create>) => create(...args),
  apply: (_target, _this, args: Parameters<typeof create>) => create(...args)
}) as unknown as DataSourceClass
