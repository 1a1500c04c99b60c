/** Access rows as the folder's files have them, with the models in which each counts. */
import { isDeepStrictEqual } from 'node:util'
import type { MethodReview, Rule } from '@fastback/acl'
import { isAllowed, reviewAccess, ruleOf } from '@fastback/acl/review'
import type { AclDefinition, ModelClass } from '@fastback/core'
import { rulesOf } from '@fastback/core/remote'
import type { JSONPath } from 'jsonc-parser'
import type { FindingLocation } from './finding.js'
import { locationIn, type Source } from './sources.js'
import type { Subject } from './subject.js'

/** A row in one of the models where it counts. */
export interface RowInModel {
  readonly Model: ModelClass
  /** All methods that the model shares. */
  readonly reviews: readonly MethodReview[]
  /** Those that it speaks of. */
  readonly concerned: readonly MethodReview[]
  /**
   * Those whose decision may be this row's, with its rule there. A row that says the same as another one decides where
   * that does.
   */
  readonly decided: ReadonlyArray<{ readonly review: MethodReview, readonly rule: Rule }>
}

export interface WrittenRow {
  /** As written. */
  readonly row: Readonly<Partial<AclDefinition>>
  readonly rule: Rule
  /** The model it was written for, and those that inherit it from there. */
  readonly models: readonly RowInModel[]
  place (...keys: JSONPath): FindingLocation
}

/** Every row that the folder's files have, in the order of the models; none where rows mean nothing. */
export async function writtenRows ({ registry, sources, enforced }: Subject): Promise<WrittenRow[]> {
  if (!enforced) return []
  const reviews = new Map<ModelClass, MethodReview[]>()
  const reviewsOf = async (Model: ModelClass): Promise<MethodReview[]> => {
    const known = reviews.get(Model) ?? await reviewAccess(Model)
    reviews.set(Model, known)
    return known
  }
  const configured = sources.of('model-config')
  const written: WrittenRow[] = []
  for (const Model of Object.values(registry.models)) {
    const definition = sources.definition(Model)
    const lists: Array<[Source, JSONPath]> = configured.map(source => [source, [Model.modelName, 'acls']])
    if (definition !== undefined) lists.unshift([definition, ['acls']])
    for (const [source, keys] of lists) {
      for (const [i, row] of listAt(source.value, keys).entries()) {
        const rule = ruleOf(row, true)
        const holders = [Model, ...registry.modelsExtending(Model)].filter(each =>
          rulesOf(each).some(other => saysTheSame(ruleOf(other, true), rule))
        )
        if (holders.length === 0) continue
        const models = await Promise.all(holders.map(async holder => inModel(holder, rule, await reviewsOf(holder))))
        written.push({ row, rule, models, place: (...more) => locationIn(source, [...keys, i, ...more]) })
      }
    }
  }
  return written
}

function inModel (Model: ModelClass, rule: Rule, reviews: readonly MethodReview[]): RowInModel {
  const concerned = reviews.filter(review => review.concerns(rule))
  const decided = concerned.flatMap(review => {
    const found = review.plan.rules.find(each => saysTheSame(each, rule))
    return found === undefined ? [] : [{ review, rule: found }]
  })
  return { Model, reviews, concerned, decided }
}

/** Whether two rules say the same, however they are written. */
export const saysTheSame = (a: Rule, b: Rule): boolean => isDeepStrictEqual(saidBy(a), saidBy(b))

/** What a rule says, in whichever model: of rows, properties and logins as it is written. */
function saidBy (
  { written: { rows, check, preset, fields, enforce, accessAssurance }, narrowing: _, assurance: __, ...rule }: Rule
): unknown {
  return { ...rule, rows, check, preset, fields, enforce, accessAssurance }
}

/** The rules at a key of a file; none where there is no list. */
export function listAt (value: unknown, keys: JSONPath): ReadonlyArray<Partial<AclDefinition>> {
  const list = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)
  return Array.isArray(list) ? list as Array<Partial<AclDefinition>> : []
}

/** `DENY $everyone, WRITE of create`, for sentences. */
export function describeRule ({ permission, principalType, principalId, accessType, methods }: Rule): string {
  const of = methods === undefined ? '' : ` of ${methods.join(', ')}`
  return `${permission} ${principalType === 'ROLE' ? '' : `${principalType} `}${principalId}${accessType === undefined && of === '' ? '' : `, ${accessType ?? '*'}${of}`}`
}

/** At most six names, and how many more there are. */
export const some = (names: readonly string[]): string =>
  names.length <= 6 ? names.join(', ') : `${names.slice(0, 6).join(', ')} and ${names.length - 6} more`

/** Whether callers of some kind may call the method. */
export const isOpenTo = (
  review: Pick<MethodReview, 'decide'>,
  ...kinds: ReadonlyArray<Parameters<MethodReview['decide']>[0]>
): boolean => kinds.some(kind => isAllowed(review.decide(kind).permission))
