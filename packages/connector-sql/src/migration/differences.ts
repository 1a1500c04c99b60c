/** What differs between a table and its model and is left as it is: a person decides. */
import type { CompiledProperty, PlannedDifference, StoredModel } from '@fastback/core'
import type { CatalogueColumn, CatalogueTable } from '../dialects/catalogue.js'
import type { Dialect } from '../dialects/dialect.js'
import { dataType, isDataType } from '../tables/naming.js'
import { sameName } from './compare.js'
import type { Counts } from './counts.js'
import {
  findColumn, keyNames, type ActualTable, type Change, type ColumnDesign, type IndexDesign, type TableDesign
} from './design.js'

/** A model, its design, and the table that is there. */
export interface Compared {
  readonly model: StoredModel
  readonly design: TableDesign
  readonly actual: ActualTable
  readonly catalogue: CatalogueTable
  readonly changes: readonly Change[]
  readonly counts: Counts
  readonly dialect: Dialect
  /** How many rows have a value in the extra column that moves to a new column, by its name. */
  readonly moving: ReadonlyMap<string, number>
}

type Difference = Pick<PlannedDifference, 'kind' | 'columns' | 'message'> & { readonly rows?: number }

interface Part {
  readonly property: CompiledProperty
  readonly column: ColumnDesign
  readonly found: CatalogueColumn | undefined
}

/** What differs, the columns in the model's order. Columns that no property has are another matter: `leftOver`. */
export async function differencesOf (compared: Compared): Promise<PlannedDifference[]> {
  const { model, design, actual, catalogue } = compared
  const parts = design.columns.map((column, i): Part => ({
    property: model.properties[i] as CompiledProperty,
    column,
    found: columnOf(catalogue, findColumn(actual, column.name)?.name)
  }))
  const found: Difference[] = actual.isView ? parts.flatMap(inView) : [...keyDiffers(compared)]
  for (const part of actual.isView ? [] : parts) {
    found.push(...typeDiffers(part, compared), ...refusesNull(part), ...notGenerated(part, compared))
    found.push(...await lacksRequired(part, compared))
  }
  if (!actual.isView) found.push(...nullsAreEqual(parts, compared))
  return found.map(({ kind, columns, message, rows = 0 }) =>
    ({ kind, model: model.name, table: actual.name, columns, message, rows }))
}

const columnOf = ({ columns }: CatalogueTable, name: string | undefined): CatalogueColumn | undefined =>
  columns.find(column => column.name === name)

const inView = ({ column, found }: Part): Difference[] => found !== undefined
  ? []
  : [{ kind: 'view', columns: [column.name], message: 'The view lacks the column; reading the model fails. Make the view anew, or take the property away.' }]

function keyDiffers ({ model, design, actual }: Compared): Difference[] {
  const wanted = keyNames(design.columns)
  const key = keyNames(actual.columns)
  // A table that was made before its model named another key keeps the id as its key.
  const id = model.id && design.columns[model.properties.indexOf(model.id)]
  if (id !== undefined && key.length === 1 && sameName(key[0] as string, id.name)) return []
  const same = (names: readonly string[]): boolean =>
    names.length === wanted.length && wanted.every(name => names.some(other => sameName(name, other)))
  if (wanted.length === 0 || same(key)) return []
  const isUnique = key.length === 0 && actual.indexes.some(({ unique, exceptBlank, live, columns }) =>
    unique && exceptBlank !== true && live === undefined && same(columns.map(({ name }) => name)))
  if (isUnique) return []
  const is = key.length === 0 ? 'The table has no primary key' : `The primary key is (${key.join(', ')})`
  return [{
    kind: 'primary key',
    columns: wanted,
    message: `${is}; the id of the model is (${wanted.join(', ')}). Change the key by a statement of your own, or the model.`
  }]
}

/** Compared with what the property's own settings say, where they do. */
function typeDiffers ({ property, column, found }: Part, { dialect }: Compared): Difference[] {
  if (found === undefined) return []
  const declared = dataType(property, dialect.settingKeys)
  // What leads to a counted key is a whole number as well; older tables have it as any number.
  const isWhole = column.generated || column.format.name === 'integer'
  const type = isWhole ? { kind: 'integer' as const } : property.type
  const types = [found.fullType, found.dataType, found.loopbackType ?? found.dataType].map(dialect.canonicalType)
  const fits = declared !== undefined
    ? types.some(each => isType(each, dialect.canonicalType(declared)))
    : [found.fullType, found.dataType].some(each => dialect.holds(type, each) || dialect.holds(property.type, each))
  if (fits) return []
  const wanted = declared ?? dialect.format(type, undefined).declaredType
  const accepted = isDataType(found.fullType) ? found.fullType : found.dataType
  return [{
    kind: 'type',
    columns: [found.name],
    message: `The column is ${found.fullType === '' ? 'of no type' : found.fullType}; "${property.name}" would be ${wanted}. Change it by a statement of your own, or write "${dialect.settingKeys[0] as string}": { "dataType": "${accepted}" } into the property.`
  }]
}

