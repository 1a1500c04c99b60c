/** What a database does for the statement of a read. */
import type { Condition, Explanation, MaybePromise, StoreRead, StoredModel, StoreStatement } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { quotedName, tableName } from '../tables/naming.js'

/** @throws TypeError for what is no SELECT */
export function explainRead (
  connection: Connection, dialect: Dialect, read: StoreRead, statement: StoreStatement | undefined
): MaybePromise<Explanation> {
  if (statement === undefined || !/^\s*SELECT\b/i.test(statement.sql)) throw new TypeError('Only a SELECT is explained')
  const { sql, params } = statement
  const names = modelsByTable(dialect, sql, [read.model, ...read.others, ...linkedModels(read.query.where)])
  return chain(dialect.explain(connection, sql, params), ({ lines, rowsRead, accesses }) => ({
    plan: lines,
    rowsRead,
    accesses: accesses.map(({ table, kind }) => ({ model: names.get(table), kind }))
  }))
}

/** Names of models by those that a plan has for their tables: what the statement calls them, or their own. */
function modelsByTable (dialect: Dialect, sql: string, models: readonly StoredModel[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const model of models) {
    const table = tableName(model, dialect)
    const named = `${quotedName(table, dialect.quote)} AS `
    names.set(table.name, model.name)
    for (const after of sql.split(named).slice(1)) {
      const [alias] = /^\w+/.exec(after) ?? []
      if (alias !== undefined) names.set(alias, model.name)
    }
  }
  return names
}

function linkedModels (condition: Condition | undefined): StoredModel[] {
  if (condition === undefined) return []
  if ('conditions' in condition) return condition.conditions.flatMap(linkedModels)
  return condition.kind === 'linked' ? [condition.model, ...linkedModels(condition.condition)] : []
}
