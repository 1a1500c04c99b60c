/** The steps from the foreign keys of a table to those of its design. They come when all tables are there. */
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { CatalogueForeignKey } from '../dialects/catalogue.js'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { isAction } from '../dialects/foreign-key.js'
import { sameName } from './compare.js'
import type { ForeignKeyDesign, KeyChange, TableDesign } from './design.js'

/** A key that others made does what they meant it to do. */
export function keyChangesTo ({ foreignKeys }: TableDesign, actual: readonly CatalogueForeignKey[]): KeyChange[] {
  return foreignKeys.flatMap((key): KeyChange[] => {
    const found = actual.find(each => leadsAs(each, key))
    if (found === undefined) return [{ kind: 'add foreign key', key }]
    const isOwn = sameName(found.name, key.name)
    return !isOwn || (isAction(found.onDelete, key.onDelete) && isAction(found.onUpdate, key.onUpdate))
      ? []
      : [{ kind: 'drop foreign key', key }, { kind: 'add foreign key', key }]
  })
}

/** The foreign keys that a table has; none where it is not there. */
export function keysOf (
  connection: Connection, dialect: Dialect, { schema, name }: TableDesign
): MaybePromise<readonly CatalogueForeignKey[]> {
  return chain(dialect.introspect(connection, { schema, name }), actual => {
    if (actual === undefined) return []
    const found = dialect.catalogue.tables(connection, { schema, tables: [actual.name] })
    return chain(found, ([table]) => table?.foreignKeys ?? [])
  })
}

const leadsAs = ({ columns, target }: CatalogueForeignKey, key: ForeignKeyDesign): boolean =>
  columns.length === 1 && sameName(columns[0] as string, key.column) &&
  sameName(target.table, key.target.name) && sameName(target.columns[0] ?? '', key.target.column)
