/** What a caller may do to single rows, for methods that go over many of them (`judgesRows`). */
import type { MaybePromise, ModelClass, Row, RowGuard } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import { MethodPlan } from '../rules/method-plan.js'
import { decideRows } from '../rows/row-decision.js'
import type { Rule } from '../rules/rule.js'
import type { AclService } from '../service.js'
import type { IncludeRules } from './include-rules.js'
import { JudgedRows } from './judged-rows.js'

/** Other names of the methods that rows are judged by: rules may use any of them. */
const names: Readonly<Record<string, readonly string[]>> = {
  patchAttributes: ['patchAttributes', 'updateAttributes'],
  deleteById: ['deleteById', 'destroyById', 'removeById'],
  restoreById: ['restoreById', 'restore'],
  historyOf: ['historyOf', 'history']
}

/** The rules with regard to one caller. Plans are made once for an application. */
export class RequestRows implements RowGuard {
  readonly #judged: JudgedRows

  constructor (
    readonly service: AclService, readonly caller: Caller, readonly includes: Pick<IncludeRules, 'rowPlans' | 'reach'>
  ) {
    this.#judged = new JudgedRows(service)
  }

  allows (
    Model: ModelClass, methodName: string, accessType: 'READ' | 'WRITE', row: Readonly<Row>,
    how?: { readonly isGone?: boolean }
  ): MaybePromise<boolean> {
    const plan = this.#planOf(Model, methodName, accessType)
    return chain(plan.current(), rules => {
      // A row that is to be made is nobody's yet, as for `create`.
      const isNew = methodName === 'create'
      const modelId = isNew ? undefined : row[Model.getIdName() ?? 'id']
      const parts = { Model, modelId, methodName, accessType }
      const membership = new Membership(this.service, this.caller, parts, isNew ? undefined : [row as Row])
      // What a new row must be is looked at where it is stored.
      return isNew
        ? chain(decide(rules, membership), ({ permission }) => isAllowed(permission))
        : this.#judged.allows(rules, membership, row, how)
    })
  }

  allowsAll (Model: ModelClass, methodName: string, accessType: 'READ' | 'WRITE'): MaybePromise<boolean> {
    const plan = this.#planOf(Model, methodName, accessType)
    return chain(plan.current(), rules => {
      // An owner's role is of the row, and so may be one that an application resolves.
      const isOfRow = ({ principalType, principalId }: Rule): boolean => principalType === 'ROLE' &&
        (principalId === '$owner' || this.service.resolvers.has(principalId))
      if (rules.check !== undefined || rules.rules.some(isOfRow)) return false
      const membership = new Membership(this.service, this.caller, { Model, methodName, accessType })
      return chain(decideRows(rules, membership), decision =>
        isAllowed(decision.permission) && this.#judged.leavesAll(decision, Model.compiled))
    })
  }

  opens (Model: ModelClass, methodName: string, accessType: 'READ' | 'WRITE'): MaybePromise<boolean> {
    const plan = this.#planOf(Model, methodName, accessType)
    const judge = (rows: readonly Row[] | undefined): MaybePromise<boolean> => chain(plan.current(), rules => {
      const membership = new Membership(this.service, this.caller, { Model, methodName, accessType }, rows)
      return chain(decide(rules, membership), ({ permission }) => isAllowed(permission))
    })
    // Of no rows at all everybody is the owner.
    return chain(judge([]), isOpen => isOpen || judge(undefined))
  }

  reaches (Model: ModelClass, methodName: string): MaybePromise<boolean> {
    return this.includes.reach.opens(Model, names[methodName] ?? [methodName], this.caller.token)
  }

  sight (Model: ModelClass): MaybePromise<string> {
    const plan = this.#planOf(Model, 'findById', 'READ')
    return chain(plan.current(), rules => {
      const parts = { Model, methodName: 'findById', accessType: 'READ' }
      const membership = new Membership(this.service, this.caller, parts, undefined, true)
      return chain(decideRows(rules, membership), ({ permission, giving, taking }) =>
        JSON.stringify([permission, ...[giving, taking].map(each => each.map(({ rule }) => rule?.written ?? null))]))
    })
  }

  #planOf (Model: ModelClass, method: string, accessType: string): MethodPlan {
    const key = `${Model.modelName}.${method}`
    const { rowPlans: plans } = this.includes
    const known = plans.get(key)
    if (known !== undefined && known.Model === Model) return known
    const made = new MethodPlan(this.service, Model, { names: names[method] ?? [method], accessType })
    plans.set(key, made)
    return made
  }
}
