/** Changes of tables as MySQL's statements. Each is final: MySQL has no transactions around them. */
import type { Change, ColumnDesign, IndexDesign, KeyChange, TableDesign, TableStep } from '../../migration/design.js'
import type { ChangeLock } from '../table-migration.js'
import { defaultSql } from '../default-sql.js'
import { foreignKeySql } from '../foreign-key.js'
import { quotedName } from '../../tables/naming.js'
import { fillSql } from '../fill.js'
import { quoteName, quoteText } from './quote.js'
import type { Server } from './flavour.js'
import { longText } from './formats.js'
import { createTextIndex, dropTextIndex } from './text-search.js'

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

/**
 * A column that a unique index has at its end, NULL of rows that are put away: they are not compared then. Each index
 * has its own, which comes and goes with it.
 */
const livePrefix = '_live_'
const liveColumn = (index: string): string => `${livePrefix}${index}`.slice(0, 64)
export const isLive = (column: string): boolean => column.startsWith(livePrefix)
const livenote = 'rows without '
/** What the comment of an index says: the column that rows must have no value in. */
export const liveOf = (comment: unknown): string | undefined => {
  const text = String(comment ?? '')
  return text.startsWith(livenote) ? text.slice(livenote.length) : undefined
}

export function changeSql (change: TableStep, design: TableDesign, server: Server): readonly string[] {
  const table = quotedName(design, quoteName)
  switch (change.kind) {
    case 'drop table':
      return [`DROP TABLE IF EXISTS ${table}`]
    case 'create table':
      return [createTable(design, server)]
    case 'add column':
      return addColumn(table, change.column, design, server)
    case 'add extra column':
      return [`ALTER TABLE ${table} ADD COLUMN ${quoteName(design.extra)} ${longText} ${collated(server)}`]
    case 'drop index':
      return [`ALTER TABLE ${table} ${dropIndex(change.index)}`]
    case 'drop column': {
      const clauses = [...change.indexes.map(dropIndex), `DROP COLUMN ${quoteName(change.column)}`]
      return [`ALTER TABLE ${table} ${clauses.join(', ')}`]
    }
    case 'add foreign key':
      return [`ALTER TABLE ${table} ADD ${foreignKeySql(change.key, quoteName)}`]
    case 'drop foreign key':
      return [`ALTER TABLE ${table} DROP FOREIGN KEY ${quoteName(change.key.name)}`]
    case 'create index': {
      const { index } = change
      if (index.text !== undefined) return createTextIndex(index, design, collated(server))
      const columns = index.columns.map(
        ({ name, descending }, i) =>
          `${keyPart(name, index.exceptBlank === true && i === 0, index.unique, design)}${descending ? ' DESC' : ''}`
      )
      const generated =
        index.exceptBlank === true
          ? `ADD COLUMN ${nonBlankSql((index.columns[0] as { name: string }).name, server)}, `
          : ''
      const { live } = index
      if (live !== undefined) columns.push(quoteName(liveColumn(index.name)))
      const there = live === undefined
        ? ''
        : `ADD COLUMN ${quoteName(liveColumn(index.name))} TINYINT GENERATED ALWAYS AS (IF(${quoteName(live)} IS NULL, 1, NULL)) VIRTUAL, `
      const comment = live === undefined ? '' : ` COMMENT ${quoteText(livenote + live)}`
      return [`ALTER TABLE ${table} ${generated}${there}ADD ${index.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(index.name)} (${columns.join(', ')})${comment}`]
    }
  }
}

/**
 * A default that the column is made with is read in all rows, at once or with none in between. It is taken away again:
 * new rows bring theirs.
 */
function addColumn (table: string, column: ColumnDesign, design: TableDesign, server: Server): string[] {
  const name = quoteName(column.name)
  const add = `ALTER TABLE ${table} ADD COLUMN ${name} ${typeOf(column, design, server)}`
  const fill = fillSql(column, { text: quoteText, bytes: hex => `X'${hex}'` })
  return fill === undefined
    ? [add]
    : [`${add} DEFAULT (${fill})`, `ALTER TABLE ${table} ALTER COLUMN ${name} SET DEFAULT NULL`]
}

/** With the generated column under it. */
function dropIndex (index: IndexDesign): string {
  if (index.text !== undefined) return dropTextIndex(index)
  const { name, exceptBlank, live, columns: [first] } = index
  const generated = exceptBlank === true && first !== undefined ? `, DROP COLUMN ${quoteName(nonBlank(first.name))}` : ''
  const there = live === undefined ? '' : `, DROP COLUMN ${quoteName(liveColumn(name))}`
  return `DROP INDEX ${quoteName(name)}${generated}${there}`
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
  if (!column.generated) {
    return `${quoted} ${typeOf(column, design, server)} NOT NULL${defaultSql(column)} PRIMARY KEY`
  }
  return `${quoted} ${column.format.name === 'integer' ? column.type : 'BIGINT'} NOT NULL AUTO_INCREMENT PRIMARY KEY`
}

function typeName (
  { name, type, format, keyPosition, refers }: ColumnDesign, { indexes }: TableDesign
): string {
  const isUnique = indexes.some(({ unique, columns }) => unique && columns.some(column => column.name === name))
  const isWhole = refers || keyPosition > 0 || isUnique
  return format.name === 'text' && type === longText && isWhole ? `VARCHAR(${longestKey})` : type
}

function typeOf (column: ColumnDesign, design: TableDesign, server: Server): string {
  const type = typeName(column, design)
  return /^(?:char|varchar|(?:tiny|medium|long)?text)\b/i.test(type) && !/collate/i.test(type)
    ? `${type} ${collated(server)}`
    : type
}

const collated = ({ flavour: { collation } }: Server): string => `CHARACTER SET utf8mb4 COLLATE ${collation}`

/**
 * InnoDB changes tables while others read and write them, but for a moment at the beginning and at the end
 * (https://dev.mysql.com/doc/refman/8.0/en/innodb-online-ddl-operations.html). An index with a generated column under
 * it is made on a copy.
 */
export function lockOf (change: Change | KeyChange): ChangeLock {
  const lock = 'metadata lock'
  switch (change.kind) {
    case 'create table':
      return { lock: 'none', blocks: 'nothing', wholeTable: false }
    case 'create index':
      return { lock, blocks: change.index.exceptBlank === true || change.index.live !== undefined || change.index.text !== undefined ? 'writes' : 'nothing', wholeTable: true }
    case 'drop column':
      return { lock, blocks: 'nothing', wholeTable: true }
    case 'add foreign key':
      return { lock, blocks: 'writes', wholeTable: true }
    default:
      return { lock, blocks: 'reads and writes', wholeTable: false }
  }
}
