import type { MaybePromise, ModelRegistry } from '@fastback/core'
import { deleteRows } from '@fastback/core/remote'
import { withinChange, type CredentialsChanged, type CredentialsContext } from './credentials-changed.js'
import { tokenCondition } from './token-condition.js'
import { tokensOf } from './user-model.js'

/**
 * Ends the access tokens of users whose credentials changed, all but that of the request which changed them. With
 * several user models only tokens that name this one (security.md, S-44).
 */
export function endTokens (registry: ModelRegistry) {
  return (event: CredentialsChanged, context: CredentialsContext): MaybePromise<unknown> => {
    const Model = registry.findModel(event.model)
    const tokens = Model === undefined ? undefined : tokensOf(Model)
    if (Model === undefined || tokens === undefined) return undefined
    const { TokenModel, foreignKey } = tokens
    const kept = (context.accessToken as { id?: unknown } | null | undefined)?.id
    const where: Record<string, unknown> = { [foreignKey]: { inq: event.userIds } }
    if (kept !== undefined) where[TokenModel.getIdName() ?? 'id'] = { neq: kept }
    if (event.before !== undefined) where.created = { lte: new Date(event.before) }
    return deleteRows(
      TokenModel.compiled,
      tokenCondition(Model, tokens, where),
      withinChange(TokenModel, event, context)
    )
  }
}
