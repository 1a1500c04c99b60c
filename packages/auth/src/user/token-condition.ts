/** Which rows of a token model are a user model's. */
import type { ModelClass } from '@fastback/core'
import type { TokensOf } from './user-model.js'
import { userModelsOf } from './user-models.js'

/** The condition with the name of the user model; rows without a name count where they are of that model. */
export function tokenCondition (
  Model: ModelClass,
  { TokenModel, discriminator }: TokensOf,
  where: Readonly<Record<string, unknown>>
): Record<string, unknown> {
  if (discriminator === undefined) return where
  const named = { [discriminator]: Model.modelName }
  const isUnnamed = userModelsOf(Model.registry).ofUnnamed(TokenModel) === Model
  return { and: [where, isUnnamed ? { or: [named, { [discriminator]: null }] } : named] }
}
