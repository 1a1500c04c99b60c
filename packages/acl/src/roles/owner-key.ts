/** The properties that say who owns a row, as `$owner` reads them: `userId` and `owner`, else the foreign keys of relations to user models. */
import { isUserModel } from '@fastback/auth'
import type { ModelClass, Row } from '@fastback/core'
import type { Caller } from '../caller.js'
import { isOfModel, userRelations } from './owner.js'

export interface OwnerKeys {
  /** `userId` and `owner`; none where `ownerRelations` names relations. */
  readonly named: readonly string[]
  /** Foreign keys that decide: where `named` say nothing. */
  readonly foreign: readonly string[]
}

const noKeys: OwnerKeys = { named: [], foreign: [] }

export function ownerKeys (Model: ModelClass): OwnerKeys {
  if (isUserModel(Model)) return noKeys
  const relations = userRelations(Model)
  const wanted = Model.settings.ownerRelations
  if (wanted === true || Array.isArray(wanted)) {
    return { named: [], foreign: relations.filter(({ name }) => wanted === true || wanted.includes(name)).map(({ foreignKey }) => foreignKey) }
  }
  const named = ['userId', 'owner'].filter(name => !Model.state.relations.has(name))
  // Of several relations to one user model the first decides.
  const first = relations.filter((relation, i) => relations.findIndex(other => other.target() === relation.target()) === i)
  return { named, foreign: first.map(({ foreignKey }) => foreignKey).filter(key => !named.includes(key)) }
}

/** Where a caller's own rows have the caller's id; undefined when the model has no such property. */
export function keyOfCaller (Model: ModelClass, { named, foreign }: OwnerKeys, caller: Caller): string | undefined {
  const declared = caller.userType === 'USER' ? named.find(name => Model.compiled.propertyByName.has(name)) : undefined
  if (declared !== undefined) return declared
  const keys = [...foreign, ...named]
  return userRelations(Model).find(relation => keys.includes(relation.foreignKey) && isOfModel(relation.target() as never, caller))?.foreignKey
}

/** The keys that decide about a row. */
export const decidingKeys = ({ named, foreign }: OwnerKeys, row: Readonly<Row>): readonly string[] =>
  named.some(name => Boolean(row[name])) ? named : [...named, ...foreign]
