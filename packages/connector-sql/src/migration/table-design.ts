/** The table that a model asks for. */
import type { CompiledProperty, StoredIndex, StoredModel, StoredReference } from '@fastback/core'
import type { ColumnFormat } from '../dialects/column-types.js'
import type { Dialect } from '../dialects/dialect.js'
import { IdentifierError } from '../errors.js'
import { columnName, dataType, extraName, keyName, refuseSharedColumns, tableName } from '../tables/naming.js'
import type { ColumnDesign, ForeignKeyDesign, IndexDesign, TableDesign } from './design.js'

/** @param extraColumn wanted name of the extra column */
export function designTable (model: StoredModel, dialect: Dialect, extraColumn: string): TableDesign {
  const keys = dialect.settingKeys
  const { schema, name } = tableName(model, dialect)
  const { references = [] } = model
  const key = keyName(model, keys)
  refuseName(name, `model "${model.name}"`, dialect.quote)
  const columns = model.properties.map((property): ColumnDesign => {
    const column = columnName(property, keys)
    refuseName(column, `model "${model.name}", property "${property.name}"`, dialect.quote, dialect.reservedColumns)
    const reference = references.find(each => each.property === property.name)
    const type = dataType(property, keys) ?? (reference && partnerType(reference, property, dialect))
    const format = dialect.format(property.type, type)
    return {
      name: column,
      format,
      type: type ?? format.declaredType,
      keyPosition: key === undefined ? property.idPosition : Number(property.name === key),
      generated: key === undefined && isCounted(model, property, dialect),
      default: isGivenOut(model, property, format) && type !== undefined ? dialect.uuidDefault(type) : undefined,
      refers: reference !== undefined,
      fill: fillOf(property, model, format)
    }
  })
  refuseSharedColumns(
    model.name,
    columns.map(({ name }, i) => ({ name, property: (model.properties[i] as CompiledProperty).name }))
  )
  const names = new Map(model.properties.map((property, i) => [property.name, (columns[i] as ColumnDesign).name]))
  const indexes = [
    ...model.indexes.flatMap(index => designIndex(index, name, names, dialect)),
    ...designTextIndex(model, { name, columns, standsByKey: key !== undefined }, names, dialect)
  ]
  const foreignKeys = designKeys(references, name, names, dialect)
  return {
    modelName: model.name,
    schema,
    name,
    columns,
    standsByKey: key !== undefined,
    extra: extraName(model, extraColumn, keys),
    needsExtra: model.open,
    indexes: [...indexes, ...indexesBehind(foreignKeys, indexes, name, dialect)],
    foreignKeys
  }
}

/** @throws FBK_SQL_IDENTIFIER with the model, and the property where it is a column's, for a name that cannot be */
function refuseName (name: string, whose: string, quote: Dialect['quote'], reserved?: ReadonlySet<string>): void {
  try {
    quote(name)
  } catch {
    throw new IdentifierError(`${JSON.stringify(name)} (${whose})`)
  }
  if (reserved?.has(name) === true) throw new IdentifierError(`${JSON.stringify(name)} (${whose})`)
}

function designKeys (
  references: readonly StoredReference[], table: string, names: ReadonlyMap<string, string>, dialect: Dialect
): ForeignKeyDesign[] {
  const wanted = references.filter(({ isConstraint }) => isConstraint)
  return wanted.flatMap(({ property, target, targetProperty, ...rule }) => {
    const column = names.get(property)
    const aim = target.propertyByName.get(targetProperty)
    if (column === undefined || aim === undefined) return []
    return [{
      name: dialect.indexName(`${table}_${column}_fkey`),
      column,
      target: { ...tableName(target, dialect), column: columnName(aim, dialect.settingKeys) },
      onDelete: rule.onDelete ?? 'restrict',
      onUpdate: rule.onUpdate ?? 'restrict'
    }]
  })
}

/** Who deletes a row looks for those that lead to it. */
function indexesBehind (
  keys: readonly ForeignKeyDesign[], indexes: readonly IndexDesign[], table: string, dialect: Dialect
): IndexDesign[] {
  return keys.filter(({ column }) => !indexes.some(({ columns, exceptBlank, live }) =>
    columns[0]?.name === column && exceptBlank !== true && live === undefined)).map(({ column }) => ({
    name: dialect.indexName(`${table}_${column}`), unique: false, columns: [{ name: column, descending: false }]
  }))
}

