/** Rules that are only tried (`"enforce": false`, the setting `enforceRows`): what they would change is told. */
import type { CompiledModel, MaybePromise, ModelRegistry, RowRule } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { countRows, measuresOf } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import type { Membership } from '../membership.js'
import { isAllowed } from '../rules/decide.js'
import type { Plan } from '../rules/compiled-plan.js'
import { decideRows, isNarrow } from '../rows/row-decision.js'
import type { Decision, RowDecision } from '../rules/decision.js'

/**
 * What a request would get: it would be refused, or allowed; its row would not be found; it would see or change rows of
 * a condition only.
 */
export type TriedEffect = 'refuse' | 'allow' | 'hide' | 'narrow'

/** What was found; emitted by the registry as `audit`, and a line of its log. */
export interface TriedCall {
  readonly event: 'acl.shadow'
  readonly model: string
  readonly method: string
  readonly principal: { readonly type: string, readonly id: unknown } | undefined
  /** The rule that would decide, as written, or that none fits. */
  readonly rule: unknown
  readonly would: TriedEffect
  readonly reqId: string
}

const kCounts = Symbol('fastback.triedRules')

type Counts = Record<TriedEffect, number>

/** How often tried rules would have changed something, as a measure of the application. */
const countsOf = (registry: ModelRegistry): Counts => registry.slot(kCounts, () => {
  const counts: Counts = { refuse: 0, allow: 0, hide: 0, narrow: 0 }
  for (const would of Object.keys(counts) as TriedEffect[]) {
    measuresOf(registry).add('rulesTried', () => counts[would], would)
  }
  return counts
})

/**
 * Compares what was decided with what would be. Rows of lists are not counted: that would be a second query for each
 * list. A row by id is looked for, and new rows are not looked at.
 * @param method as the rules name it
 */
export function compareTried (
  { tried }: Plan, membership: Membership, decision: Decision, method: string, request: FastifyRequest
): MaybePromise<void> {
  if (tried === undefined) return
  return chain(decideRows(tried, membership), found =>
    chain(effectOf(found, membership, isAllowed(decision.permission)), would => {
      if (would === undefined) return
      const { Model } = membership.parts
      if (Model === undefined) return
      const { registry, modelName } = Model
      countsOf(registry)[would]++
      const call: TriedCall = {
        event: 'acl.shadow', model: modelName, method, principal: membership.caller.principals[0],
        rule: (found.rule ?? found.taking[0]?.rule)?.written ?? 'default', would, reqId: request.id
      }
      registry.log.info(call, call.event)
      registry.emit('audit', call)
    }))
}

function effectOf (
  found: RowDecision, membership: Membership, isLetIn: boolean
): MaybePromise<TriedEffect | undefined> {
  const would = isAllowed(found.permission)
  if (would !== isLetIn) return would ? 'allow' : 'refuse'
  const { Model, modelId, methodName } = membership.parts
  if (!would || Model === undefined || methodName === 'create') return undefined
  const { service, caller } = membership
  const { compiled } = Model
  const tenant = service.rows.triedTenantOf(compiled)
  if (!isNarrow(found) && tenant === undefined) return undefined
  const { giving, taking } = found
  const source = { giving, taking, isRefused: false, reading: [giving], isWrite: false }
  return chain(service.rows.bindTried(compiled, source, tenant, caller, Date.now()), rule => {
    if (rule.rows === undefined) return rule.reads === undefined && rule.writes === undefined ? undefined : 'narrow'
    if (modelId === undefined || compiled.id === undefined) return 'narrow'
    return chain(isHidden(compiled, modelId, rule), hidden => hidden ? 'hide' : undefined)
  })
}

/** Whether there is such a row, and it is none of those that the rule leaves. */
function isHidden (model: CompiledModel, id: unknown, rule: RowRule): MaybePromise<boolean> {
  const where = { [model.id?.name ?? 'id']: id }
  const rowRules = { concerns: (each: CompiledModel) => each === model, of: () => rule }
  return chain(countRows(model, where, { notify: false }), all =>
    all > 0 && chain(countRows(model, where, { notify: false, rowRules }), left => left < all))
}
