/** The plan of one method of one model, made again when rules were added or stored rows changed. */
import type { AclDefinition, MaybePromise, ModelClass, SharedMethod } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { namesOf } from '@fastback/core/remote'
import type { AclService } from '../service.js'
import { compilePlan, defaultPermissionOf, type Plan } from './plan.js'
import { accessTypeOf, ruleOf, type Operation } from './rule.js'

type OwnRules = readonly AclDefinition[] | undefined

export class MethodPlan {
  #plan: Plan | undefined
  #acls: OwnRules
  #count = -1
  #version: object | undefined

  constructor (
    readonly service: AclService,
    readonly Model: ModelClass,
    readonly operation: Operation,
    readonly own: OwnRules = undefined
  ) {}

  /** For a shared method, with the names that rules may have for it. */
  static of (service: AclService, method: SharedMethod): MethodPlan {
    const names = [method.name, ...namesOf(method).map(name => name.replace(/^prototype\./, ''))]
    return new MethodPlan(
      service,
      method.model,
      { names, accessType: accessTypeOf(method) },
      method.options.acls as OwnRules
    )
  }

  /** Synchronous while stored rules are at hand. */
  current (): MaybePromise<Plan> {
    const { rules } = this.service
    return chain(rules.read(), table => {
      const acls = (this.Model.settings.acls ?? []) as readonly AclDefinition[]
      if (
        this.#plan !== undefined &&
        this.#acls === acls &&
        this.#count === acls.length &&
        this.#version === rules.version
      ) { return this.#plan }
      this.#acls = acls
      this.#count = acls.length
      this.#version = rules.version
      const all = [...acls, ...(this.own ?? [])].map(acl => ruleOf(acl, true))
      const executeAllowsAll = this.Model.registry.settings.executeAllowsAll === true
      return (this.#plan = compilePlan(
        [...all, ...rules.of(table, this.Model.modelName)],
        this.operation,
        defaultPermissionOf(this.Model),
        executeAllowsAll
      ))
    })
  }
}
