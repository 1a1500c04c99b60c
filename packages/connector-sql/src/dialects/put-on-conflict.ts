/** `ON CONFLICT`, as SQLite and PostgreSQL write it. */
import type { Table } from '../tables/table.js'

/** The end of an INSERT that replaces the row with the same key: the id, or what follows from it. */
export function putOnConflict ({ id, isKeyed, keyedBy, written, extra }: Table): string | undefined {
  const key = isKeyed ? id : keyedBy
  if (id === undefined || key === undefined) return undefined
  const columns = [id, ...written].filter(column => column !== key)
  const names = [...columns.map(({ quoted }) => quoted), ...(extra === undefined ? [] : [extra])]
  const sets = names.map(name => `${name} = excluded.${name}`).join(', ')
  return ` ON CONFLICT (${key.quoted}) DO ${sets === '' ? 'NOTHING' : `UPDATE SET ${sets}`}`
}
