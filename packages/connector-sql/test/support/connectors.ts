import { memoryConnector } from '@fastback/connector-memory'
import type { Connector, ConnectorContext, DataSourceSettings, StoredModel } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import type { SqlConnector } from '../../src/connector.js'

export const context = (baseDir = '.'): ConnectorContext => ({
  dataSource: 'db',
  baseDir,
  log: { warn () {}, info () {}, debug () {} }
})

/** A connected connector, with the tables of the models made anew. */
export async function openSql (
  settings: Omit<DataSourceSettings, 'connector'>,
  models: readonly StoredModel[] = [],
  baseDir = '.'
): Promise<SqlConnector> {
  const connector = sqlConnector({ connector: 'sql', ...settings }, context(baseDir)) as SqlConnector
  await connector.connect()
  await connector.automigrate(models)
  return connector
}

export async function openMemory (models: readonly StoredModel[]): Promise<Connector> {
  const connector = memoryConnector({ connector: 'memory' }, context())
  await connector.connect()
  for (const model of models) connector.attach(model)
  return connector
}
