/** What a data source asks about tables, on the connections of its connector. */
import type { MaybePromise, MissingTable, PlanSupport, StoredModel } from '@fastback/core'
import { chain, eachInSequence } from '@fastback/core/connector'
import { noOptions, type OperationRunner } from '../operation-runner.js'
import { tableName } from '../tables/naming.js'
import { describeTable } from './describe-table.js'
import { MigrationFiles } from './files.js'
import type { Migrator } from './migrator.js'
import type { PlanContext } from './plan-context.js'

export function plansOf (runner: OperationRunner, migrator: Migrator, context: PlanContext): PlanSupport {
  const files = new MigrationFiles(context)
  return {
    async describe (model) {
      return await runner.runOnConnection(noOptions, connection => describeTable(connection, context.dialect, model))
    },
    async plan (models, options) {
      return await runner.runOnConnection(noOptions, connection => migrator.plan(connection, models, options))
    },
    missing: models => missingTables(models, runner, context),
    async pending (list) {
      return await runner.runOnConnection(noOptions, connection => files.pending(connection, list))
    },
    async applyFiles (models, list) {
      let applied: string[] = []
      await runner.migrateTogether(models, async inTransaction => {
        applied = await files.apply(inTransaction, models, list)
      })
      return applied
    }
  }
}

/** One look at each schema that a model is in. */
function missingTables (
  models: readonly StoredModel[], runner: OperationRunner, { dialect }: PlanContext
): MaybePromise<MissingTable[]> {
  const wanted = models.map(model => ({ model: model.name, ...tableName(model, dialect) }))
  const there = new Map<string | undefined, Set<string>>()
  const look = (schema: string | undefined): MaybePromise<void> => chain(
    runner.runOnConnection(noOptions, connection => dialect.tableNames(connection, schema)),
    names => { there.set(schema, new Set(names.map(name => name.toLowerCase()))) }
  )
  return chain(eachInSequence([...new Set(wanted.map(({ schema }) => schema))], look), () => wanted
    .filter(({ schema, name }) => there.get(schema)?.has(name.toLowerCase()) !== true)
    .map(({ model, schema, name }) => ({ model, table: schema === undefined ? name : `${schema}.${name}` })))
}
