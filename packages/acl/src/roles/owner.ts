/**
 * Who owns a row: the role `$owner` (behaviour.md, B-5.10). An owner is a user model and an id (security.md, S-44,
 * S-71).
 */
import type { MaybePromise, ModelClass, Relation, Row } from '@fastback/core'
import { chain, coerceId } from '@fastback/core/connector'
import { findRowById, relationsOf } from '@fastback/core/remote'
import { isUserModel, type UserModel } from '@fastback/auth'
import { userModelsOf } from '@fastback/auth/service'
import type { Caller } from '../caller.js'

/** Tells of a row whether the caller owns it. */
type OwnerTest = (row: Row, caller: Caller) => boolean

/** A belongsTo that leads to users; a polymorphic one says in each row to whose model. */
export type UserRelation = Relation & {
  readonly foreignKey: string
  readonly polymorphic?: { readonly discriminator: string } | undefined
}

const isCaller = (id: unknown, caller: Caller): boolean =>
  id !== undefined && id !== null && caller.userId !== undefined && String(id) === String(caller.userId)

const kTest = Symbol('fastback.ownerTest')

type Relations = ReturnType<typeof relationsOf> & { [kTest]?: OwnerTest | null }

/** What tells the owner of a model's rows; undefined when nothing does. Made once for the relations as they are. */
export function ownerTest (Model: ModelClass): OwnerTest | undefined {
  const relations = relationsOf(Model) as Relations
  if (relations[kTest] === undefined) relations[kTest] = makeTest(Model) ?? null
  return relations[kTest] ?? undefined
}

function makeTest (Model: ModelClass): OwnerTest | undefined {
  const byRelations = relationTest(Model)
  if (!isUserModel(Model)) return byRelations
  const idName = Model.getIdName() ?? 'id'
  // Users of another model may own these, as any row.
  return (row, caller) => caller.userModel === Model
    ? isCaller(row[idName], caller)
    : byRelations?.(row, caller) === true
}

function relationTest (Model: ModelClass): OwnerTest | undefined {
  const wanted = Model.settings.ownerRelations as boolean | string[] | undefined
  const relations = belongings(Model).filter(each => each.polymorphic !== undefined || leadsToUsers(each.target()))
  if (wanted === true || Array.isArray(wanted)) {
    const chosen = relations.filter(({ name }) => wanted === true || wanted.includes(name))
    return chosen.length === 0
      ? undefined
      : (row, caller) => chosen.some(each => leadsTo(each, row, caller) && isCaller(row[each.foreignKey], caller))
  }
  // Where a row says nothing by `userId` and `owner`, the first relation to the caller's user model decides.
  return (row, caller) => {
    if (caller.userModel === undefined) return false
    const key = row.userId ? 'userId' : 'owner'
    const owner = row[key]
    if (isSaid(owner) && modelOfKey(Model, key, row) === caller.userModel) return isCaller(owner, caller)
    const relation = relations.find(each => leadsTo(each, row, caller))
    return relation !== undefined && isCaller(row[relation.foreignKey], caller)
  }
}

const belongings = (Model: ModelClass): UserRelation[] =>
  [...relationsOf(Model).values()].filter(({ type }) => type === 'belongsTo') as UserRelation[]

const leadsToUsers = (target: ModelClass | undefined): boolean => target !== undefined && isUserModel(target)

const isSaid = (owner: unknown): boolean =>
  owner !== undefined && owner !== null && owner !== '' && owner !== 0 && typeof owner !== 'function'

/**
 * The user model that the key of a row means: that of a relation by this key; without one the only user model there is.
 */
export function modelOfKey (Model: ModelClass, key: string, row: Readonly<Row>): UserModel | undefined {
  for (const relation of relationsOf(Model).values()) {
    const { foreignKey } = relation as UserRelation
    if (relation.type === 'belongsTo' && foreignKey === key) return userModelOf(relation as UserRelation, row)
  }
  return userModelsOf(Model.registry).only
}

/** Whether a row's key is that of a user of the caller's model. */
const leadsTo = (relation: UserRelation, row: Readonly<Row>, { userModel }: Caller): boolean =>
  userModel !== undefined && userModelOf(relation, row) === userModel

export function userModelOf (relation: UserRelation, row: Readonly<Row>): UserModel | undefined {
  const target = relation.targetOf(row)
  return target === undefined || !isUserModel(target) ? undefined : userModelsOf(target.registry).meantBy(target)
}

/** The belongsTo relations of a model that lead, or may lead, to user models. */
export function userRelations (Model: ModelClass): UserRelation[] {
  const { attached } = userModelsOf(Model.registry)
  return belongings(Model).filter(relation =>
    relation.polymorphic === undefined
      ? leadsToUsers(relation.target())
      : attached.some(each => reaches(relation, each)))
}

/** Whether rows may belong to users of a model by this relation. */
export const reaches = (relation: UserRelation, users: UserModel): boolean =>
  userModelOf(
    relation,
    relation.polymorphic === undefined ? {} : { [relation.polymorphic.discriminator]: users.modelName }
  ) === users

/**
 * Whether the caller owns a row that was read: by what it holds; by a read of it where the query left that out
 * (`fields`).
 */
export function ownsRow (Model: ModelClass, row: Row, caller: Caller): MaybePromise<boolean> {
  if (caller.userId === undefined) return false
  if (ownerTest(Model)?.(row, caller) === true) return true
  const idName = Model.getIdName() ?? 'id'
  const telling = [['userId'], ['owner'], ...userRelations(Model).map(({ joinKeys }) => joinKeys)]
  return telling.some(names => names.every(name => Object.hasOwn(row, name))) || isOwnRecord(Model, caller)
    ? false
    : isOwner(Model, row[idName], caller)
}

/** Of users of the caller's own model the id says whose the record is. */
const isOwnRecord = (Model: ModelClass, caller: Caller): boolean =>
  isUserModel(Model) && (caller.userModel === Model || belongings(Model).length === 0)

/** Whether the caller owns the row with this id: one read by id, none for the caller's own record. */
export function isOwner (Model: ModelClass, id: unknown, caller: Caller): MaybePromise<boolean> {
  if (caller.userId === undefined || id === undefined || id === null || id === '') return false
  const model = Model.compiled
  const value = coerceId(model, id)
  const test = ownerTest(Model)
  if (value === undefined || test === undefined) return false
  if (isOwnRecord(Model, caller)) return test({ [model.id?.name ?? 'id']: value }, caller)
  if (Model.dataSource === null) return false
  return chain(findRowById(model, value, undefined, { notify: false }), row => row !== undefined && test(row, caller))
}
