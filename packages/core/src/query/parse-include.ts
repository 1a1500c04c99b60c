/** `include`: names, lists, `{ relation, scope }`, and `{ books: 'author' }` for relations of the related rows. */
import type { QueriedModel, QueriedRelation } from './queried-model.js'
import { badQuery } from '../errors.js'
import type { IncludeNode, Query } from './ast.js'
import { extendIncludePath, refuseSecondReturn, type IncludePath } from './include-path.js'
import { checkLimit, isPlainObject, excerpt, type ParseContext } from './parse-context.js'

type Scope = Readonly<Record<string, unknown>>

const none: readonly IncludeNode[] = Object.freeze([])

/**
 * The relations to load. Equal ones are folded into one; relations with `disableInclude` are left out.
 * @param readScope reads a scope against the related model, so that what is wrong in it is said even when there is no
 * row to include for
 * @throws RequestError 400 INVALID_INCLUDE for an unknown relation or another form (which includes nothing where code
 * asks and filters may have parts that nobody knows), QUERY_TOO_EXPENSIVE for one that goes back and forth
 */
export function readInclude (
  context: ParseContext,
  include: unknown,
  readScope: (target: QueriedModel, scope: Scope, includePath: IncludePath) => Query
): readonly IncludeNode[] {
  if (include === undefined || include === null || include === '') return none
  const found = new Map<string, IncludeNode>()
  collect(context, include, (name, scope, count = false) => {
    const relation = relationOf(context, name)
    checkLimit(context, ++context.counts.includes, context.limits.includes, 'relations to include')
    checkLimit(context, (context.includePath?.level ?? 0) + 1, context.limits.includeDepth, 'levels of include')
    if (relation.definition.options?.disableInclude === true) return
    const includePath = extendIncludePath(context.includePath, relation)
    const target = context.external && scope !== undefined ? relation.target() : undefined
    const query = target === undefined ? undefined : readScope(target.compiled, scope as Scope, includePath)
    if (context.external) refuseSecondReturn(includePath)
    const earlier = found.get(name)
    found.set(name, {
      relation: name,
      scope: earlier === undefined ? scope : bothScopes(earlier.scope, scope),
      ...(count ? { count } : {}),
      external: context.external,
      query: earlier === undefined ? query : undefined,
      includePath
    })
  })
  return found.size === 0 ? none : [...found.values()]
}

type Found = (relation: string, scope: Scope | undefined, count?: boolean) => void

function collect (context: ParseContext, include: unknown, found: Found): void {
  if (typeof include === 'string') {
    for (const name of include.split(',')) found(name.trim(), undefined)
  } else if (Array.isArray(include)) {
    for (const item of include as unknown[]) collect(context, item, found)
  } else if (isPlainObject(include)) {
    collectObject(context, include, found)
  } else if (context.outside || context.model.refusesFilterKeys) throw invalidInclude(include)
}

function collectObject (context: ParseContext, include: Record<string, unknown>, found: Found): void {
  const relation = include.relation ?? include.rel
  if (typeof relation === 'string' && !context.model.relations.has('relation')) {
    const { scope } = include
    if (scope !== undefined && scope !== null && !isPlainObject(scope)) throw invalidInclude(include)
    found(relation, scope ?? undefined, isCounted(context, include))
    return
  }
  for (const name of Object.keys(include)) found(name, nested(include[name]))
}

/** Filters whose parts nobody minds (`unknownFilterKeys: "ignore"`) have no such part, as in LoopBack. */
function isCounted ({ model }: ParseContext, { count, scope }: Record<string, unknown>): boolean {
  if (count === undefined || !model.refusesFilterKeys) return false
  if (count !== true && count !== false) throw badQuery('The "count" of an include is true or false', 'INVALID_INCLUDE')
  const others = Object.keys((scope ?? {}) as object).filter(key => key !== 'where')
  if (count && others.length > 0) {
    throw badQuery(
      'An include with "count" has no rows to show: its scope has "where" alone, and not ' +
      `"${others.join('", "')}"`,
      'INVALID_INCLUDE'
    )
  }
  return count
}

/** What stands for a relation in `{ books: … }`: what to include with its rows. */
function nested (include: unknown): Scope | undefined {
  if (include === undefined || include === null || include === true || include === '' || include === 'true') {
    return undefined
  }
  if (typeof include !== 'string' && typeof include !== 'object') throw invalidInclude(include)
  return { include }
}

function relationOf (context: ParseContext, name: string): QueriedRelation {
  const relation = context.model.relations.get(name)
  if (relation === undefined) {
    throw badQuery(`Relation ${excerpt(name)} is not defined for ${context.model.name} model`, 'INVALID_INCLUDE')
  }
  return relation
}

/**
 * The scope of a relation that is named twice: equal ones are one, nested includes are put together, otherwise the
 * later one counts.
 */
function bothScopes (first: Scope | undefined, second: Scope | undefined): Scope | undefined {
  if (first === undefined || second === undefined) return first ?? second
  if (JSON.stringify(first) === JSON.stringify(second)) return first
  if (first.include === undefined || second.include === undefined) return { ...first, ...second }
  return { ...first, ...second, include: [first.include, second.include].flat() }
}

const invalidInclude = (include: unknown) => badQuery(`The include ${excerpt(include)} is not valid`, 'INVALID_INCLUDE')
