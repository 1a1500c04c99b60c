/**
 * Include needs the properties that join the rows, also where `fields` leaves them out. They are read, used, and taken
 * off again.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Row } from '../properties/types.js'
import type { Query, Selection } from '../query/ast.js'
import { isSelected } from '../query/narrow.js'
import { internSelection } from '../query/parse-fields.js'

/** The query with the join keys of its includes among the selected properties. */
export function withJoinKeys (model: CompiledModel, query: Query): Query {
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

/** Takes the keys off that only the join needed. */
export function withoutJoinKeys (rows: Row[], asked: Query, read: Query): Row[] {
  if (asked === read) return rows
  const surplus = read.select.names.filter(name => !asked.select.names.includes(name))
  for (const row of rows) for (const name of surplus) delete row[name]
  return rows
}
