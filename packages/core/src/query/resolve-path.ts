/** From a name in a filter to a place in a row. */
import { badQuery, hiddenInQuery, sealedInQuery } from '../errors.js'
import { nearestOutside } from '../nearest.js'
import type { PropertyType } from '../properties/types.js'
import type { PropertyPath } from './ast.js'
import { checkOperatorParts } from './extended-operators.js'
import { visiblePart } from './nested-secrets.js'
import { checkLimit, excerpt, type ParseContext } from './parse-context.js'
import { isIndex } from './path.js'
import { isSpellingOf, queryNames } from './query-names.js'
import { isPrototypeKey } from './guard-input.js'

/** The parts of a query that name properties. */
export type QueryPart = 'where' | 'order' | 'groupBy' | 'aggregate'

const anyType: PropertyType = Object.freeze({ kind: 'any' })
const coordinate: PropertyType = Object.freeze({ kind: 'number' })

/**
 * Where `name` looks: a property, a dotted path into it, or (open models) a property that the definition does not have.
 * @param place the part of the query, for messages
 * @throws RequestError 400: hidden (HIDDEN_PROPERTY_IN_QUERY), sealed (SEALED_PROPERTY_IN_QUERY), unknown, or no name
 */
export function resolvePath (context: ParseContext, name: string, place: QueryPart): PropertyPath {
  const known = context.names.paths.get(name)
  if (known === undefined) return resolveOther(context, name, place)
  if (context.secrets !== undefined && context.secrets.has(name)) throw hiddenInQuery(context.model.name, place)
  if (known.sealed !== undefined) mustBeComparable(context, known, place)
  return withVisiblePart(context, known)
}

/** Sealed values have no order and no groups; conditions are looked at further where they are read. */
function mustBeComparable ({ model }: ParseContext, { property, sealed }: PropertyPath, place: QueryPart): void {
  if (place !== 'where' || sealed === 'opaque') throw sealedInQuery(model.name, property, place)
}

function withVisiblePart (context: ParseContext, path: PropertyPath): PropertyPath {
  const visible = visiblePart(context, path.type)
  return visible === undefined ? path : { ...path, visible }
}

function resolveOther (context: ParseContext, name: string, place: QueryPart): PropertyPath {
  const { model, secrets } = context
  if (secrets !== undefined && (secrets.has(name) || isSpellingOf(secrets, name, model.name))) {
    throw hiddenInQuery(model.name, place)
  }
  const parts = name.split('.')
  checkLimit(context, parts.length, context.limits.pathParts, 'parts in a dotted path')
  if (parts.some(isPrototypeKey)) throw badQuery(`The name ${excerpt(name)} is not allowed in a query.`)
  if (context.external) checkOperatorParts(parts, name)
  if (parts.includes('')) throw badQuery(`The ${place} has a property without a name: ${excerpt(name)}`)
  const property = parts[0] as string
  const root = context.names.paths.get(property)
  if (root === undefined) mustBeNoRelation(context, property, place)
  if (root === undefined && !model.open) throw unknownProperty(context, name, place)
  if (root?.sealed !== undefined) throw sealedInQuery(model.name, property, place)
  const path = parts.slice(1)
  return withVisiblePart(context, {
    property,
    path,
    type: typeAt(context, root, path, name, place),
    declared: root !== undefined
  })
}

/**
 * Rows of relations are not among the properties of a row: without `relatedConditions` such a condition finds nothing,
 * and such an order says nothing.
 * @throws RequestError 400 RELATION_IN_QUERY, where the model refuses parts of filters that there are not
 */
function mustBeNoRelation ({ model }: ParseContext, name: string, place: QueryPart): void {
  const relation = model.relations.get(name)
  if (relation === undefined) return
  const message = `The ${place} names "${name}", which is a relation of "${model.name}"`
  if (model.refusesFilterKeys) {
    const how = place === 'aggregate'
      ? 'aggregates are made of the own properties of rows'
      : 'what related rows say can be asked with "relatedConditions": true'
    throw badQuery(`${message} and not a property: ${how}.`, 'RELATION_IN_QUERY', { relation: name })
  }
  model.tellIgnored(`${message}; it has no effect`)
}

/** Names that may not be asked about are not told either (security.md, S-57). */
function unknownProperty ({ model: { name: model }, names, secrets }: ParseContext, name: string, place: string) {
  const visible = [...names.paths.keys()].filter(each => secrets?.has(each) !== true)
  const meant = nearestOutside(name, visible)
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  return badQuery(
    `The ${place} names ${excerpt(name)}, which is not a property of "${model}".${hint}`, 'UNKNOWN_PROPERTY_IN_QUERY'
  )
}

function typeAt (
  context: ParseContext,
  root: PropertyPath | undefined,
  path: readonly string[],
  name: string,
  place: QueryPart
): PropertyType {
  if (root === undefined) return anyType
  let { type } = root
  for (const part of path) {
    while (type.kind === 'array' && !isIndex(part)) type = type.items ?? anyType
    type = memberType(context, type, part, name, place)
  }
  return type
}

function memberType (
  context: ParseContext,
  type: PropertyType,
  part: string,
  name: string,
  place: QueryPart
): PropertyType {
  switch (type.kind) {
    case 'any':
      return anyType
    case 'object':
      return type.members !== undefined && Object.hasOwn(type.members, part)
        ? (type.members[part] as PropertyType)
        : anyType
    case 'array':
      return type.items ?? anyType
    case 'geopoint':
      if (part === 'lat' || part === 'lng') return coordinate
      break
    case 'model':
      return modelMember(context, type.model as string, part, place)
  }
  throw badQuery(
    `The ${place} looks for ${excerpt(part)} in ${excerpt(name)}, but there is a ${type.kind}, which has no members.`
  )
}

function modelMember (context: ParseContext, modelName: string, part: string, place: QueryPart): PropertyType {
  const nested = context.model.Model.registry.findModel(modelName)?.compiled
  if (nested === undefined) return anyType
  if (context.external) {
    const secrets = queryNames(nested).hiddenAndProtected
    if (secrets.has(part) || (!nested.propertyByName.has(part) && isSpellingOf(secrets, part, modelName))) {
      throw hiddenInQuery(modelName, place)
    }
  }
  return nested.propertyByName.get(part)?.type ?? anyType
}
