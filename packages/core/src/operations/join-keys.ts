/**
 * Include needs the properties that join the rows, also where `fields` leaves them out. They are read, used, and taken
 * off again.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { badQuery } from '../errors.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode, Query, Selection } from '../query/ast.js'
import { isSelected } from '../query/narrow.js'
import { internSelection } from '../query/parse-fields.js'

/**
 * The query with the join keys of its includes among the selected properties, unless the model says otherwise.
 * @throws RequestError 400 for a list whose key is left out, where the model says otherwise
 */
export function withJoinKeys (model: CompiledModel, query: Query): Query {
  if (!model.includesBeyondFields) {
    mustSelectKeysOfLists(model, query)
    return query
  }
  const missing = query.include
    .flatMap(node => model.relations.get(node.relation)?.joinKeys ?? [])
    .filter(key => !isSelected(model, query.select, key))
  if (missing.length === 0) return query
  const declared = [...query.select.names, ...missing.filter(key => model.propertyByName.has(key))]
  const unknown = missing.filter(key => !model.propertyByName.has(key))
  const { extra } = query.select
  const select: Selection = {
    names: [...new Set(declared)],
    extra: unknown.length === 0 || extra === 'all' ? extra : [...(extra === 'none' ? [] : extra), ...unknown]
  }
  return { ...query, select: internSelection(model, select) }
}

/**
 * Whether `fields` leaves out what an include is joined by.
 *
 * ```js
 * lacksJoinKeys(Book.compiled, query) // true for { fields: ['title'], include: 'author' }
 * ```
 */
export const lacksJoinKeys = (model: CompiledModel, query: Query): boolean =>
  query.include.some(node => lackingKey(model, query, node) !== undefined)

const lackingKey = (model: CompiledModel, { select }: Query, { relation }: IncludeNode): string | undefined =>
  model.relations.get(relation)?.joinKeys.find(key => !isSelected(model, select, key))

function mustSelectKeysOfLists (model: CompiledModel, query: Query): void {
  for (const node of query.include) {
    const lacking = lackingKey(model, query, node)
    if (lacking !== undefined && model.relations.get(node.relation)?.type === 'hasMany') {
      throw badQuery(`ID property "${lacking}" is missing: "fields" must name it where "${node.relation}" is included`)
    }
  }
}

/** Takes the keys off that only the join needed. */
export function withoutJoinKeys (rows: Row[], asked: Query, read: Query): Row[] {
  if (asked === read) return rows
  const surplus = read.select.names.filter(name => !asked.select.names.includes(name))
  for (const row of rows) for (const name of surplus) delete row[name]
  return rows
}
