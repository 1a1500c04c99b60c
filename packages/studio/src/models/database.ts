/** The table of a model as the database has it, and what a migration would do: `database.json`. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import type { DatabaseTable } from '@fastback/ui/contracts'
import { modelNamed } from '../context.js'
import { connectorOf } from './definitions.js'

/** @throws RequestError 404 for a model that is not there */
export async function databaseOf (registry: ModelRegistry, name: string): Promise<DatabaseTable> {
  const Model = modelNamed(registry, name)
  const { dataSource } = Model
  if (dataSource === null) return { model: name, none: 'the model is in no data source' }
  const connector = connectorOf(dataSource)
  const about = { model: name, dataSource: dataSource.name, ...(connector === undefined ? {} : { connector }) }
  const { plans } = dataSource.connector
  if (plans?.describe === undefined) return { ...about, none: 'the store has no tables' }
  try {
    return { ...about, ...await tableOf(Model, dataSource) }
  } catch (err) {
    registry.log.debug({ err, model: name }, 'the database could not be looked at')
    return { ...about, none: 'the database could not be looked at; its log says why' }
  }
}

async function tableOf (
  { compiled: { stored } }: ModelClass, dataSource: NonNullable<ModelClass['dataSource']>
): Promise<Pick<DatabaseTable, 'table' | 'exists' | 'columns' | 'pending'>> {
  await dataSource.ping()
  const found = await dataSource.connector.plans?.describe?.(stored)
  const { changes, differences } = await dataSource.plan()
  return {
    ...(found === undefined ? {} : { table: found.table, exists: found.columns !== undefined }),
    columns: found?.columns?.map(({ name, type, nullable, keyPosition, property }) =>
      ({ name, type, nullable, primaryKey: keyPosition > 0, ...(property === undefined ? {} : { property }) })) ?? [],
    pending: [
      ...changes.filter(({ model }) => model === stored.name).map(({ kind, columns, statements, name }) => ({
        change: [kind, name, columns.length === 0 ? undefined : columns.join(', ')].filter(Boolean).join(' '),
        statements,
        destructive: kind === 'drop column'
      })),
      ...differences.filter(({ model }) => model === stored.name)
        .map(({ message }) => ({ change: message, statements: [], destructive: true }))
    ]
  }
}
