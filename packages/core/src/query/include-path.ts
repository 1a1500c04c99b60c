/**
 * The relations that an include from outside went through so far. It may follow the inverse of an earlier relation once
 * (security.md, S-75).
 */
import { queryTooExpensive } from '../errors.js'
import type { QueriedRelation } from './queried-model.js'
import { inverseJoin } from './inverse.js'

/** The key of the path in the options of an operation, for scopes that are parsed when their model is known. */
export const INCLUDE_PATH = Symbol.for('fastback.includePath')

/** The last relation of a path, and what is needed of those before it. */
export interface IncludePath {
  readonly relation: QueriedRelation
  /** How many relations there are in the path. */
  readonly level: number
  /** Joins that were followed back, each as a text. */
  readonly returns: readonly string[]
}

/** The path with one more relation. */
export function extendIncludePath (before: IncludePath | undefined, relation: QueriedRelation): IncludePath {
  const join = before === undefined ? undefined : inverseJoin(before.relation, relation)
  const returns = before?.returns ?? []
  return { relation, level: (before?.level ?? 0) + 1, returns: join === undefined ? returns : [...returns, join] }
}

/**
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE when the path follows a join back that it followed back before
 */
export function refuseSecondReturn ({ returns }: IncludePath): void {
  if (returns.length > 1 && returns.indexOf(returns.at(-1) as string) < returns.length - 1) {
    throw queryTooExpensive('returns', 1)
  }
}
