/** Differences between tables and models, each with what it starts from. */
import type { ModelDefinitionInput } from '@fastback/core'

export type Engine = 'sqlite' | 'postgres' | 'mysql'

export interface PlanCase {
  readonly name: string
  /** Models whose tables are there. */
  readonly before?: readonly ModelDefinitionInput[]
  /** Statements that come then; `"` is the quote of names. */
  readonly sql?: (types: Types) => readonly string[]
  /** Rows that the models before have. */
  readonly rows?: Readonly<Record<string, readonly object[]>>
  readonly after: readonly ModelDefinitionInput[]
  readonly allowDrop?: readonly string[]
  /** Whether the data source wants constraints, after. */
  readonly foreignKeys?: boolean
  /** Default: all. */
  readonly engines?: readonly Engine[]
}

/** What the engines call types. */
export interface Types { readonly text: string, readonly key: string, readonly number: string, readonly big: string }

export const types: Readonly<Record<Engine, Types>> = {
  sqlite: { text: 'TEXT', key: 'TEXT', number: 'REAL', big: 'INTEGER' },
  postgres: { text: 'text', key: 'text', number: 'double precision', big: 'bigint' },
  mysql: { text: 'longtext', key: 'varchar(100)', number: 'double', big: 'bigint' }
}

type Properties = Record<string, unknown>
const model = (name: string, properties: Properties, more: Properties = {}): ModelDefinitionInput =>
  ({ name, strict: true, properties, ...more }) as ModelDefinitionInput
const open = (name: string, properties: Properties): ModelDefinitionInput => model(name, properties, { strict: false })
/** A model whose id is its own property. */
const keyed = (name: string, properties: Properties, more: Properties = {}): ModelDefinitionInput =>
  model(name, properties, { idInjection: false, ...more })
const declared = (dataType: string): Properties =>
  ({ sqlite3: { dataType }, postgresql: { dataType }, mysql: { dataType } })

const shop = (onDelete: 'cascade' | 'setNull'): ModelDefinitionInput[] => [
  model('Order', {}, { relations: { customer: { type: 'belongsTo', model: 'Customer', foreignKey: 'customerId', onDelete } } }),
  model('Customer', {})
]

const note = model('Note', { title: 'string' })
/** A model that is searched by these of its properties, if any. */
const searched = (...text: readonly string[]): ModelDefinitionInput => model(
  'Note', { title: 'string', body: 'string' }, text.length === 0 ? {} : { indexes: { search: { text } } })
const titles = { Note: [{ title: 'a' }, { title: 'b' }, { title: 'b' }] }

