/**
 * A change stream carries what its client could read by `findById`, and ends with the client's token (security.md,
 * S-43, S-60).
 */
import type { Change, MaybePromise, ModelClass, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { readablePart } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import type { MethodPlan } from '../rules/method-plan.js'
import { dependsOnApplication } from '../rules/depends-on-application.js'
import { JudgedRows } from './judged-rows.js'
import { RequestParts } from './remoting-context.js'

/** What `@fastback/rest` asks of a stream's guard. */
export interface ChangeGuard {
  /** @param isGone whether the row is one that was removed, or has left what the client may see */
  allows (data: Record<string, unknown> | undefined, isGone?: boolean): MaybePromise<boolean>
  /** A change without what the client may not read; the same one where that is nothing. */
  shows (change: Change): MaybePromise<Change>
  readonly signal?: AbortSignal
}

/**
 * @param plan that of the model's `findById`
 * @param own that of the stream's own method
 */
export function guardChanges (
  request: FastifyRequest,
  reply: FastifyReply,
  Model: ModelClass,
  plan: MethodPlan,
  own: MethodPlan
): void {
  const { accessToken: token } = request
  const caller = new Caller(plan.service.users, token)
  const judged = new JudgedRows(plan.service)
  const membershipFor = (data: Row): Membership => new Membership(
    plan.service,
    caller,
    new RequestParts(
      { Model, modelId: data[Model.getIdName() ?? 'id'], methodName: 'findById', accessType: 'READ' },
      request, reply, undefined, own.method
    ),
    [data]
  )
  const allows = (data: Record<string, unknown> | undefined, isGone = false): MaybePromise<boolean> => {
    if (data === undefined) return true
    // A row that is gone has no related rows: where the stream itself is narrowed, it has been judged.
    const isJudged = isGone && request.rowRules !== null
    return chain(plan.current(), rules =>
      judged.allows(rules, membershipFor(data as Row), data as Row, { isGone: isJudged }))
  }
  const shows = (change: Change): MaybePromise<Change> => {
    const { rows } = plan.service
    if (!rows.concerns(Model) && rows.within(Model).length === 0) return change
    const { data } = change
    return chain(plan.current(), rules => chain(judged.ruleFor(rules, membershipFor(data)), rule => {
      const reads = typeof rule === 'object' ? rule.reads : undefined
      const isAll = reads === undefined || (reads.within === undefined && Object.keys(data).every(name => reads(name)))
      if (isAll) return change
      const shown = readablePart(Model.compiled, data as Row, reads)
      return change.showing(shown, Model.compiled.stringify(shown, false))
    }))
  }
  const guarded = request as FastifyRequest & { changeGuard?: ChangeGuard }
  const controller = new AbortController()
  endWithRights(controller, request, reply, plan.service, () => mayStillCall(caller, own))
  guarded.changeGuard = { allows, shows, signal: controller.signal }
}

/** Aborts when the token ends, and when `judge` says no. */
function endWithRights (
  controller: AbortController, request: FastifyRequest, reply: FastifyReply, { streams }: MethodPlan['service'],
  judge: () => MaybePromise<boolean>
): void {
  streams.add(controller, judge)
  reply.raw.once('close', () => { streams.remove(controller) })
  if (request.accessToken !== null) endWith(request.accessToken, request, reply, controller)
}

/** What `@fastback/rest` asks for a response that takes a while. */
export type WatchRights = (reply: FastifyReply) => AbortSignal

/**
 * A signal that is aborted when the caller of a method may not call it any more: for lists that are read page by page,
 * as fast as their client takes them (security.md, S-134). Where more than roles and rules decided, it is when the
 * token ends.
 *
 * ```js
 * watchRights(request, reply, plan, id).addEventListener('abort', () => { rows.destroy() })
 * ```
 * @param modelId of the row that the path names
 */
export function watchRights (
  request: FastifyRequest, reply: FastifyReply, own: MethodPlan, modelId: unknown
): AbortSignal {
  const caller = new Caller(own.service.users, request.accessToken)
  const controller = new AbortController()
  const judge = (): MaybePromise<boolean> => mayStillCall(caller, own, modelId)
  let isJudged = false
  endWithRights(controller, request, reply, own.service, () => isJudged ? judge() : true)
  const known = (isSo: boolean): void => { isJudged = isSo }
  Promise.resolve().then(judge).then(known, () => {})
  return controller.signal
}

function endWith (
  token: NonNullable<FastifyRequest['accessToken']>,
  request: FastifyRequest,
  reply: FastifyReply,
  controller: AbortController
): void {
  const { signal, stop } = request.server.authentication.watch.watch(token)
  signal.addEventListener(
    'abort',
    () => {
      controller.abort()
    },
    { once: true }
  )
  reply.raw.once('close', stop)
}

/**
 * Judged again where nothing but roles and rules decides; the application's own code may need the request, which is
 * over.
 */
function mayStillCall (caller: Caller, own: MethodPlan, modelId?: unknown): MaybePromise<boolean> {
  return chain(own.current(), plan => {
    if (dependsOnApplication(plan, own.service)) return true
    const membership = new Membership(own.service, caller, {
      Model: own.Model,
      modelId,
      methodName: own.method?.name ?? 'createChangeStream',
      accessType: own.operation.accessType
    })
    return chain(decide(plan, membership), ({ permission }) => isAllowed(permission))
  })
}
