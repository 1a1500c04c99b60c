/** Words for a step of a migration that the database refuses. */
import { UniqueIndexError } from '@fastback/core'
import { StoreError } from '../errors.js'
import type { TableDesign, TableStep } from './design.js'

/**
 * Why a step could not be done, for the end of a sentence that names the model; undefined where the error says all that
 * there is to say.
 * @param error as `Dialect.translateError` has it
 */
export function whyRefused (step: TableStep, design: TableDesign, error: unknown): string | undefined {
  if (step.kind === 'add foreign key') {
    return `the foreign key "${step.key.name}" cannot be made: rows of "${design.name}" lead to rows that are not ` +
      'there, or the types of the two columns differ'
  }
  if (step.kind === 'create index' && error instanceof UniqueIndexError) {
    const columns = step.index.columns.map(({ name }) => name).join(', ')
    return `rows have the same ${columns}, so that the unique index "${step.index.name}" cannot be made`
  }
  if (!(error instanceof StoreError)) return undefined
  return `the database refuses to ${wordsFor(step, design)}: ${messageOf(error.cause ?? error)}`
}

function wordsFor (step: TableStep, { name, columns }: TableDesign): string {
  switch (step.kind) {
    case 'create table': return `make the table "${name}" with ${String(columns.length)} columns`
    case 'drop table': return `drop the table "${name}"`
    case 'add column': return `give the table "${name}" the column "${step.column.name}" (${step.column.type})`
    case 'add extra column': return `give the table "${name}" a column for properties that are not declared`
    case 'drop column': return `drop the column "${step.column}" of the table "${name}"`
    case 'create index': return `make the index "${step.index.name}" of the table "${name}"`
    case 'drop index': return `drop the index "${step.index.name}" of the table "${name}"`
    case 'add foreign key': return `make the foreign key "${step.key.name}" of the table "${name}"`
    case 'drop foreign key': return `drop the foreign key "${step.key.name}" of the table "${name}"`
  }
}

/** What the database says of its own tables: its first line, which anyone who starts the application is to read. */
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] as string
