/** The plan of a migration: what separates tables and models, read and never written. */
import type { MigrationOptions, MigrationPlan, PlannedChange, PlannedDifference, StoredModel } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { NothingToDropError } from '../errors.js'
import { encodeJson } from '../tables/json-text.js'
import { quotedName } from '../tables/naming.js'
import { countMoving } from './adopt.js'
import { afterChanges, changesTo, presentDesign, sameName, unwantedTexts } from './compare.js'
import { Counts } from './counts.js'
import type { Change, IndexDesign, TableDesign } from './design.js'
import { differencesOf, hinderedIndexes, leftOver } from './differences.js'
import { planKeys } from './plan-keys.js'
import { designTable } from './table-design.js'
import type { PlanContext, Shared } from './plan-context.js'

/**
 * What a migration would do to the tables of these models, and what it would leave.
 * @throws FBK_SQL_NOTHING_TO_DROP for a column to drop that is not there, or that a property has
 */
export async function planTables (
  connection: Connection, models: readonly StoredModel[], context: PlanContext, { allowDrop = [] }: MigrationOptions
): Promise<Omit<MigrationPlan, 'dataSource'>> {
  const changes: PlannedChange[] = []
  const differences: PlannedDifference[] = []
  const droppable: string[] = []
  const unused = new Set(allowDrop)
  const tables = await sharedTables(connection, models, context)
  for (const shared of tables) {
    const over = [...leftColumns(shared, context.dialect), ...leftTexts(shared)]
    const dropped = over.filter(({ name }) => allowDrop.includes(name))
    for (const { name } of dropped) unused.delete(name)
    droppable.push(...over.map(({ name }) => name))
    const gone = dropped.map(({ column }) => column)
    const planned = await planTable(connection, shared, context, gone)
    changes.push(...planned.changes)
    // Text indexes go with their columns.
    const left = over.filter(({ column, difference: { columns } }) =>
      !gone.includes(column) && !columns.some(name => gone.includes(name)))
    differences.push(...planned.differences, ...left.map(({ difference }) => difference))
  }
  const keys = await planKeys(connection, tables, context)
  changes.push(...keys.changes)
  differences.push(...keys.differences)
  const [unknown] = unused
  if (unknown !== undefined) {
    throw new NothingToDropError(context.dataSource, unknown, droppable.join(', ') || 'none')
  }
  return { changes, differences }
}

async function sharedTables (
  connection: Connection, models: readonly StoredModel[], { dialect, extraColumn }: PlanContext
): Promise<Shared[]> {
  const groups = new Map<string, Array<{ model: StoredModel, design: TableDesign }>>()
  for (const model of models) {
    const design = designTable(model, dialect, extraColumn)
    const key = JSON.stringify([design.schema, design.name.toLowerCase()])
    groups.set(key, [...groups.get(key) ?? [], { model, design }])
  }
  const tables: Shared[] = []
  for (const group of groups.values()) {
    const { schema, name } = (group[0] as { design: TableDesign }).design
    const actual = await dialect.introspect(connection, { schema, name })
    const [catalogue] = actual === undefined
      ? []
      : await dialect.catalogue.tables(connection, { schema, tables: [actual.name] })
    const counts = new Counts(connection, dialect, quotedName({ schema, name: actual?.name ?? name }, dialect.quote))
    tables.push({ models: group, actual, catalogue, counts })
  }
  return tables
}

/** What is called by its table's name where it may be dropped. */
interface LeftOver { readonly name: string, readonly column: string, readonly difference: PlannedDifference }

