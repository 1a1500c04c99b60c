/** Whose queries have a budget, and which of them need one (security.md, S-74 and S-75). */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Query } from '../query/ast.js'
import { isRemote } from './origin.js'
import { CALLER, fewRows, WORK, Work } from '../query/work.js'

/** Whether a read may cost more than a small page in the order of the ids does. */
export const mayBeCostly = ({ where, order, include, limit }: Query): boolean =>
  where !== undefined || order.length > 0 || include.length > 0 || limit === undefined || limit > fewRows

/** The options with a budget, which everything that the operation leads to counts on. */
export const withWork = (model: CompiledModel, options: OperationOptions): OperationOptions =>
  ({ ...options, [WORK]: new Work(model.parsing.external.limits, options[CALLER]) })

/** The options for rows that are read on the way and do not come into the response: its work counts, not its size. */
export function aside (model: CompiledModel, options: OperationOptions): OperationOptions {
  const { [WORK]: work } = options[WORK] === undefined && isRemote(options) ? withWork(model, options) : options
  return work === undefined ? options : { ...options, [WORK]: work.aside }
}