/**
 * The type of the key that a property refers to: the database keeps a number that is given out as a whole one, and so
 * what leads to it. Undefined where the property's own type is that already.
 */
function partnerType (
  { target, targetProperty }: StoredReference, property: CompiledProperty, dialect: Dialect
): string | undefined {
  const partner = target.propertyByName.get(targetProperty)
  if (partner === undefined || partner.type.kind !== property.type.kind) return undefined
  const declared = dataType(partner, dialect.settingKeys)
  // A serial is a whole number with a default of its own.
  if (declared !== undefined) return /serial/i.test(declared) ? dialect.canonicalType(declared) : declared
  return isCounted(target, partner, dialect)
    ? dialect.format({ kind: 'integer' }, undefined).declaredType
    : undefined
}

/**
 * A number that is the whole id is given out by the database unless the row brings one, also where the definition does
 * not say "generated".
 */
function isCounted (model: StoredModel, property: CompiledProperty, { format, settingKeys }: Dialect): boolean {
  const { name } = format(property.type, dataType(property, settingKeys))
  return isOnlyKey(model, property) && (name === 'real' || name === 'integer')
}

/** A text of a type that the definition names (`dataType`) is given out by the database; others are made here. */
const isGivenOut = (model: StoredModel, property: CompiledProperty, { name }: ColumnFormat): boolean =>
  property.generated && isOnlyKey(model, property) && name === 'text'

const isOnlyKey = ({ key }: StoredModel, property: CompiledProperty): boolean =>
  key.length === 1 && key[0] === property
/**
 * The default that a definition writes down, for rows that were there before the property: what a function makes would
 * be another value in each row, and the time of a migration is no time of a row. Undefined as well where rows that are
 * made alike would be refused.
 */
function fillOf (
  { name, definition, makeDefault }: CompiledProperty, { indexes, key }: StoredModel, format: ColumnFormat
): unknown {
  const { default: given, persistDefaultValues } = definition
  const isLiteral = given !== undefined && given !== null && given !== '$now' && typeof given !== 'function'
  const isUnique = key.some(part => part.name === name) ||
    indexes.some(({ unique, columns }) => unique && columns.some(({ property }) => property === name))
  if (!isLiteral || isUnique || persistDefaultValues === false) return undefined
  const value = makeDefault?.()
  const fits = value !== undefined && value !== null && format.accepts(value) && format.refuses?.(value) === undefined
  return fits ? value : undefined
}

function designTextIndex (
  { textIndex }: StoredModel,
  table: Pick<TableDesign, 'name' | 'columns' | 'standsByKey'>,
  names: ReadonlyMap<string, string>,
  dialect: Dialect
): IndexDesign[] {
  if (textIndex === undefined) return []
  const columns = textIndex.properties.map(property => names.get(property) as string)
  if (!dialect.canIndexWords(table, columns)) return []
  return [{
    name: dialect.indexName(`${table.name}_${textIndex.name}`),
    unique: false,
    text: { language: dialect.searchLanguage(textIndex.language) },
    columns: columns.map(name => ({ name, descending: false }))
  }]
}

/** Names of indexes are one space per database: the table's name stands before them. */
function designIndex (
  index: StoredIndex,
  table: string,
  names: ReadonlyMap<string, string>,
  dialect: Dialect
): IndexDesign[] {
  const columns = index.columns.map(({ property, descending }) => ({ name: names.get(property), descending }))
  if (
    columns.length === 0 ||
    !columns.every((column): column is { name: string; descending: boolean } => column.name !== undefined)
  ) { return [] }
  const name = dialect.indexName(index.name.startsWith(`${table}_`) ? index.name : `${table}_${index.name}`)
  const live = index.live === undefined ? undefined : names.get(index.live)
  const part = { ...(index.exceptBlank === true ? { exceptBlank: true } : {}), ...(live === undefined ? {} : { live }) }
  return [{ name, unique: index.unique, ...part, columns }]
}
