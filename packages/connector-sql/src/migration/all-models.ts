/** Migrations of many models: foreign keys are made when all tables are there, and go before any is dropped. */
import type { MaybePromise, StoredModel } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import { noOptions, type OperationRunner } from '../operation-runner.js'
import type { Migrator } from './migrator.js'

const withKeys = (models: readonly StoredModel[]): StoredModel[] =>
  models.filter(({ references = [] }) => references.some(({ isConstraint }) => isConstraint))

/** Creates what is missing. */
export function updateAll (
  runner: OperationRunner, migrator: Migrator, models: readonly StoredModel[], drops: readonly string[]
): MaybePromise<void> {
  return chain(
    runner.migrateAll(models, (connection, model) => migrator.update(connection, model, drops)),
    () => makeKeys(runner, migrator, models)
  )
}

function makeKeys (
  runner: OperationRunner, migrator: Migrator, models: readonly StoredModel[]
): MaybePromise<void> {
  const keyed = withKeys(models)
  if (keyed.length > 0) return runner.migrateAll(keyed, (connection, model) => migrator.updateKeys(connection, model))
}

/** Drops the tables, rows and all, and creates them. */
export function resetAll (
  runner: OperationRunner, migrator: Migrator, models: readonly StoredModel[], dialect: Dialect
): MaybePromise<void> {
  const reset = (): MaybePromise<void> =>
    runner.migrateAll(models, (connection, model) => migrator.reset(connection, model))
  if (withKeys(models).length === 0) return reset()
  const dropped = runner.migrateAll(withKeys(models), (connection, model) => migrator.dropKeys(connection, model))
  return chain(chain(dropped, () => unchecked(runner, dialect, reset)), () => makeKeys(runner, migrator, models))
}

/** Where keys cannot be dropped they are not looked at meanwhile. */
function unchecked (runner: OperationRunner, dialect: Dialect, work: () => MaybePromise<void>): MaybePromise<void> {
  return chain(runner.runOnConnection(noOptions, connection => dialect.keysUnchecked(connection)), around => {
    if (around === undefined) return work()
    const run = (sql: string): MaybePromise<void> =>
      runner.runOnConnection(noOptions, connection => connection.execute(sql))
    return chain(run(around.before), () => finallyDo(work, () => run(around.after)))
  })
}

function finallyDo (work: () => MaybePromise<void>, then: () => MaybePromise<void>): MaybePromise<void> {
  let done: MaybePromise<void>
  try {
    done = work()
  } catch (error) {
    return chain(then(), () => { throw error })
  }
  return isPromise(done) ? done.finally(then) : then()
}

/** Whether `updateAll` would change nothing; no table is looked at after the first that lacks something. */
export function areActual (
  runner: OperationRunner, migrator: Migrator, [first, ...others]: readonly StoredModel[]
): MaybePromise<boolean> {
  if (first === undefined) return true
  return chain(runner.migrate(first, connection => migrator.isActual(connection, first)), isActual =>
    isActual && areActual(runner, migrator, others))
}
