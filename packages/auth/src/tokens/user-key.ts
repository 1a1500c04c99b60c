/**
 * The type of a token's key to its user: that of the ids of the users who have their tokens there. The token model's
 * own relation is to `User`, whose ids are numbers in most stores, while an application's users may have texts.
 */
import type { ModelRegistry } from '@fastback/core'
import { implyProperty, relationsOf } from '@fastback/core/remote'
import { tokensOf } from '../user/user-model.js'
import { userModelsOf } from '../user/user-models.js'

/** To be called before the models are compiled, each time. */
export function typeUserKeys (registry: ModelRegistry): void {
  for (const Model of userModelsOf(registry).inUse) {
    const tokens = tokensOf(Model)
    if (tokens === undefined) continue
    const { TokenModel, foreignKey } = tokens
    const types = userModelsOf(registry).makersOf(TokenModel).flatMap(each =>
      (relationsOf(each).get('accessTokens')?.impliedProperties() ?? [])
        .filter(({ name }) => name === foreignKey)
        .map(({ definition }) => definition.type)
    )
    // Ids of several kinds have a text in common.
    const type = new Set(types).size === 1 ? types[0] : 'string'
    implyProperty(TokenModel, foreignKey, { type: type as string, index: true })
  }
}
