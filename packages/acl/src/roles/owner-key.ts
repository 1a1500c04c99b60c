/**
 * The properties that say who owns a row, as `$owner` reads them: `userId` and `owner`, else the keys of relations to
 * user models.
 */
import { isUserModel } from '@fastback/auth'
import { userModelsOf } from '@fastback/auth/service'
import type { ModelClass, Row } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import { modelOfKey, reaches, userRelations } from './owner.js'

export interface OwnerKeys {
  /** `userId` and `owner`; none where `ownerRelations` names relations. */
  readonly named: readonly string[]
  /** Keys of relations that decide where `named` say nothing, with the discriminators beside them. */
  readonly foreign: readonly string[]
  /**
   * Whether all decide, whatever `named` say: with several user models the key of one says nothing to users of another.
   */
  readonly all: boolean
}

const noKeys: OwnerKeys = { named: [], foreign: [], all: false }

/**
 * The properties that say who owns a row of the model. None for user models: their rows own themselves.
 *
 * ```js
 * ownerKeys(Note).named // ['userId', 'owner']
 * ```
 */
export function ownerKeys (Model: ModelClass): OwnerKeys {
  if (isUserModel(Model)) return noKeys
  const relations = userRelations(Model)
  const wanted = Model.settings.ownerRelations
  if (wanted === true || Array.isArray(wanted)) {
    return {
      named: [],
      foreign: relations
        .filter(({ name }) => wanted === true || wanted.includes(name))
        .flatMap(({ joinKeys }) => joinKeys),
      all: false
    }
  }
  const named = ['userId', 'owner'].filter(name => !relationsOf(Model).has(name))
  // Of several relations to one user model the first decides.
  const first = relations.filter(
    (relation, i) =>
      relation.polymorphic !== undefined || relations.findIndex(other => other.target() === relation.target()) === i
  )
  return {
    named,
    foreign: first.flatMap(({ joinKeys }) => joinKeys).filter(key => !named.includes(key)),
    all: userModelsOf(Model.registry).inUse.length > 1
  }
}

/** What a row must hold to be the caller's: its key, and with a polymorphic relation the name of the caller's model. */
export function ownedBy (
  Model: ModelClass,
  { named, foreign }: OwnerKeys,
  { userId, userModel }: Caller
): Row | undefined {
  if (userId === undefined || userModel === undefined) return undefined
  const keys = [...foreign, ...named]
  const relation = userRelations(Model).find(each => keys.includes(each.foreignKey) && reaches(each, userModel))
  const type =
    relation?.polymorphic === undefined ? {} : { [relation.polymorphic.discriminator]: userModel.modelName }
  const declared = named.find(
    name => Model.compiled.propertyByName.has(name) && modelOfKey(Model, name, type) === userModel
  )
  const key = declared ?? relation?.foreignKey
  return key === undefined ? undefined : { [key]: userId, ...(key === relation?.foreignKey ? type : {}) }
}

/** The keys that decide about a row. */
export const decidingKeys = ({ named, foreign, all }: OwnerKeys, row: Readonly<Row>): readonly string[] =>
  !all && named.some(name => Boolean(row[name])) ? named : [...named, ...foreign]
