/** What goes wrong with tables of others, asked as a client would. */
import type { Engine } from './column-kinds.js'
import { jsonOf, stored, type Row, type Served, type Tables } from './served-tables.js'

export interface Expected {
  /** Types of its columns, as the database has them. */
  readonly types: ReadonlyMap<string, string>
  /** Rows that it has. Default: as many as a list has, up to 20. */
  readonly rows?: number
  /** The id of a row that is made again, as JSON has it; undefined: the database gives it. */
  readonly another?: unknown
  /** Properties that the database gives a new row. */
  readonly given?: readonly string[]
}

const filter = (where: unknown): string => `filter=${encodeURIComponent(jsonOf({ where }))}`
const same = (one: unknown, other: unknown): boolean => jsonOf(one) === jsonOf(other)
const idText = (id: unknown): string => encodeURIComponent(String(id).replace('§', ''))

/** Reads the rows of a model, finds each by every value that it shows, puts it back, and makes it again. */
export async function faultsOf (
  engine: Engine, url: string, tables: Tables, model: Served, { types, rows: count, another, given = [] }: Expected
): Promise<string[]> {
  const { ask } = tables
  const path = `/${model.plural}`
  const list = await ask('GET', `${path}?filter={"limit":20}`)
  if (list.status !== 200) return [`list: ${list.status} ${list.text}`]
  const rows = list.body as Row[]
  if (count !== undefined && rows.length !== count) return [`list: ${rows.length} rows of ${count}`]
  const { id } = model
  if (id === undefined) return []
  const faults: string[] = []
  const before = await stored(engine, url, model.table, types)
  for (const row of rows) {
    const one = await ask('GET', `${path}/${idText(row[id])}`)
    if (!same(one.body, row)) faults.push(`by id: ${one.status} ${one.text} for ${jsonOf(row)}`)
    for (const [property, value] of Object.entries(row)) {
      if (typeof value === 'object' && value !== null) continue
      const found = await ask('GET', `${path}?${filter({ [property]: value, ...property === id ? {} : { [id]: row[id] } })}`)
      if (found.status !== 200 || !same(found.body, [row])) {
        faults.push(`find by ${property} ${jsonOf(value)}: ${found.status} ${found.text.slice(0, 300)}`)
      }
    }
    for (const method of ['PUT', 'PATCH'] as const) {
      const put = await ask(method, `${path}/${idText(row[id])}`, row)
      // Triggers of databases that are there may write the time of the change.
      const is = count === undefined ? (await ask('GET', `${path}/${idText(row[id])}`)).body : row
      if (put.status !== 200 || !same(put.body, is)) {
        faults.push(`${method} of what was read: ${put.status} ${put.text} for ${jsonOf(row)}`)
      }
    }
  }
  const after = await stored(engine, url, model.table, types)
  if (count !== undefined && !same(before, after)) faults.push(`stored ${jsonOf(before)}, and after being put back ${jsonOf(after)}`)
  return count === undefined ? faults : [...faults, ...await madeAgain(tables, model, rows[0] as Row, another, given)]
}

async function madeAgain (
  { ask }: Tables, model: Served, source: Row, another: unknown, given: readonly string[]
): Promise<string[]> {
  const path = `/${model.plural}`
  const id = model.id as string
  const copy: Row = Object.fromEntries(Object.entries(source).filter(([name]) => name !== id && !given.includes(name)))
  const create = await ask('POST', path, another === undefined ? copy : { ...copy, [id]: another })
  if (create.status !== 200) return [`made again: ${create.status} ${create.text} for ${jsonOf(copy)}`]
  const { status, body, text } = await ask('GET', `${path}/${idText((create.body as Row)[id])}`)
  if (status !== 200 || !same(body, create.body)) return [`made again answers ${create.text}, and is ${text}`]
  return Object.entries(copy)
    .filter(([name, value]) => !same((body as Row)[name], value))
    .map(([name]) => `made again: ${name} of ${jsonOf(copy)} is ${text}`)
}
