/** Changes of tables as SQLite's statements. */
import type { Change, ColumnDesign, TableDesign } from '../../migration/design.js'
import { quoteName } from './quote.js'

export function changeSql (change: Change, design: TableDesign): string {
  const table = quoteName(design.name)
  switch (change.kind) {
    case 'drop table': return `DROP TABLE IF EXISTS ${table}`
    case 'create table': return createTable(design)
    case 'add column': return `ALTER TABLE ${table} ADD COLUMN ${quoteName(change.column.name)} ${change.column.type}`
    case 'add extra column': return `ALTER TABLE ${table} ADD COLUMN ${quoteName(design.extra)} TEXT`
    case 'drop index': return `DROP INDEX ${quoteName(change.index.name)}`
    case 'create index': {
      const columns = change.index.columns.map(
        ({ name, descending }) => `${quoteName(name)}${descending ? ' DESC' : ''}`
      )
      const part =
        change.index.exceptBlank === true
          ? ` WHERE ${quoteName((change.index.columns[0] as { name: string }).name)} <> ''`
          : ''
      return `CREATE ${change.index.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(change.index.name)} ON ${table} (${columns.join(', ')})${part}`
    }
  }
}

function createTable (design: TableDesign): string {
  const keys = design.columns.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  const columns = design.columns.map(column => columnSql(column, keys.length === 1))
  columns.push(`${quoteName(design.extra)} TEXT`)
  if (keys.length > 1) columns.push(`PRIMARY KEY (${keys.map(({ name }) => quoteName(name)).join(', ')})`)
  return `CREATE TABLE IF NOT EXISTS ${quoteName(design.name)} (${columns.join(', ')})`
}

/** AUTOINCREMENT, not just the row number: ids of deleted rows are not given out again. */
function columnSql ({ name, type, keyPosition, generated, format }: ColumnDesign, soleKey: boolean): string {
  const quoted = quoteName(name)
  if (keyPosition === 0) return `${quoted} ${type}`
  if (!soleKey) return `${quoted} ${type} NOT NULL`
  if (generated && (format.name === 'real' || format.name === 'integer')) {
    return `${quoted} INTEGER PRIMARY KEY AUTOINCREMENT`
  }
  return `${quoted} ${type} NOT NULL PRIMARY KEY`
}
