/** Changes of tables as MySQL's statements. Each is final: MySQL has no transactions around them. */
import type { Change, ColumnDesign, TableDesign } from '../../migration/design.js'
import { quotedName } from '../../tables/naming.js'
import { quoteName } from './quote.js'
import type { Server } from './flavour.js'
import { longText } from './formats.js'

/** Counts the rows of a table without an id, so that they have an order. */
export const rowColumn = '_row'

/** Texts that an index has to hold whole are that long at most: indexes have 3,072 bytes. */
const longestKey = 255

const prefix = '_nonblank_'

/**
 * A column that a unique index has in place of a text, NULL where that is blank: MySQL has no indexes on parts of the
 * rows.
 */
const nonBlank = (column: string): string => `${prefix}${column}`.slice(0, 64)
export const isNonBlank = (column: string): boolean => column.startsWith(prefix)
export const nonBlankOf = (column: string): string => column.slice(prefix.length)

export function changeSql (change: Change, design: TableDesign, server: Server): string {
  const table = quotedName(design, quoteName)
  switch (change.kind) {
    case 'drop table':
      return `DROP TABLE IF EXISTS ${table}`
    case 'create table':
      return createTable(design, server)
    case 'add column':
      return `ALTER TABLE ${table} ADD COLUMN ${quoteName(change.column.name)} ${typeOf(change.column, design, server)}`
    case 'add extra column':
      return `ALTER TABLE ${table} ADD COLUMN ${quoteName(design.extra)} ${longText} ${collated(server)}`
    case 'drop index': {
      const generated =
        change.index.exceptBlank === true
          ? `, DROP COLUMN ${quoteName(nonBlank((change.index.columns[0] as { name: string }).name))}`
          : ''
      return `ALTER TABLE ${table} DROP INDEX ${quoteName(change.index.name)}${generated}`
    }
    case 'create index': {
      const { index } = change
      const columns = index.columns.map(
        ({ name, descending }, i) =>
          `${keyPart(name, index.exceptBlank === true && i === 0, index.unique, design)}${descending ? ' DESC' : ''}`
      )
      const generated =
        index.exceptBlank === true
          ? `ADD COLUMN ${nonBlankSql((index.columns[0] as { name: string }).name, server)}, `
          : ''
      return `ALTER TABLE ${table} ${generated}ADD ${index.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(index.name)} (${columns.join(', ')})`
    }
  }
}

function nonBlankSql (column: string, server: Server): string {
  return `${quoteName(nonBlank(column))} VARCHAR(${longestKey}) ${collated(server)} GENERATED ALWAYS AS (NULLIF(${quoteName(column)}, '')) VIRTUAL`
}

/** Of long texts an index that need not be unique has the beginning. */
function keyPart (name: string, exceptBlank: boolean, unique: boolean, design: TableDesign): string {
  if (exceptBlank) return quoteName(nonBlank(name))
  const column = design.columns.find(column => column.name === name)
  const isLong =
    column !== undefined && !unique && /^(?:long|medium|tiny)?(?:text|blob)\b/i.test(typeName(column, design))
  return `${quoteName(name)}${isLong ? `(${longestKey})` : ''}`
}

function createTable (design: TableDesign, server: Server): string {
  const keys = design.columns.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  const columns = design.columns.map(column => columnSql(column, keys.length === 1, design, server))
  columns.push(`${quoteName(design.extra)} ${longText} ${collated(server)}`)
  if (keys.length === 0) columns.push(`${quoteName(rowColumn)} BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY`)
  if (keys.length > 1) columns.push(`PRIMARY KEY (${keys.map(({ name }) => quoteName(name)).join(', ')})`)
  return `CREATE TABLE ${quotedName(design, quoteName)} (${columns.join(', ')}) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${server.flavour.collation}`
}

function columnSql (column: ColumnDesign, soleKey: boolean, design: TableDesign, server: Server): string {
  const quoted = quoteName(column.name)
  if (column.keyPosition === 0) return `${quoted} ${typeOf(column, design, server)}`
  if (!soleKey) return `${quoted} ${typeOf(column, design, server)} NOT NULL`
  if (!column.generated) return `${quoted} ${typeOf(column, design, server)} NOT NULL PRIMARY KEY`
  return `${quoted} ${column.format.name === 'integer' ? column.type : 'BIGINT'} NOT NULL AUTO_INCREMENT PRIMARY KEY`
}

function typeName ({ name, type, format, keyPosition }: ColumnDesign, { indexes }: TableDesign): string {
  const isWhole =
    keyPosition > 0 || indexes.some(index => index.unique && index.columns.some(column => column.name === name))
  return format.name === 'text' && type === longText && isWhole ? `VARCHAR(${longestKey})` : type
}

function typeOf (column: ColumnDesign, design: TableDesign, server: Server): string {
  const type = typeName(column, design)
  return /^(?:char|varchar|(?:tiny|medium|long)?text)\b/i.test(type) && !/collate/i.test(type)
    ? `${type} ${collated(server)}`
    : type
}

const collated = ({ flavour: { collation } }: Server): string => `CHARACTER SET utf8mb4 COLLATE ${collation}`