/** A type without a size stands for those with one. */
const isType = (type: string, wanted: string): boolean =>
  type === wanted || (!wanted.includes('(') && type.replace(/\([^()]*\)/, '') === wanted)

/** Each row has a value of the id, and of what the table is keyed by. */
const isOfKey = ({ idPosition }: CompiledProperty, { keyPosition }: ColumnDesign): boolean =>
  idPosition > 0 || keyPosition > 0

function refusesNull ({ property, column, found }: Part): Difference[] {
  const lacks = found === undefined || found.nullable || found.default !== undefined || found.generated !== undefined
  const brings = property.required || isOfKey(property, column) || property.makeDefault !== undefined
  return lacks || brings
    ? []
    : [{ kind: 'not null', columns: [found.name], message: `The column is NOT NULL and "${property.name}" is optional: rows without it are refused. Make the property required, or the column nullable.` }]
}

function notGenerated ({ property, column, found }: Part, { actual }: Compared): Difference[] {
  const isKey = actual.columns.some(({ name, keyPosition }) => name === found?.name && keyPosition > 0)
  return found === undefined || !isKey || !property.generated || !column.generated ||
    found.generated !== undefined || found.default !== undefined
    ? []
    : [{ kind: 'not generated', columns: [found.name], message: `The database gives out no values for "${property.name}", which the model says are generated: rows without it are refused.` }]
}

async function lacksRequired ({ property, column, found }: Part, compared: Compared): Promise<Difference[]> {
  if (!property.required || isOfKey(property, column)) return []
  const { changes, counts, moving } = compared
  const isNew = changes.some(change => change.kind === 'add column' && change.column === column)
  if (isNew ? column.fill !== undefined : found === undefined || !found.nullable) return []
  const rows = isNew
    ? Math.max(0, await counts.rows() - (moving.get(column.name) ?? 0))
    : await counts.without((found as CatalogueColumn).name)
  return rows === 0
    ? []
    : [{ kind: 'required', columns: [column.name], rows, message: `"${property.name}" is required, and ${some(rows)} without it. Give them a value, or make it optional.` }]
}

/** PostgreSQL's NULLS NOT DISTINCT: a second row without the value is refused. */
function nullsAreEqual (parts: readonly Part[], { catalogue }: Compared): Difference[] {
  return catalogue.indexes.filter(({ nullsEqual }) => nullsEqual === true).flatMap(({ name, columns }) => {
    const optional = parts.filter(({ property, found }) =>
      found !== undefined && found.nullable && !property.required && columns.includes(found.name))
    return optional.length === 0
      ? []
      : [{ kind: 'null in unique index' as const, columns, message: `The unique index "${name}" takes NULL for a value: of the rows without "${optional[0]?.property.name ?? ''}" only one is let in. Make the property required, or the index anew without NULLS NOT DISTINCT.` }]
  })
}

/** Unique indexes that cannot be made: rows have the same values. */
export async function hinderedIndexes (
  { model, design, actual, catalogue, changes, counts }: Compared
): Promise<Array<{ index: IndexDesign, difference: PlannedDifference }>> {
  // A column that is yet to come has no values; JSON cannot be grouped by everywhere.
  const isCountable = (name: string): boolean =>
    columnOf(catalogue, findColumn(actual, name)?.name) !== undefined &&
    design.columns.some(column => column.name === name && column.format.name !== 'json')
  const found: Array<{ index: IndexDesign, difference: PlannedDifference }> = []
  for (const change of changes) {
    if (change.kind !== 'create index' || !change.index.unique) continue
    const { index } = change
    const columns = index.columns.map(({ name }) => name)
    const rows = columns.every(isCountable) ? await counts.repeated(index) : 0
    if (rows === 0) continue
    const message = `${rows} ${rows === 1 ? 'value is' : 'values are'} in several rows, so that the unique index "${index.name}" cannot be made. Make these rows differ, or remove some.`
    found.push({ index, difference: { kind: 'not unique', model: model.name, table: actual.name, columns, message, rows } })
  }
  return found
}

const some = (rows: number): string => rows === 1 ? '1 row is' : `${rows} rows are`

/** Columns of a table that belong to no property of any of its models. */
export function leftOver (
  designs: readonly TableDesign[], { actual, catalogue, dialect }: Pick<Compared, 'actual' | 'catalogue' | 'dialect'>
): CatalogueColumn[] {
  const known = new Set([
    ...designs.flatMap(({ columns, extra }) => [...columns.map(({ name }) => name), extra]),
    ...(dialect.rowColumn === undefined ? [] : [dialect.rowColumn])
  ].map(name => name.toLowerCase()))
  return catalogue.columns.filter(({ name }) =>
    !known.has(name.toLowerCase()) && actual.columns.some(column => column.name === name))
}
