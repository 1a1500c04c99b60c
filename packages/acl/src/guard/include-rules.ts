/** Include is refused where a rule that names `__get__relation` refuses the relation's own route, at every level (NOTES-access, Access types). */
import { chain, type AclDefinition, type MaybePromise, type ModelClass, type ModelInstance, type ModelRegistry, type Relation, type Row } from '@fastback/core'
import { Caller } from '../caller.js'
import { refusal } from '../errors.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { AclService } from '../service.js'

const isOfRelation = (name: unknown): boolean => typeof name === 'string' && name.startsWith('__get__')

export class IncludeRules {
  #plans: Map<Relation, MethodPlan> | undefined
  #version: object | undefined
  #exist = false

  constructor (readonly registry: ModelRegistry, readonly service: AclService) {}

  /** Whether any rule at all names the reading of a relation. Looked at again when stored rules change. */
  get exist (): boolean {
    if (this.#version !== this.service.rules.version) {
      this.#version = this.service.rules.version
      const declared = Object.values(this.registry.models).flatMap(Model => (Model.settings.acls ?? []) as readonly AclDefinition[])
      this.#exist = declared.some(({ property }) => [property].flat().some(isOfRelation)) || this.service.rules.known.some(({ methods }) => methods?.some(isOfRelation))
    }
    return this.#exist
  }

  /** @throws RequestError the refusal of the model that has the relation */
  check (relation: Relation, rows: readonly Row[], token: ModelInstance | null): MaybePromise<void> {
    const method = `__get__${relation.name}`
    const Model: ModelClass = relation.model
    return chain(this.#planOf(relation, method).current(), plan => {
      if (!plan.rules.some(rule => rule.methods !== undefined && rule.permission === 'DENY')) return
      const membership = new Membership(this.service, new Caller(token), { Model, methodName: method, accessType: 'READ' }, rows)
      return chain(decide(plan, membership), ({ permission, rule }) => {
        if (!isAllowed(permission) && rule?.methods !== undefined) throw refusal(Model, token !== null, undefined)
      })
    })
  }

  #planOf (relation: Relation, method: string): MethodPlan {
    const plans = (this.#plans ??= new Map())
    const known = plans.get(relation)
    if (known !== undefined) return known
    const made = new MethodPlan(this.service, relation.model, { names: [method], accessType: 'READ' })
    plans.set(relation, made)
    return made
  }
}
