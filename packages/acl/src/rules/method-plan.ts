/** The plan of one method of one model, made again when rules were added or stored rows changed. */
import type { Assurance } from '@fastback/auth/service'
import type { AclDefinition, MaybePromise, ModelClass, SharedMethod } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { hasOwnFormOfRules, namesOf, rulesOf } from '@fastback/core/remote'
import type { AclService } from '../service.js'
import { assuranceOf } from './assurance.js'
import { contextCheckOf } from './context-check.js'
import { compileOwnCheck, replacedCheckOf } from './own-check.js'
import type { Plan } from './compiled-plan.js'
import { closedPlan, compilePlan, defaultPermissionOf, planOfCheck } from './plan.js'
import { enforcesRows, tenantOf } from '../rows/narrowing.js'
import { accessTypeOf, ruleOf, type Operation } from './rule.js'
import { asItCounts } from './void.js'
import type { StoredTable } from './stored-rules.js'

export class MethodPlan {
  #plan: Plan | undefined
  #acls: unknown
  #count: number | undefined
  #version: object | undefined
  #check: unknown

  constructor (
    readonly service: AclService,
    readonly Model: ModelClass,
    readonly operation: Operation,
    readonly method: SharedMethod | undefined = undefined
  ) {}

  /** For a shared method, with the names that rules may have for it. */
  static of (service: AclService, method: SharedMethod): MethodPlan {
    const full = namesOf(method)
    const others = method.options.ruledAs ?? []
    const names = [...new Set([method.name, ...full.map(name => name.replace(/^prototype\./, '')), ...full, ...others])]
    return new MethodPlan(
      service,
      method.model,
      { names, accessType: accessTypeOf(method), hasFullNames: true },
      method
    )
  }

  /**
   * The plan. Synchronous while stored rules are at hand.
   */
  current (): MaybePromise<Plan> {
    const table = this.service.rules.read()
    return isPromise(table) ? table.then(read => this.#of(read)) : this.#of(table)
  }

  /** The plan by these stored rules: the one that was made last, as long as it is of the same. */
  #of (table: StoredTable): Plan {
    const { Model, service: { rules: { version } } } = this
    const { acls } = Model.settings
    const check: unknown = Model.checkAccess
    const count = (acls as { length?: number } | undefined)?.length
    if (
      this.#plan !== undefined &&
      this.#acls === acls &&
      this.#count === count &&
      this.#version === version &&
      this.#check === check
    ) { return this.#plan }
    this.#acls = acls
    this.#count = count
    this.#version = version
    this.#check = check
    return (this.#plan = this.#compile(table))
  }

  #compile (table: StoredTable): Plan {
    const { Model, operation, method } = this
    const check = replacedCheckOf(Model) ?? contextCheckOf(Model.registry)
    if (check !== undefined) return planOfCheck(compileOwnCheck(check, Model, operation, method), this.#assurance)
    return this.#compileRules(table)
  }

  /** What the method asks of its callers' logins. @throws FBK_ACL_VOID_RULE for what nobody can read */
  get #assurance (): Assurance | undefined {
    return this.method === undefined ? undefined : assuranceOf(this.method)
  }

  /** As if the application had no `checkAccess` of its own. */
  byRules (): MaybePromise<Plan> {
    return chain(this.service.rules.read(), table => this.#compileRules(table))
  }

  #compileRules (table: StoredTable): Plan {
    const { Model, operation, method, service } = this
    if (hasOwnFormOfRules(Model)) return closedPlan
    const ofMethod = (method?.options.acls ?? []) as readonly AclDefinition[]
    const rules = [
      ...[...rulesOf(Model), ...ofMethod].map(acl => ruleOf(acl, true)),
      ...service.rules.of(table, Model.modelName)
    ].flatMap(rule => asItCounts(Model, rule))
    const saysRows = tenantOf(Model) !== undefined || rules.some(({ narrowing }) => narrowing !== undefined)
    const plan = compilePlan(rules, operation, defaultPermissionOf(Model), {
      executeAllowsAll: Model.registry.settings.executeAllowsAll === true,
      enforcesRows: !saysRows || enforcesRows(Model),
      assurance: this.#assurance
    })
    if (plan.narrows === true) service.rows.found()
    return plan
  }
}
