/** The rows that the caller owns, as a condition: what `owner.ts` tests row by row. */
import type { UserModel } from '@fastback/auth'
import { isUserModel } from '@fastback/auth'
import { userModelsOf } from '@fastback/auth/service'
import type { ModelClass } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import { reaches, userRelations, type UserRelation } from './owner.js'

type Where = Readonly<Record<string, unknown>>

/**
 * The condition of the rows of a model whose owner the caller is; undefined where no row can be the caller's.
 *
 * ```js
 * ownRows(Note, caller) // { or: [{ userId: 7 }, …] }
 * ```
 */
export function ownRows (Model: ModelClass, caller: Caller): Where | undefined {
  const { userId, userModel } = caller
  if (userId === undefined || userModel === undefined) return undefined
  if (isUserModel(Model) && userModel === Model) return { [Model.getIdName() ?? 'id']: userId }
  const ways = waysTo(Model, userModel, userId)
  return ways.length === 0 ? undefined : { or: ways }
}

function waysTo (Model: ModelClass, userModel: UserModel, userId: unknown): Where[] {
  const relations = userRelations(Model).filter(each => reaches(each, userModel))
  const wanted: unknown = Model.settings.ownerRelations
  if (wanted === true || Array.isArray(wanted)) {
    return relations.filter(({ name }) => wanted === true || (wanted as string[]).includes(name))
      .map(each => keyIs(each, userModel, userId))
  }
  const ways: Where[] = []
  // As in `owner.ts`: `userId` where it says something, else `owner`, else the first relation to users of that model.
  const earlier: Where[] = []
  for (const key of ['userId', 'owner'] as const) {
    if (!Model.compiled.propertyByName.has(key)) continue
    const holds = holdsFor(Model, key, userModel)
    const before = key === 'owner' && Model.compiled.propertyByName.has('userId') ? [saysNothing(Model, 'userId')] : []
    if (holds === undefined) continue
    ways.push({ and: [{ [key]: userId }, holds, ...before] })
    earlier.push({ and: [{ nor: [saysNothing(Model, key)] }, holds, ...before] })
  }
  const [first] = relations
  if (first !== undefined) ways.push({ and: [keyIs(first, userModel, userId), { nor: earlier }] })
  return ways
}

const keyIs = (relation: UserRelation, { modelName }: UserModel, userId: unknown): Where => ({
  [relation.foreignKey]: userId,
  ...(relation.polymorphic === undefined ? {} : { [relation.polymorphic.discriminator]: modelName })
})

/** Which rows' key is one of users of the model; undefined: none's. */
function holdsFor (Model: ModelClass, key: string, userModel: UserModel): Where | undefined {
  for (const relation of relationsOf(Model).values()) {
    const { foreignKey, polymorphic } = relation as UserRelation
    if (relation.type !== 'belongsTo' || foreignKey !== key) continue
    if (!reaches(relation as UserRelation, userModel)) return undefined
    return polymorphic === undefined ? {} : { [polymorphic.discriminator]: userModel.modelName }
  }
  return userModelsOf(Model.registry).only === userModel ? {} : undefined
}

/** The values that stand for no owner. */
function saysNothing ({ compiled }: ModelClass, key: string): Where {
  const kind = compiled.propertyByName.get(key)?.type.kind
  const empty = kind === 'number' ? [{ [key]: 0 }] : kind === 'string' ? [{ [key]: '' }] : []
  return { or: [{ [key]: null }, ...empty] }
}
