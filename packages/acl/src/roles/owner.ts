/** Who owns a row: the role `$owner` (NOTES-access, Roles). */
import { chain, coerceId, findRowById, type MaybePromise, type ModelClass, type Relation, type Row } from '@fastback/core'
import { isUserModel } from '@fastback/auth'
import type { Caller } from '../caller.js'

/** Tells of a row whether the caller owns it. */
type OwnerTest = (row: Row, caller: Caller) => boolean

type BelongsTo = Relation & { readonly foreignKey: string }

const isCaller = (id: unknown, caller: Caller): boolean => id !== undefined && id !== null && caller.userId !== undefined && String(id) === String(caller.userId)

/** Whether a caller's tokens are of this user model: with several of them a token names its own. */
export const isOfModel = (Model: ModelClass, caller: Caller): boolean => caller.userType === 'USER' || caller.userType === Model.modelName

/** What tells the owner of a model's rows; undefined when nothing does. */
export function ownerTest (Model: ModelClass): OwnerTest | undefined {
  const tests: OwnerTest[] = []
  if (isUserModel(Model)) {
    const idName = Model.getIdName() ?? 'id'
    return (row, caller) => isOfModel(Model, caller) && isCaller(row[idName], caller)
  }
  const wanted = Model.settings.ownerRelations as boolean | string[] | undefined
  const relations = userRelations(Model)
  const byRelation = (relation: BelongsTo): OwnerTest => (row, caller) => isOfModel(relation.target() as ModelClass, caller) && isCaller(row[relation.foreignKey], caller)
  if (wanted === true || Array.isArray(wanted)) {
    tests.push(...relations.filter(({ name }) => wanted === true || wanted.includes(name)).map(byRelation))
    return tests.length === 0 ? undefined : (row, caller) => tests.some(test => test(row, caller))
  }
  // Where a row says nothing by `userId` and `owner`, the first relation to a user model that counts for the caller decides.
  const named = (row: Row): unknown => row.userId || row.owner
  return (row, caller) => {
    const owner = named(row)
    if (caller.userType === 'USER' && owner !== undefined && owner !== null && owner !== '' && owner !== 0 && typeof owner !== 'function') return isCaller(owner, caller)
    const relation = relations.find(each => isOfModel(each.target() as ModelClass, caller))
    return relation !== undefined && byRelation(relation)(row, caller)
  }
}

/** The belongsTo relations of a model to user models. */
export function userRelations (Model: ModelClass): BelongsTo[] {
  return [...Model.state.relations.values()].filter(relation => {
    const target = relation.type === 'belongsTo' ? relation.target() : undefined
    return target !== undefined && isUserModel(target)
  }) as BelongsTo[]
}

/** Whether the caller owns a row that was read: by what it holds; by a read of it where the query left that out (`fields`). */
export function ownsRow (Model: ModelClass, row: Row, caller: Caller): MaybePromise<boolean> {
  if (caller.userId === undefined) return false
  if (ownerTest(Model)?.(row, caller) === true) return true
  const idName = Model.getIdName() ?? 'id'
  const telling = ['userId', 'owner', ...userRelations(Model).map(({ foreignKey }) => foreignKey)]
  return telling.some(name => Object.hasOwn(row, name)) || isUserModel(Model) ? false : isOwner(Model, row[idName], caller)
}

/** Whether the caller owns the row with this id: one read by id, none for the caller's own record. */
export function isOwner (Model: ModelClass, id: unknown, caller: Caller): MaybePromise<boolean> {
  if (caller.userId === undefined || id === undefined || id === null || id === '') return false
  const model = Model.compiled
  const value = coerceId(model, id)
  const test = ownerTest(Model)
  if (value === undefined || test === undefined) return false
  if (isUserModel(Model)) return test({ [model.id?.name ?? 'id']: value }, caller)
  if (Model.dataSource === null) return false
  return chain(findRowById(model, value, undefined, { notify: false }), row => row !== undefined && test(row, caller))
}
