/** One operation by the rules of a caller: the decision, the rows and properties, and the result as clients see it. */
import {
  isInstance, type ModelClass, type ModelInstance, type OperationOptions, type Row, type SharedMethod
} from '@fastback/core'
import { clientValues, LOOKED_AT, lookOf, readableResult, remoteOptions, ruleOf } from '@fastback/core/remote'
import { authService, defaultScopes, enrolmentRequired, isInScope, lacksFactor } from '@fastback/auth/service'
import { Caller } from '../caller.js'
import { refusal } from '../errors.js'
import { RequestIncludes, type IncludeRules } from '../guard/include-rules.js'
import { recordPassed } from '../guard/passed-calls.js'
import { RequestRights } from '../guard/request-rights.js'
import { RequestRowRules } from '../guard/request-row-rules.js'
import { RequestRows } from '../guard/row-rules.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { AclService } from '../service.js'
import type { ActingOperation } from './operations.js'

/** What all calls of a caller share. */
export interface ActingCall {
  readonly service: AclService
  readonly includes: IncludeRules
  /** That of the caller; null for somebody who is not logged in. */
  token (): Promise<ModelInstance | null>
}

/** What is called. */
export interface Called {
  readonly Model: ModelClass
  readonly operation: ActingOperation
  readonly method: SharedMethod
}

/**
 * Does an operation as a request of the caller would.
 * @throws RequestError 401, 403 or 404 where the caller may not; what the operation throws
 */
export async function callAs (call: ActingCall, called: Called, values: readonly unknown[]): Promise<unknown> {
  const { Model, operation: { calls, takes, dataAt, write } } = called
  const options = await optionsFor(call, called, values)
  const given = Array.from({ length: takes }, (_, i) => values[i])
  if (dataAt !== undefined && write !== undefined && isData(given[dataAt])) {
    const known = await write(Model, given, options)
    const rule = await ruleOf(Model.compiled, known.kind === 'create' ? 'create' : 'update', options)
    const judging = { ...known, writes: rule?.writes, reads: rule?.reads }
    const judged = (row: Row, prefix = ''): Row => clientValues(Model.compiled, row, judging, prefix)
    const data = given[dataAt]
    given[dataAt] = Array.isArray(data)
      ? data.map((row, i) => isData(row) ? judged(row, `[${String(i)}]`) : row as unknown)
      : judged(data)
    if (!Array.isArray(data) && calls !== 'create') {
      options[LOOKED_AT] = lookOf(Model.compiled, given[dataAt] as Row, judging)
    }
  }
  const run = Model[calls] as (...values: unknown[]) => Promise<unknown>
  return shown(await readableResult(await run.call(Model, ...given, options), options))
}

const isData = (value: unknown): value is Row => value !== null && typeof value === 'object'

/** @throws RequestError where the call is refused */
async function optionsFor (
  { service, includes, token: tokenOf }: ActingCall, { Model, operation, method }: Called, values: readonly unknown[]
): Promise<OperationOptions> {
  const token = await tokenOf()
  const source = MethodPlan.of(service, method)
  const modelId = operation.id?.(Model.compiled, values)
  const caller = new Caller(service.users, token)
  const { accessType } = source.operation
  const membership = new Membership(service, caller, { Model, modelId, method, accessType })
  const plan = await source.current()
  const decision = await decide(plan, membership)
  if (!isInScope(token, method.accessScopes ?? defaultScopes) || !isAllowed(decision.permission)) {
    authService(Model.registry).audit({
      event: 'access denied', model: Model.modelName, method: method.fullName, userId: caller.userId,
      rule: decision.rule?.written ?? 'default',
      ...decision.stepUp === undefined ? {} : { stepUp: decision.stepUp }
    })
    throw refusal(Model, token !== null, modelId, decision.stepUp)
  }
  if (token !== null && await lacksFactor(Model.registry, token)) throw enrolmentRequired()
  recordPassed(decision, Model, method.fullName, caller, { id: 'in process' })
  const route = { method, plan, source, membership }
  const narrows = service.rows.any || membership.hasRoleRows
  const reach = includes.reach.inProcess
  return remoteOptions({
    accessToken: token,
    includeGuard: includes.exist ? new RequestIncludes(includes, service.users, token, undefined, reach) : undefined,
    methodRights: new RequestRights(service, caller, includes.rights),
    // Rows within the data, and states that a row was in, are judged one by one.
    rowGuard: new RequestRows(service, caller, { rowPlans: includes.rowPlans, reach }),
    rowRules: narrows ? new RequestRowRules(service, caller, route) : undefined
  })
}

/** Rows as clients see them; other values as they are. */
function shown (value: unknown): unknown {
  if (isInstance(value)) return (value as { toJSON (): unknown }).toJSON()
  return Array.isArray(value) ? value.map(shown) : value
}
