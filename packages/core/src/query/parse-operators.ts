/** What each operator is read as (security.md, S-20). */
import type { Condition, PropertyPath } from './ast.js'
import type { OperatorName } from './operator-names.js'
import { among, between, equal, exists, range, unequal } from './parse-comparison.js'
import type { ParseContext } from './parse-context.js'
import { readNear } from './parse-near.js'
import { readLike, readRegExp } from './parse-pattern.js'

/**
 * Reads one operator and adds its condition to `into`.
 * @param clause the object that the operator stands in, with `options`, `maxDistance` and the like beside it
 */
export type OperatorReader = (
  context: ParseContext,
  path: PropertyPath,
  operand: unknown,
  clause: Readonly<Record<string, unknown>>,
  into: Condition[]
) => void

const reader =
  (
    read: (
      context: ParseContext,
      path: PropertyPath,
      operand: unknown,
      clause: Readonly<Record<string, unknown>>
    ) => Condition
  ): OperatorReader =>
    (context, path, operand, clause, into) => {
      into.push(read(context, path, operand, clause))
    }

const readers: Readonly<Record<OperatorName, OperatorReader>> = {
  eq: reader(equal),
  neq: reader(unequal),
  gt: reader((context, path, operand) => range(context, path, 'gt', operand)),
  gte: reader((context, path, operand) => range(context, path, 'gte', operand)),
  lt: reader((context, path, operand) => range(context, path, 'lt', operand)),
  lte: reader((context, path, operand) => range(context, path, 'lte', operand)),
  between: reader(between),
  inq: reader((context, path, operand) => among(context, path, 'inq', operand)),
  nin: reader((context, path, operand) => among(context, path, 'nin', operand)),
  like: reader((context, path, operand, clause) => readLike(context, path, 'like', operand, clause)),
  nlike: reader((context, path, operand, clause) => readLike(context, path, 'nlike', operand, clause)),
  ilike: reader((context, path, operand, clause) => readLike(context, path, 'ilike', operand, clause)),
  nilike: reader((context, path, operand, clause) => readLike(context, path, 'nilike', operand, clause)),
  regexp: reader(readRegExp),
  near: reader(readNear),
  exists: reader((_context, path, operand, clause) => exists(path, operand, '$exists' in clause))
}

/** By name; a name that comes from outside is looked up in nothing but this list. */
export const operators: ReadonlyMap<string, OperatorReader> = new Map(Object.entries(readers))
