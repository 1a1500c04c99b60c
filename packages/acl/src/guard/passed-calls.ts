/** Calls that a rule with AUDIT or ALARM lets pass: they are written down (security.md, S-107). */
import type { ModelClass } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../caller.js'
import type { Decision } from '../rules/decision.js'

/** What happened; emitted by the registry as `audit`, and a line of its log. */
export interface PassedCall {
  readonly event: 'acl.audit' | 'acl.alarm'
  readonly model: string
  readonly method: string
  /** Who called: type and id; undefined for somebody who is not logged in. */
  readonly principal: { readonly type: string, readonly id: unknown } | undefined
  /** The rule as written, or that none fitted and the default permission held. */
  readonly rule: unknown
  readonly reqId: string
}

/**
 * Writes a call down where the decision asks for it: AUDIT as a line at the level `info`, ALARM at `warn`.
 * @param method as `decision` was asked about it
 */
export function recordPassed (
  { permission, rule }: Decision, Model: ModelClass, method: string, caller: Caller, request: Pick<FastifyRequest, 'id'>
): void {
  if (permission !== 'AUDIT' && permission !== 'ALARM') return
  const { registry, modelName } = Model
  const call: PassedCall = {
    event: permission === 'AUDIT' ? 'acl.audit' : 'acl.alarm',
    model: modelName,
    method,
    principal: caller.principals[0],
    rule: rule?.written ?? 'default',
    reqId: request.id
  }
  registry.log[permission === 'AUDIT' ? 'info' : 'warn'](call, call.event)
  registry.emit('audit', call)
}
