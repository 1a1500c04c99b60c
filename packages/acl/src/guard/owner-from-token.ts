/**
 * The setting `ownerFromToken` (security.md, S-40; behaviour.md, B-15.17): anyone who asks from outside owns what they
 * create, and nobody changes the owner. It looks at rows after conversion, where data under a relation's name has
 * become a foreign key.
 */
import {
  isRemote,
  RequestError,
  type HookContext,
  type MaybePromise,
  type ModelClass,
  type ModelInstance,
  type ModelRegistry,
  type Row
} from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { createsRow, findRowById, hasObserver, RULE, rulesOf } from '@fastback/core/remote'
import { isUserModel } from '@fastback/auth'
import { userModelsOf } from '@fastback/auth/service'
import { Caller } from '../caller.js'
import { decidingKeys, ownedBy, ownerKeys, type OwnerKeys } from '../roles/owner-key.js'

/**
 * Whether the owner of a new row is its creator, whatever the request says: the setting `ownerFromToken` of
 * the model; that of the application counts for models whose rules speak of `$owner`.
 *
 * ```js
 * takesOwnerFromToken(registry.defineModel({ name: 'Note', ownerFromToken: true })) // true
 * ```
 */
export function takesOwnerFromToken (Model: ModelClass): boolean {
  const { settings, registry } = Model
  if (settings.ownerFromToken !== undefined) return settings.ownerFromToken === true
  return (
    registry.settings.ownerFromToken === true &&
    rulesOf(Model).some(({ principalId }) => principalId === '$owner')
  )
}

/** Puts the rule before the models' own `before save` hooks: code of the application has the last word. */
export function guardOwners (registry: ModelRegistry): void {
  for (const Model of Object.values(registry.models)) {
    if (Model.dataSource === null || !takesOwnerFromToken(Model)) continue
    if (isUserModel(Model) || hasObserver(Model, 'before save', checkOwner)) continue
    Model.observe('before save', checkOwner, { first: true })
  }
}

const checkOwner = Object.assign(judgeOwner, { [RULE]: true })

function judgeOwner (context: HookContext): MaybePromise<void> {
  if (!isRemote(context.options)) return
  const Model = context.Model as ModelClass
  const keys = ownerKeys(Model)
  const { instance, data } = context
  if (createsRow(context)) setOwner(Model, keys, (instance ?? data) as Row, callerOf(Model, context))
  else if (instance !== undefined) return checkReplacement(Model, keys, instance as Row)
  else if (data !== undefined && [...keys.named, ...keys.foreign].some(name => Object.hasOwn(data, name))) {
    return checkChange(Model, keys, context)
  }
}

const callerOf = ({ registry }: ModelClass, { options }: HookContext): Caller =>
  new Caller(userModelsOf(registry), (options.accessToken ?? null) as ModelInstance | null)

/** What the client says of the owner does not count. Nobody owns what an anonymous caller makes. */
function setOwner (Model: ModelClass, keys: OwnerKeys, row: Row, caller: Caller): void {
  const owned = ownedBy(Model, keys, caller)
  for (const name of decidingKeys(keys, owned ?? {})) if (Object.hasOwn(row, name)) delete row[name]
  Object.assign(row, owned)
}

/** A replacement that does not name the owner keeps it. */
function checkReplacement (Model: ModelClass, keys: OwnerKeys, row: Row): MaybePromise<void> {
  const { compiled } = Model
  return chain(findRowById(compiled, row[compiled.id?.name ?? 'id'], undefined, { notify: false }), stored => {
    if (stored === undefined) return
    for (const name of decidingKeys(keys, stored)) {
      if (row[name] === undefined && stored[name] !== undefined) row[name] = stored[name]
    }
    refuseChange(keys, row, stored)
  })
}

/**
 * The row is read: the instance at hand may have been pointed elsewhere already, by a relation. A bulk update has no
 * instance.
 */
function checkChange (
  Model: ModelClass,
  keys: OwnerKeys,
  { data, where, currentInstance }: HookContext
): MaybePromise<void> {
  const { compiled } = Model
  const id = currentInstance === undefined ? undefined : (where as Row)[compiled.id?.name ?? 'id']
  return chain(id === undefined ? undefined : findRowById(compiled, id, undefined, { notify: false }), stored => {
    refuseChange(keys, data as Row, stored)
  })
}

/** @param stored undefined for changes of many rows */
function refuseChange (keys: OwnerKeys, changes: Readonly<Row>, stored: Readonly<Row> | undefined): void {
  for (const name of decidingKeys(keys, stored ?? {})) {
    if (!Object.hasOwn(changes, name) || changes[name] === undefined) continue
    if (stored === undefined || text(changes[name]) !== text(stored[name])) {
      throw new RequestError(403, `The owner (${name}) cannot be changed`, { code: 'OWNER_CANNOT_CHANGE' })
    }
  }
}

const text = (id: unknown): string => id === undefined || id === null ? '' : String(id)
