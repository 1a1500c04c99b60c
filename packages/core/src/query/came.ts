/**
 * The way that an include from outside took so far: it may go back over the inverse of the relation it came by once,
 * and no more (security.md, S-75).
 */
import { queryTooExpensive } from '../errors.js'
import type { QueriedRelation } from './queried-model.js'
import { inverseJoin } from './inverse.js'

/** Where the options of an operation carry it, for scopes that are read when their model is known. */
export const CAME = Symbol.for('fastback.came')

/** One step of an include, and what matters of those before it. */
export interface Came {
  readonly relation: QueriedRelation
  /** How many steps there are. */
  readonly level: number
  /** Joins that were crossed back, each as a text. */
  readonly returns: readonly string[]
}

/** The next step. */
export function goOn (before: Came | undefined, relation: QueriedRelation): Came {
  const join = before === undefined ? undefined : inverseJoin(before.relation, relation)
  const returns = before?.returns ?? []
  return { relation, level: (before?.level ?? 0) + 1, returns: join === undefined ? returns : [...returns, join] }
}

/**
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE when a step from outside went back over a join that was crossed back
 * before
 */
export function mustNotReturn ({ returns }: Came): void {
  if (returns.length > 1 && returns.indexOf(returns.at(-1) as string) < returns.length - 1) {
    throw queryTooExpensive('returns', 1)
  }
}
