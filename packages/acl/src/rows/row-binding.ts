/** What rules come to for one model and one action, before there is a caller: all that callers do not change. */
import type { ModelClass, RowRule } from '@fastback/core'
import type { Caller } from '../caller.js'
import { bindRule, type RowSource } from './bound-rule.js'
import { valuesOf, type CallerFacts, type Needs } from './caller-values.js'

export class RowBinding {
  /** What has to be read of a caller. */
  readonly needs: Needs
  /** Whether the same caller gets the same: what time, a token or a role of the application's own says may change. */
  readonly isLasting: boolean

  constructor (readonly Model: ModelClass, readonly source: RowSource) {
    const { giving, taking, tenant } = source
    const rules = [...giving, ...taking]
    const variables = [tenant, ...rules.map(({ rule }) => rule?.narrowing)].flatMap(each => each?.variables ?? [])
    this.needs = {
      user: variables.some(each => each.of === 'user' && each.property !== 'id'),
      roles: variables.some(each => each.of === 'roles')
    }
    this.isLasting = variables.every(({ of }) => of !== 'now' && of !== 'token') &&
      rules.every(({ role }) => role === undefined)
  }

  /** @param now the instant of the request */
  bind (caller: Caller, facts: CallerFacts, now: number): RowRule {
    return bindRule(this.Model, this.source, caller, valuesOf(caller, facts, now))
  }
}