/** Columns that no property has. */
function leftColumns ({ models: [first, ...others], actual, catalogue }: Shared, dialect: Dialect): LeftOver[] {
  if (first === undefined || actual === undefined || catalogue === undefined || actual.isView) return []
  const designs = [first, ...others].map(({ design }) => design)
  return leftOver(designs, { actual, catalogue, dialect }).map(({ name: column, ...found }) => {
    const name = `${actual.name}.${column}`
    const isNeeded = !found.nullable && found.default === undefined && found.generated === undefined
    const refuses = isNeeded ? ' It is NOT NULL without a default, so that new rows are refused.' : ''
    const message = `No property has the column.${refuses} Add a property, or drop it with all it holds: --allow-drop ${name}`
    return {
      name,
      column,
      difference: { kind: 'column', model: first.model.name, table: actual.name, columns: [column], message, rows: 0 }
    }
  })
}

/** Text indexes that no model searches by, and that every write pays for. */
function leftTexts ({ models, actual }: Shared): LeftOver[] {
  const [first] = models
  if (first === undefined || actual === undefined) return []
  return unwantedTexts(models.map(({ design }) => design), actual).map(({ name: index, columns }) => {
    const name = `${actual.name}.${index}`
    return {
      name,
      column: index,
      difference: {
        kind: 'text index',
        model: first.model.name,
        table: actual.name,
        columns: columns.map(({ name }) => name),
        name: index,
        message: `No model searches by the text index "${index}". Drop it: --allow-drop ${name}`,
        rows: 0
      }
    }
  })
}

async function planTable (
  connection: Connection, shared: Shared, { dialect }: PlanContext, dropped: readonly string[]
): Promise<Omit<MigrationPlan, 'dataSource'>> {
  const planned: PlannedChange[] = []
  const differences: PlannedDifference[] = []
  const { catalogue, counts } = shared
  let { actual } = shared
  for (const [at, { model, design }] of shared.models.entries()) {
    const present = actual === undefined ? design : presentDesign(design, actual)
    let changes = changesTo(design, actual, at === 0 ? dropped : [])
    const added = changes.flatMap(change => change.kind === 'add column' ? [change.column] : [])
    const moving = shared.actual === undefined
      ? new Map<string, number>()
      : await countMoving(connection, dialect, model, design, shared.actual, added)
    if (actual !== undefined && catalogue !== undefined) {
      const compared = { model, design, actual, catalogue, changes, counts, dialect, moving }
      const hindered = await hinderedIndexes(compared)
      differences.push(...await differencesOf(compared), ...hindered.map(({ difference }) => difference))
      changes = changes.filter(change => !hindered.some(({ index }) => isAbout(change, index)))
    }
    for (const change of changes) {
      const { wholeTable, ...lock } = dialect.lockOf(change)
      const moved = change.kind === 'add column' ? moving.get(change.column.name) ?? 0 : 0
      planned.push({
        ...shownChange(change, design),
        ...(change.kind === 'add column' && change.column.fill !== undefined ? { fills: encodeJson(change.column.fill) } : {}),
        model: model.name,
        table: actual?.name ?? design.name,
        statements: dialect.migrate(change, present),
        ...lock,
        rows: shared.actual !== undefined && wholeTable ? await counts.rows() : moved
      })
    }
    actual = afterChanges(design, actual, changes)
  }
  return { changes: planned, differences }
}

/** An index that rows stand against is not made, and the one in its place stays. */
const isAbout = (change: Change, { name }: IndexDesign): boolean =>
  (change.kind === 'create index' || change.kind === 'drop index') && sameName(change.index.name, name)

function shownChange (change: Change, { extra }: TableDesign): Pick<PlannedChange, 'kind' | 'columns' | 'name'> {
  switch (change.kind) {
    case 'create table':
      return { kind: 'create table', columns: [] }
    case 'add column':
      return { kind: 'add column', columns: [change.column.name] }
    case 'add extra column':
      return { kind: 'add column', columns: [extra] }
    case 'drop column':
      return { kind: 'drop column', columns: [change.column] }
    case 'create index':
    case 'drop index':
      return { kind: change.kind, columns: change.index.columns.map(({ name }) => name), name: change.index.name }
  }
}