export const cases: readonly PlanCase[] = [
  { name: 'a table is missing', after: [note] },
  {
    name: 'tables are missing, with indexes and relations',
    after: [
      model('Writer', { name: { type: 'string', index: { unique: true } } }),
      model('Book', { title: 'string' }, { relations: { writer: { type: 'belongsTo', model: 'Writer', foreignKey: 'writerId' } } })
    ]
  },
  { name: 'a table of all types is missing', after: [model('All', { a: 'string', b: 'number', c: 'boolean', d: 'date', e: 'buffer', f: 'object', g: ['string'], h: 'geopoint', i: { type: 'number', jsonSchema: { type: 'integer' } } })] },
  { name: 'a table without an id is missing', after: [keyed('Line', { text: 'string' })] },
  { name: 'a table with a compound id is missing', after: [keyed('Seat', { row: { type: 'string', id: 1 }, place: { type: 'number', id: 2 }, free: 'boolean' })] },
  { name: 'nothing is missing', before: [note], rows: titles, after: [note] },
  { name: 'a column is missing', before: [note], rows: titles, after: [model('Note', { title: 'string', stars: 'number' })] },
  { name: 'the column of a required property is missing, with rows', before: [note], rows: titles, after: [model('Note', { title: 'string', stars: { type: 'number', required: true } })] },
  { name: 'the column of a required property is missing, without rows', before: [note], after: [model('Note', { title: 'string', stars: { type: 'number', required: true } })] },
  { name: 'a property is declared that rows have values of', before: [open('Note', { title: 'string' })], rows: { Note: [{ stars: 1 }, { stars: 'many' }, {}] }, after: [open('Note', { title: 'string', stars: 'number' })] },
  { name: 'an open model has a table without the extra column', sql: ({ big, text }) => [`CREATE TABLE "Note" (id ${big} PRIMARY KEY, title ${text})`], after: [keyed('Note', { id: { type: 'number', id: true }, title: 'string' }, { strict: false })] },
  { name: 'an index is missing', before: [note], rows: titles, after: [model('Note', { title: { type: 'string', index: true } })] },
  { name: 'a unique index is missing', before: [note], after: [model('Note', { title: { type: 'string', index: { unique: true } } })] },
  { name: 'a unique index is missing that rows stand against', before: [note], rows: titles, after: [model('Note', { title: { type: 'string', index: { unique: true } } })] },
  { name: 'an index has other columns', before: [model('Note', { a: 'number', b: 'number' }, { indexes: { order: { keys: { a: 1 } } } })], after: [model('Note', { a: 'number', b: 'number' }, { indexes: { order: { keys: { b: 1, a: -1 } } } })] },
  { name: 'an index is the beginning of another', before: [model('Note', { a: 'number', b: 'number' }, { indexes: { both: { keys: { a: 1, b: 1 } } } })], after: [model('Note', { a: { type: 'number', index: true }, b: 'number' }, { indexes: { both: { keys: { a: 1, b: 1 } } } })] },
  { name: 'a table with a text index is missing', after: [searched('title', 'body')] },
  { name: 'a text index is missing', before: [searched()], rows: titles, after: [searched('title', 'body')] },
  { name: 'a text index is there', before: [searched('title', 'body')], rows: titles, after: [searched('title', 'body')] },
  { name: 'a text index has other columns', before: [searched('title')], rows: titles, after: [searched('title', 'body')] },
  { name: 'a text index has another language', before: [searched('title')], rows: titles, after: [model('Note', { title: 'string', body: 'string' }, { indexes: { search: { text: ['title'], language: 'english' } } })] },
  { name: 'a text index is called otherwise', before: [searched('title')], after: [model('Note', { title: 'string', body: 'string' }, { indexes: { words: { text: ['title'] } } })] },
  { name: 'no model has the text index', before: [searched('title', 'body')], rows: titles, after: [searched()] },
  { name: 'a text index may be dropped', before: [searched('title', 'body')], rows: titles, after: [searched()], allowDrop: ['Note.Note_search'] },
  { name: 'a column with a text index may be dropped', before: [searched('title', 'body')], rows: titles, after: [note], allowDrop: ['Note.body'] },
  { name: 'a text index of two models', before: [note], after: [searched('title'), model('Memo', { title: 'string' }, { sqlite3: { table: 'Note' }, postgresql: { table: 'Note' }, mysql: { table: 'Note' }, indexes: { search: { text: ['title'] } } })] },
  { name: 'names with blanks and quotes are searched', after: [model('a "b"', { 'it\'s "that"': 'string', 'order by': 'string' }, { indexes: { 'x y': { text: ['it\'s "that"', 'order by'] } } })] },
  { name: 'a column has no property', before: [model('Note', { title: 'string', stars: 'number' })], rows: titles, after: [note] },
  { name: 'a column without a property refuses new rows', sql: ({ big, text, number }) => [`CREATE TABLE "Note" (id ${big} PRIMARY KEY, title ${text}, stars ${number} NOT NULL)`], after: [keyed('Note', { id: { type: 'number', id: true }, title: 'string' })] },
  { name: 'a column may be dropped', before: [model('Note', { title: 'string', stars: 'number' })], rows: titles, after: [note], allowDrop: ['Note.stars'] },
  { name: 'a column with an index may be dropped', before: [model('Note', { title: 'string', stars: { type: 'number', index: true } })], rows: titles, after: [note], allowDrop: ['Note.stars'] },
  { name: 'a number is a text', before: [model('Note', { title: 'string', stars: 'string' })], after: [model('Note', { title: 'string', stars: 'number' })] },
  { name: 'a number is a whole number', sql: ({ big }) => [`CREATE TABLE "Note" (id ${big} PRIMARY KEY, stars ${big})`], after: [keyed('Note', { id: { type: 'number', id: true }, stars: 'number' })] },
  { name: 'a date is a text', before: [model('Note', { at: 'object' })], after: [model('Note', { at: 'date' })], engines: ['postgres', 'mysql'] },
  { name: 'the type that the property names', sql: ({ big }) => [`CREATE TABLE "Note" (id ${big} PRIMARY KEY, code varchar(20), stars ${big})`], after: [keyed('Note', { id: { type: 'number', id: true }, code: { type: 'string', ...declared('varchar(20)') }, stars: { type: 'number', ...declared('bigint'), sqlite3: { dataType: 'INTEGER' } } })] },
  { name: 'another type than the property names', sql: ({ big }) => [`CREATE TABLE "Note" (id ${big} PRIMARY KEY, code varchar(20))`], after: [keyed('Note', { id: { type: 'number', id: true }, code: { type: 'string', ...declared('varchar(40)') } })] },
  { name: 'one id has become several', before: [keyed('Seat', { row: { type: 'string', id: true }, place: 'string' })], after: [keyed('Seat', { row: { type: 'string', id: 1 }, place: { type: 'string', id: 2 } })] },
  { name: 'the table has no primary key', sql: ({ text, key }) => [`CREATE TABLE "Note" (code ${key}, title ${text})`], after: [keyed('Note', { code: { type: 'string', id: true }, title: 'string' })] },
  { name: 'a unique index stands for the primary key', sql: ({ text, key }) => [`CREATE TABLE "Note" (code ${key} NOT NULL, title ${text})`, 'CREATE UNIQUE INDEX "Note_code" ON "Note" (code)'], after: [keyed('Note', { code: { type: 'string', id: true }, title: 'string' })] },
  { name: 'nobody gives ids out', sql: ({ big, text, key }) => [`CREATE TABLE "Note" (id ${big === 'INTEGER' ? key : big} NOT NULL PRIMARY KEY, title ${text})`], after: [note] },
  { name: 'old rows lack a required property', before: [note], rows: { Note: [{ title: 'a' }, {}, {}] }, after: [model('Note', { title: { type: 'string', required: true } })] },
  { name: 'a column refuses NULL and its property is optional', sql: ({ big, number }) => [`CREATE TABLE "Note" (id ${big} PRIMARY KEY, stars ${number} NOT NULL, more ${number} NOT NULL DEFAULT 1)`], after: [keyed('Note', { id: { type: 'number', id: true }, stars: 'number', more: 'number' })] },
  { name: 'a unique index takes NULL for a value', sql: () => ['CREATE TABLE "Note" (id bigint PRIMARY KEY, code text UNIQUE NULLS NOT DISTINCT)'], after: [keyed('Note', { id: { type: 'number', id: true }, code: 'string' })], engines: ['postgres'] },
  { name: 'a view lacks a column', sql: ({ big, text }) => [`CREATE TABLE "Base" (id ${big} PRIMARY KEY, title ${text})`, 'CREATE VIEW "Note" AS SELECT id, title FROM "Base"'], after: [keyed('Note', { id: { type: 'number', id: true }, title: { type: 'string', index: true }, stars: 'number' })] },
  { name: 'tables with foreign keys are missing', after: shop('cascade'), foreignKeys: true },
  { name: 'a foreign key is missing', before: shop('cascade'), after: shop('cascade'), foreignKeys: true },
  { name: 'a foreign key is missing that rows stand against', before: shop('setNull'), rows: { Order: [{ customerId: 7 }, {}] }, after: shop('setNull'), foreignKeys: true },
  { name: 'two models share a table', before: [note], after: [model('Note', { title: 'string', stars: 'number' }), model('Memo', { title: 'string', stars: 'number', colour: 'string' }, { sqlite3: { table: 'Note' }, postgresql: { table: 'Note' }, mysql: { table: 'Note' } })] },
  { name: 'the names are written in other case', before: [model('note', { Title: 'string' })], after: [model('Note', { title: 'string', Stars: 'number' })] },
  { name: 'names with blanks, quotes and reserved words', before: [model('select', { 'order by': 'string' })], after: [model('select', { 'order by': { type: 'string', index: true }, 'it\'s "that"': 'number' })] }
]
