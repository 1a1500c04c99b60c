/**
 * What related rows say about a row, for groups and orders: a property of the one that it leads to
 * (`"customer.city"`), or how many there are (`"items.$count"`).
 */
import { badQuery, sealedInQuery, type RequestError } from '../errors.js'
import type { Condition, PropertyPath, RelatedValue } from './ast.js'
import type { ParseContext } from './parse-context.js'
import { relationNamed } from './parse-related.js'
import { readWhere } from './parse-where.js'
import type { QueriedRelation } from './queried-model.js'

const countName = '$count'

/**
 * Reads a name that begins with a relation; undefined for every other name. One of an embedded row is a path into the
 * row itself. The relations are judged by the rules for conditions on related rows.
 *
 * ```js
 * readRelatedValue(context, 'customer.city') // { relations: ['customer'], path: { property: 'city', … }, … }
 * readRelatedValue(context, 'status') // undefined
 * ```
 * @throws RequestError 400 RELATION_IN_QUERY for a relation to several rows that are not counted, and whatever a
 * condition of this name can be refused for
 */
export function readRelatedValue (context: ParseContext, name: string): RelatedValue | PropertyPath | undefined {
  const first = relationNamed(context, name)
  if (first === undefined) return undefined
  const parts = name.split('.')
  if (parts.at(-1) === countName) return readCount(context, first, parts.slice(0, -1))
  if (parts.length === 1) throw refused(name, 'write the name of a property behind it')
  // A condition with the same name reads and judges all that is named on the way.
  const condition = readWhere(context, { [name]: { neq: null } })
  return valueOf(first, condition as Condition)
}

function readCount (context: ParseContext, first: QueriedRelation, names: readonly string[]): RelatedValue {
  let relation: QueriedRelation | undefined = first
  for (const [i, name] of names.entries()) {
    if (i > 0) relation = relation?.target()?.compiled.relations.get(name)
    const isLast = i === names.length - 1
    if (relation === undefined) throw refused(names.join('.'), `"${name}" is no relation that can be counted`)
    if (relation.multiple !== isLast) {
      throw refused(name, isLast ? 'it leads to one row, which is not counted' : several(name))
    }
  }
  const where = names.reduceRight<object>((inner, name) => ({ [name]: inner }), { some: {} })
  return { condition: readWhere(context, { ...where }) as Condition, relations: names, path: undefined }
}

/** Follows the condition to the property at its end. */
function valueOf (first: QueriedRelation, condition: Condition): RelatedValue | PropertyPath {
  const relations: string[] = []
  let part: Condition | undefined = condition
  while (part?.kind === 'related') {
    if (part.targets.length !== 1) throw refused(part.relation, 'its rows are of several models, which have no order')
    relations.push(part.relation)
    part = part.targets[0]?.condition
  }
  const path = part?.kind === 'compare' ? part.path : part?.kind === 'element' ? embeddedPath(part) : undefined
  if (path === undefined) throw refused(first.name, 'write the name of a property behind it')
  // Who may not read all of the value may not put rows in order by it (security.md, S-143).
  const end = part?.kind === 'element' ? part.condition : part
  if (end?.kind === 'compare') (end as { isShown?: boolean }).isShown = true
  if (path.sealed !== undefined) throw sealedInQuery(relations.at(-1) ?? first.name, path.property, 'query')
  return relations.length === 0 ? path : { condition, relations, path }
}

/** An embedded row lies in the row itself. */
function embeddedPath ({ path, condition }: Condition & { kind: 'element' }): PropertyPath {
  if (condition.kind !== 'compare') throw refused(path.property, 'only properties of an embedded row can be named')
  const { property, path: rest, type, visible } = condition.path
  return { ...path, path: [...path.path, property, ...rest], type, ...(visible === undefined ? {} : { visible }) }
}

const several = (name: string): string => `it leads to several rows: name how many there are, "${name}.${countName}"`

const refused = (relation: string, why: string): RequestError =>
  badQuery(`The query names the relation "${relation}": ${why}.`, 'RELATION_IN_QUERY', { relation })
