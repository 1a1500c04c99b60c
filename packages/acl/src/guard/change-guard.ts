/** A change stream carries what its client could read by `findById`, and ends with the client's token (security.md, S-43, S-60). */
import { chain, type MaybePromise, type ModelClass, type Row } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import type { MethodPlan } from '../rules/method-plan.js'

/** What `@fastback/rest` asks of a stream's guard. */
export interface ChangeGuard {
  allows (data: Record<string, unknown> | undefined): MaybePromise<boolean>
  readonly signal?: AbortSignal
}

/** @param plan that of the model's `findById` */
export function guardChanges (request: FastifyRequest, reply: FastifyReply, Model: ModelClass, plan: MethodPlan): void {
  const { accessToken: token } = request
  const caller = new Caller(token)
  const allows = (data: Record<string, unknown> | undefined): MaybePromise<boolean> => data === undefined || chain(plan.current(), rules => {
    const membership = new Membership(plan.service, caller, { Model, modelId: data[Model.getIdName() ?? 'id'], methodName: 'findById', accessType: 'READ' }, [data as Row])
    return chain(decide(rules, membership), ({ permission }) => isAllowed(permission))
  })
  const guarded = request as FastifyRequest & { changeGuard?: ChangeGuard }
  guarded.changeGuard = { allows, ...(token === null ? {} : { signal: ending(request, reply) }) }
}

function ending (request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const { signal, stop } = request.server.authentication.watch.watch(request.accessToken as NonNullable<FastifyRequest['accessToken']>)
  reply.raw.once('close', stop)
  return signal
}
