import { deleteRows, type MaybePromise, type ModelClass } from '@fastback/core'
import { withTransaction } from './external.js'
import { tokenCondition } from './token-condition.js'
import { tokensOf } from './user-model.js'

interface Ending {
  transaction?: unknown
  /** A token that goes on: that of the request which made the change. */
  readonly accessToken?: unknown
  readonly keep?: boolean
}

/** Ends the tokens of some users of a model. With several user models only those that name this one (security.md, S-44). */
export function endTokens (Model: ModelClass, userIds: readonly unknown[], options: Ending): MaybePromise<unknown> {
  const tokens = tokensOf(Model)
  if (tokens === undefined || userIds.length === 0) return undefined
  const { TokenModel, foreignKey } = tokens
  const kept = options.keep === true ? (options.accessToken as { id?: unknown } | null | undefined)?.id : undefined
  const where: Record<string, unknown> = { [foreignKey]: { inq: userIds } }
  if (kept !== undefined) where[TokenModel.getIdName() ?? 'id'] = { neq: kept }
  return deleteRows(TokenModel.compiled, tokenCondition(Model, tokens, where), withTransaction(options))
}
