/** `new DataSource(…)`, as code makes one without an application. */
import { dataSourceArguments } from '@fastback/boot/server'
import { DataSource as CoreDataSource, type ModelBuilder } from '@fastback/core'
import { createRegistry } from './registry.js'
import { substitute, types, type TypeStatics } from './types.js'

type Given = string | object | undefined

function create (first?: Given, second?: Given, builder?: ModelBuilder): CoreDataSource {
  const { name, settings } = dataSourceArguments(first, second)
  const registry = builder?.registry ?? createRegistry()
  const dataSource = registry.defineDataSource(name, settings)
  registry.openSoon(dataSource)
  return dataSource
}

export interface DataSourceClass extends Pick<TypeStatics, 'Text' | 'JSON' | 'Any'> {
  new (name?: Given, settings?: Given, modelBuilder?: ModelBuilder): CoreDataSource
  (name?: Given, settings?: Given, modelBuilder?: ModelBuilder): CoreDataSource
  readonly prototype: CoreDataSource
}

/**
 * `new DataSource(name, settings)`, `new DataSource(settings)`, `new DataSource(connector, settings)`: a data source
 * with models of its own, unless a model builder is given. It is opened when the code that makes it has run, and says
 * `connected` or `error` then; with `lazyConnect: true` its first operation opens it.
 *
 * ```js
 * const { DataSource } = require('loopback-datasource-juggler')
 * const db = new DataSource('db', { connector: 'memory' })
 * const Note = db.createModel('Note', { title: String })
 * await Note.create({ title: 'hello' })
 * ```
 * @throws FBK_CORE_UNKNOWN_CONNECTOR, FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const DataSource = substitute<DataSourceClass>(CoreDataSource, create, {
  ...types, DEFAULT_MAX_OFFLINE_REQUESTS: 16
})
