/** Whether rules leave single rows to a caller, for rows that are at hand. */
import type { CompiledModel, MaybePromise, Row, RowRule } from '@fastback/core'
import { chain, compileCondition, hasPart } from '@fastback/core/connector'
import { countRows } from '@fastback/core/remote'
import { actionPlansOf } from './action-plans.js'
import type { Caller } from '../caller.js'
import type { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import type { Plan } from '../rules/compiled-plan.js'
import { decideRows, isNarrow } from '../rows/row-decision.js'
import { withinRule } from '../rows/rule-within.js'
import type { RowDecision } from '../rules/decision.js'
import type { AclService } from '../service.js'

type Condition = NonNullable<RowRule['rows']>
type Test = (row: Row) => boolean

export class JudgedRows {
  /** Tests of conditions, which are kept for a caller (`row-access.ts`). */
  readonly #tests = new WeakMap<Condition, Test>()

  constructor (readonly service: AclService) {}

  /**
   * Whether the rules let the caller do something to this row.
   * @param isGone whether the row is one that was: what conditions say of its related rows was judged before
   */
  allows (
    plan: Plan, membership: Membership, row: Readonly<Row>, { isGone = false }: { readonly isGone?: boolean } = {}
  ): MaybePromise<boolean> {
    const { Model } = membership.parts
    if (Model === undefined) return false
    if (!this.#mayNarrow(plan, Model.compiled)) {
      const decided = chain(decide(plan, membership), ({ permission }) => isAllowed(permission))
      return chain(decided, allowed =>
        allowed && membership.hasRoleRows ? this.#byRows(plan, membership, row, isGone) : allowed)
    }
    return this.#byRows(plan, membership, row, isGone)
  }

  #byRows (plan: Plan, membership: Membership, row: Readonly<Row>, isGone: boolean): MaybePromise<boolean> {
    const model = membership.parts.Model?.compiled
    return chain(this.#ownRule(plan, membership), rule =>
      typeof rule === 'object' ? (isGone && asksOthers(rule.rows)) || this.passes(model, rule.rows, row) : rule === undefined)
  }

  /** What the rules come to for a caller, of rows within rows as well; undefined: all rows, true: none. */
  ruleFor (plan: Plan, membership: Membership): MaybePromise<RowRule | true | undefined> {
    const { caller, parts: { Model } } = membership
    return chain(this.#ownRule(plan, membership), own => own === true || Model === undefined
      ? own
      : withinRule(this.service.rows, Model.compiled, own, inner => this.#readOf(inner, caller)))
  }

  #ownRule (plan: Plan, membership: Membership): MaybePromise<RowRule | true | undefined> {
    const { caller, parts: { Model } } = membership
    return chain(decideRows(plan, membership), decision => {
      if (!isAllowed(decision.permission) || Model === undefined) return true
      return this.service.rows.bind(
        Model.compiled, { decision, reading: undefined, isWrite: false }, caller, Date.now())
    })
  }

  /** What rules say of reading rows that stand within others. */
  #readOf (model: CompiledModel, caller: Caller): MaybePromise<RowRule | undefined> {
    const { rows } = this.service
    return chain(actionPlansOf(this.service).reading(model.Model, caller), decision =>
      rows.bind(model, { decision, reading: decision, isWrite: false }, caller, Date.now()))
  }

  leavesAll (decision: RowDecision, model: CompiledModel): boolean {
    return !isNarrow(decision) && this.service.rows.tenantOf(model) === undefined
  }

  #mayNarrow (plan: Plan, model: CompiledModel): boolean {
    return plan.narrows === true || this.service.rows.tenantOf(model) !== undefined
  }

  /** Rows of other models are asked for in the store, by the row's id. */
  passes (
    model: CompiledModel | undefined, condition: RowRule['rows'], row: Readonly<Row>
  ): MaybePromise<boolean> {
    if (condition === undefined) return true
    if (model === undefined) return false
    if (!asksOthers(condition)) {
      let test = this.#tests.get(condition)
      if (test === undefined) this.#tests.set(condition, test = compileCondition(condition))
      return test(row as Row)
    }
    const idName = model.id?.name
    if (idName === undefined || row[idName] === undefined || row[idName] === null) return false
    const rule: RowRule = { rows: condition, check: undefined, preset: undefined, reads: undefined, writes: undefined, key: '' }
    const rowRules = { concerns: (each: CompiledModel) => each === model, of: () => rule }
    return chain(countRows(model, { [idName]: row[idName] }, { notify: false, rowRules }), count => count > 0)
  }
}

const asksOthers = (condition: RowRule['rows']): boolean => hasPart(condition, ({ kind }) => kind === 'related')
