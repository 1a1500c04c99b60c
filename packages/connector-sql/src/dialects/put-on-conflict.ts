/** `ON CONFLICT`, as SQLite and PostgreSQL write it. */
import type { Table } from '../tables/table.js'

/** The end of an INSERT that replaces a row with the same id, for tables whose key that is. */
export function putOnConflict ({ id, isKeyed, written, extra }: Table): string | undefined {
  if (id === undefined || !isKeyed) return undefined
  const names = [...written.map(({ quoted }) => quoted), ...(extra === undefined ? [] : [extra])]
  const sets = names.map(name => `${name} = excluded.${name}`).join(', ')
  return ` ON CONFLICT (${id.quoted}) DO ${sets === '' ? 'NOTHING' : `UPDATE SET ${sets}`}`
}
