/** From foreign keys to relations, both ways (discovery.md, DR-4 to DR-7, DR-9). */
import { camelize, pluralize, underscore } from 'inflection'
import type { CatalogueForeignKey, CatalogueTable } from '../dialects/catalogue.js'

/** A table with the names that its model has. */
export interface NamedTable {
  readonly table: CatalogueTable
  readonly model: string
  /** Names of properties by those of columns. */
  readonly properties: ReadonlyMap<string, string>
}

/** What the relations of one model become. */
export interface FoundRelations {
  readonly relations: Record<string, Record<string, unknown>>
  readonly notes: string[]
  /** Whether the table does nothing but join two others (DR-7). */
  isPureJunction: boolean
}

/** A key of one column, on its way to a pair of relations. */
interface Link {
  readonly from: NamedTable
  readonly to: NamedTable
  readonly key: CatalogueForeignKey
  readonly foreignKey: string
  /** The property that the key points at, unless it is the id. */
  readonly target: string | undefined
  /** Name of the column without what names the key of the other table. */
  readonly base: string
  readonly isUnique: boolean
}

const keyOf = (schema: string, table: string): string => `${schema}.${table}`

/** The relations of all models, by the names of the models. */
export function relationsOf (tables: readonly NamedTable[]): Map<string, FoundRelations> {
  const byKey = new Map(tables.map(each => [keyOf(each.table.schema, each.table.name), each]))
  const none = (): FoundRelations => ({ relations: {}, notes: [], isPureJunction: false })
  const found = new Map(tables.map(({ model }) => [model, none()]))
  const of = ({ model }: NamedTable): FoundRelations => found.get(model) as FoundRelations
  const links: Link[] = []
  for (const from of tables) {
    for (const key of from.table.foreignKeys) {
      const to = byKey.get(keyOf(key.target.schema, key.target.table))
      if (key.columns.length > 1) {
        of(from).notes.push(`DR-5: ${key.name} has ${key.columns.length} columns, no relation`)
      } else if (to === undefined) {
        of(from).notes.push(`DR-9: ${key.name} leads to "${key.target.table}", which was not chosen`)
      } else links.push(linkOf(from, to, key))
    }
  }
  for (const link of links) addBelongsTo(link, of(link.from))
  const junctions = new Map(tables.map(each => [each, junctionOf(each, links)] as const))
  for (const link of links) {
    const junction = junctions.get(link.from)
    if (junction === undefined || !junction.isPure) addOtherSide(link, links, of(link.to))
  }
  for (const [table, junction] of junctions) {
    if (junction === undefined) continue
    of(table).isPureJunction = junction.isPure
    addThrough(table, junction.links[0], junction.links[1], of(junction.links[0].to))
    if (junction.links[0].to !== junction.links[1].to) {
      addThrough(table, junction.links[1], junction.links[0], of(junction.links[1].to))
    }
  }
  return found
}

function linkOf (from: NamedTable, to: NamedTable, key: CatalogueForeignKey): Link {
  const [column = ''] = key.columns
  const [pointed = ''] = key.target.columns
  const ids = to.table.primaryKey?.columns ?? []
  const isUnique = isOnly(from.table.primaryKey?.columns, column) ||
    from.table.indexes.some(({ unique, columns }) => unique && isOnly(columns, column))
  return {
    from,
    to,
    key,
    foreignKey: from.properties.get(column) as string,
    target: isOnly(ids, pointed) ? undefined : to.properties.get(pointed),
    base: baseName(column, pointed),
    isUnique
  }
}

const isOnly = (columns: readonly string[] | undefined, column: string): boolean =>
  columns?.length === 1 && columns[0] === column

/** `customer_id` is the `customer`; `product_sku`, where the other table's key is its `sku`, the `product`. */
function baseName (column: string, pointed: string): string {
  const words = underscore(column).split(/[_\W]+/).filter(word => word !== '')
  const endings = new Set(['id', 'fk', 'code', ...underscore(pointed).split(/[_\W]+/).slice(-1)])
  while (words.length > 1 && endings.has(words.at(-1) as string)) words.pop()
  return camelize(words.join('_'), true)
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
const plural = (model: string): string => {
  const words = underscore(model).split('_')
  const last = words.at(-1) as string
  const end = words.length === 1 ? pluralize(last) : upper(pluralize(last))
  return lower(model.slice(0, model.length - last.length)) + end
}

/** A name that no property and no relation of the model has. */
function free (name: string, table: NamedTable, { relations }: FoundRelations): string {
  const taken = new Set([...table.properties.values(), ...Object.keys(relations)])
  if (!taken.has(name)) return name
  const other = `${name}Relation`
  if (!taken.has(other)) return other
  let number = 2
  while (taken.has(`${other}${number}`)) number++
  return `${other}${number}`
}

function addBelongsTo ({ from, to, foreignKey, target, base }: Link, found: FoundRelations): void {
  found.relations[free(base, from, found)] = {
    type: 'belongsTo',
    model: to.model,
    foreignKey,
    ...(target === undefined ? {} : { primaryKey: target })
  }
}

function addOtherSide (link: Link, links: readonly Link[], found: FoundRelations): void {
  const { from, to, foreignKey, target, base, isUnique } = link
  const siblings = links.filter(other => other.from === from && other.to === to)
  const many = isUnique ? lower(from.model) : plural(from.model)
  const name = from === to
    ? base === 'parent' ? (isUnique ? 'child' : 'children') : `${many}Of${upper(base)}`
    : siblings.length > 1 ? `${many}As${upper(base)}` : many
  found.relations[free(name, to, found)] = {
    type: isUnique ? 'hasOne' : 'hasMany',
    model: from.model,
    foreignKey,
    ...(target === undefined ? {} : { primaryKey: target })
  }
}

interface Junction { readonly links: readonly [Link, Link], readonly isPure: boolean }

/** A table whose key is two foreign keys, and that nothing points at. */
function junctionOf (table: NamedTable, links: readonly Link[]): Junction | undefined {
  if (links.some(({ to, from }) => to === table && from !== table)) return undefined
  const own = links.filter(({ from }) => from === table)
  const unique = table.table.indexes.filter(({ unique }) => unique)
  const keys = [table.table.primaryKey, ...unique].map(key => key?.columns)
  for (const columns of keys) {
    if (columns?.length !== 2) continue
    const pair = columns.map(column => own.find(({ key }) => key.columns[0] === column))
    const [first, second] = pair
    if (first === undefined || second === undefined) continue
    const others = table.table.columns.filter(({ name }) =>
      !columns.includes(name) && !(table.table.primaryKey?.columns.includes(name) ?? false))
    return { links: [first, second], isPure: others.length === 0 }
  }
  return undefined
}

function addThrough (table: NamedTable, near: Link, far: Link, found: FoundRelations): void {
  const base = plural(upper(far.base))
  found.relations[free(base, near.to, found)] = {
    type: 'hasMany',
    model: far.to.model,
    foreignKey: near.foreignKey,
    through: table.model,
    keyThrough: far.foreignKey
  }
}
