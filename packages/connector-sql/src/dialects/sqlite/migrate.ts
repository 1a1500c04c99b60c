/** Changes of tables as SQLite's statements. */
import type { Change, ColumnDesign, IndexDesign, KeyChange, TableDesign, TableStep } from '../../migration/design.js'
import type { ChangeLock } from '../table-migration.js'
import { defaultSql } from '../default-sql.js'
import { foreignKeySql, referencesSql } from '../foreign-key.js'
import { partOf } from '../index-part.js'
import { fillSql } from '../fill.js'
import { quoteName, quoteText } from './quote.js'
import { createTextIndex, dropTextIndex } from './text-search.js'

const literals = { text: quoteText, bytes: (hex: string) => `X'${hex}'` }

export function changeSql (change: TableStep, design: TableDesign): readonly string[] {
  const table = quoteName(design.name)
  switch (change.kind) {
    case 'drop table': return [`DROP TABLE IF EXISTS ${table}`]
    case 'create table': return [createTable(design)]
    case 'add column': {
      const key = design.foreignKeys.find(({ column }) => column === change.column.name)
      const refers = key === undefined ? '' : ` ${referencesSql(key, quoteName)}`
      const name = quoteName(change.column.name)
      // A default could not be taken away again.
      const fill = fillSql(change.column, literals)
      return [
        `ALTER TABLE ${table} ADD COLUMN ${name} ${change.column.type}${refers}`,
        ...(fill === undefined ? [] : [`UPDATE ${table} SET ${name} = ${fill}`])
      ]
    }
    case 'add extra column': return [`ALTER TABLE ${table} ADD COLUMN ${quoteName(design.extra)} TEXT`]
    case 'drop index': return dropIndex(change.index)
    case 'drop column':
      return [
        ...change.indexes.flatMap(dropIndex), `ALTER TABLE ${table} DROP COLUMN ${quoteName(change.column)}`
      ]
    // They come with the table, or with the column.
    case 'add foreign key': case 'drop foreign key': return []
    case 'create index': {
      if (change.index.text !== undefined) return createTextIndex(change.index, design)
      const columns = change.index.columns.map(
        ({ name, descending }) => `${quoteName(name)}${descending ? ' DESC' : ''}`
      )
      const part = partOf(change.index, quoteName)
      return [`CREATE ${change.index.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(change.index.name)} ON ${table} (${columns.join(', ')})${part}`]
    }
  }
}

const dropIndex = (index: IndexDesign): string[] =>
  index.text === undefined ? [`DROP INDEX ${quoteName(index.name)}`] : dropTextIndex(index)

function createTable (design: TableDesign): string {
  const keys = design.columns.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  const columns = design.columns.map(column => columnSql(column, keys.length === 1))
  columns.push(`${quoteName(design.extra)} TEXT`)
  if (keys.length > 1) columns.push(`PRIMARY KEY (${keys.map(({ name }) => quoteName(name)).join(', ')})`)
  columns.push(...design.foreignKeys.map(key => foreignKeySql(key, quoteName)))
  // Otherwise the key is an index beside the rows, and each that is found by it is looked for twice.
  const end = design.standsByKey ? ' WITHOUT ROWID' : ''
  return `CREATE TABLE IF NOT EXISTS ${quoteName(design.name)} (${columns.join(', ')})${end}`
}

/** AUTOINCREMENT, not just the row number: ids of deleted rows are not given out again. */
function columnSql (column: ColumnDesign, soleKey: boolean): string {
  const { name, type, keyPosition, generated, format } = column
  const quoted = quoteName(name)
  if (keyPosition === 0) return `${quoted} ${type}`
  if (!soleKey) return `${quoted} ${type} NOT NULL`
  if (generated && (format.name === 'real' || format.name === 'integer')) {
    return `${quoted} INTEGER PRIMARY KEY AUTOINCREMENT`
  }
  return `${quoted} ${type} NOT NULL${defaultSql(column)} PRIMARY KEY`
}

/** https://www.sqlite.org/lockingv3.html: who writes has the file alone; who reads goes on with what was there. */
export const lockOf = (change: Change | KeyChange): ChangeLock => ({
  lock: 'RESERVED',
  blocks: 'writes',
  wholeTable: change.kind === 'create index' || change.kind === 'drop column' ||
    (change.kind === 'add column' && change.column.fill !== undefined)
})
