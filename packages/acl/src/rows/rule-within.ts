/**
 * What rules say of rows that stand within those of another model (embedded rows, `{ type: 'Address' }`): which
 * properties may be read and set there is said by the rules of their own model, as for include.
 */
import type { CompiledModel, MaybePromise, PropertyTest, RowRule } from '@fastback/core'
import { chain, eachInSequence } from '@fastback/core/connector'
import type { RowAccess } from './row-access.js'

/** A rule with those of the models of rows within. */
class RuleWithin implements RowRule {
  readonly rows: RowRule['rows']
  readonly check: RowRule['check']
  readonly preset: RowRule['preset']
  readonly reads: RowRule['reads']
  readonly writes: RowRule['writes']

  constructor (readonly own: RowRule | undefined, readonly within: ReadonlyMap<string, RowRule>) {
    this.rows = own?.rows
    this.check = own?.check
    this.preset = own?.preset
    this.reads = this.#test('reads')
    this.writes = this.#test('writes')
  }

  get key (): string {
    return JSON.stringify([this.own?.key ?? '', ...[...this.within].map(([name, { key }]) => [name, key])])
  }

  /** Undefined where nothing is left out, of the rows nor within them. */
  #test (part: 'reads' | 'writes'): PropertyTest | undefined {
    const own = this.own?.[part]
    if ([...this.within.values()].every(rule => rule[part] === undefined)) return own
    return Object.assign((name: string) => own?.(name) !== false, {
      within: (model: string) => this.within.get(model)?.[part]
    })
  }
}

/** The rule of a model itself, where others were added to it. */
export const ownRule = (rule: RowRule): RowRule | undefined => rule instanceof RuleWithin ? rule.own : rule

/**
 * A rule together with what rules say of rows within; the same one where they say nothing.
 *
 * ```js
 * withinRule(service.rows, Customer.compiled, rule, inner => ruleOf(inner))
 * ```
 * @param ruleOf what the rules of the model of such rows come to for the same caller
 */
export function withinRule (
  rows: RowAccess, { Model }: CompiledModel, own: RowRule | undefined,
  ruleOf: (model: CompiledModel) => MaybePromise<RowRule | undefined>
): MaybePromise<RowRule | undefined> {
  const models = rows.within(Model)
  if (models.length === 0) return own
  const found = new Map<string, RowRule>()
  const add = (model: CompiledModel): MaybePromise<void> => chain(ruleOf(model), rule => {
    if (rule?.reads !== undefined || rule?.writes !== undefined) found.set(model.name, rule)
  })
  return chain(eachInSequence(models, add), () => found.size === 0 ? own : new RuleWithin(own, found))
}
