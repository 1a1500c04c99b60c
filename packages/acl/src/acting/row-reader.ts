/** What a caller may read of rows that are at hand, without a request: for events that are delivered later. */
import { isClosed } from '@fastback/auth/service'
import type { Acting, MaybePromise, ModelClass, ModelRegistry, Row, RowRule } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { findRowById, type RowReader } from '@fastback/core/remote'
import { Caller } from '../caller.js'
import type { IncludeRules } from '../guard/include-rules.js'
import { JudgedRows } from '../guard/judged-rows.js'
import { Membership } from '../membership.js'
import type { AclService } from '../service.js'
import { tokenOf } from './caller.js'

/**
 * By the rules, roles and memberships of now. A user who is not there any more, or is locked (security.md, S-190),
 * reads nothing.
 *
 * ```js
 * const reader = await rowReader(registry, service, includes, { user: 7 }, Note)
 * await reader.ruleFor(note) // null: nothing of it
 * ```
 */
export async function rowReader (
  registry: ModelRegistry, service: AclService, includes: IncludeRules, acting: Acting, Model: ModelClass
): Promise<RowReader> {
  const token = await tokenOf(registry, service, acting)
  const caller = new Caller(service.users, token)
  if (caller.userId !== undefined && !await isThere(caller)) return { token, ruleFor: () => null }
  return { token, ruleFor: row => ruleFor(service, includes, caller, Model, row) }
}

async function isThere ({ userModel, userId }: Caller): Promise<boolean> {
  if (userModel === undefined || userModel.dataSource === null) return false
  const user = await findRowById(userModel.compiled, userId, undefined, { notify: false })
  return user !== undefined && !isClosed(userModel, user)
}

function ruleFor (
  service: AclService, includes: IncludeRules, caller: Caller, Model: ModelClass, row: Readonly<Row>
): MaybePromise<RowRule | null | undefined> {
  const plan = includes.planOf(Model, 'findById')
  const parts = { Model, modelId: row[Model.getIdName() ?? 'id'], methodName: 'findById', accessType: 'READ' }
  // Who owns the row is said by the row, which may be deleted by now.
  const membership = new Membership(service, caller, parts, [row])
  return chain(plan.current(), rules =>
    chain(new JudgedRows(service).ruleFor(rules, membership), rule => rule === true ? null : rule))
}
