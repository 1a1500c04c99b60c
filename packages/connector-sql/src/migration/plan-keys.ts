/** The part of a plan that is about foreign keys. */
import type { MigrationPlan, PlannedChange, PlannedDifference } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { quotedName } from '../tables/naming.js'
import { keyChangesTo } from './compare-keys.js'
import { findColumn, type ForeignKeyDesign, type TableDesign } from './design.js'
import type { PlanContext, Shared } from './plan-context.js'

/** Keys are made when all tables are there; of one table each once, whatever the number of its models. */
export async function planKeys (
  connection: Connection, tables: readonly Shared[], { dialect }: PlanContext
): Promise<Omit<MigrationPlan, 'dataSource'>> {
  const changes: PlannedChange[] = []
  const differences: PlannedDifference[] = []
  const seen = new Set<string>()
  for (const { models, actual, catalogue, counts } of tables) {
    for (const { model, design } of models) {
      const table = actual?.name ?? design.name
      for (const { kind, key } of keyChangesTo(design, catalogue?.foreignKeys ?? [])) {
        const id = JSON.stringify([design.schema, table.toLowerCase(), kind, key.name])
        if (seen.has(id)) continue
        seen.add(id)
        const hindrance = actual === undefined || findColumn(actual, key.column) === undefined
          ? undefined
          : await hindranceOf(connection, dialect, { ...design, name: table }, key)
        const about = { model: model.name, table, columns: [key.column] }
        if (hindrance !== undefined) {
          if (kind === 'add foreign key') differences.push({ kind: 'foreign key', ...about, ...hindrance })
        } else if (dialect.altersKeys) {
          const { wholeTable, ...lock } = dialect.lockOf({ kind, key })
          const rows = wholeTable && actual !== undefined ? await counts.rows() : 0
          const statements = dialect.migrate({ kind, key }, { ...design, name: table })
          changes.push({ kind, ...about, name: key.name, statements, ...lock, rows })
        }
      }
    }
  }
  return { changes, differences }
}

/** Why a key cannot be made on a column that is there. */
async function hindranceOf (
  connection: Connection, dialect: Dialect, design: TableDesign, key: ForeignKeyDesign
): Promise<{ readonly message: string, readonly rows: number } | undefined> {
  if (!dialect.altersKeys) {
    const message = `The foreign key to "${key.target.name}" can only be made with the table or the column here. Make the table anew, or keep it without: the core does what onDelete says.`
    return { message, rows: 0 }
  }
  const target = await dialect.introspect(connection, key.target)
  const aim = target === undefined ? undefined : findColumn(target, key.target.column)
  if (target === undefined || aim === undefined) return undefined
  const { quote } = dialect
  const aimed = quotedName({ schema: key.target.schema, name: target.name }, quote)
  const own = quotedName(design, quote)
  const [row] = await connection.query(
    `SELECT count(*) FROM ${own} held WHERE held.${quote(key.column)} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${aimed} aim WHERE aim.${quote(aim.name)} = held.${quote(key.column)})`, []
  )
  const rows = Number(row?.[0])
  return rows === 0
    ? undefined
    : { message: `${rows} ${rows === 1 ? 'row leads' : 'rows lead'} to no row of "${target.name}", so that the foreign key "${key.name}" cannot be made. Remove these rows, or correct their keys.`, rows }
}
