import { Socket } from 'node:net'
import type { ModelClass, OperationOptions } from '@fastback/core'
import { asRemote, createOptionsFromRemotingContext, remoteOptions } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { sharedWork } from '../calls/shared-work.js'

type Caller = FastifyRequest & {
  accessToken?: unknown
  authorizedRoles?: unknown
  includeGuard?: OperationOptions['includeGuard'] | null
  rowGuard?: OperationOptions['rowGuard'] | null
  rowRules?: OperationOptions['rowRules'] | null
  methodRights?: OperationOptions['methodRights'] | null
}

/** Levels of a filter and of data from outside, unless the model says otherwise. */
const defaultDepths = { query: 12, data: 32 } as const

/** Whether a request came over a socket: one that is injected, or part of a batch, has none. */
export const isBySocket = ({ raw }: FastifyRequest): boolean => raw.socket instanceof Socket

/** Options that mark an operation as one from outside (security.md, S-13), with the caller's token. */
export function externalOptions (model: ModelClass, request: FastifyRequest): OperationOptions {
  const { settings } = model
  const { accessToken, authorizedRoles, includeGuard, rowGuard, rowRules, methodRights } = request as Caller
  const shared = sharedWork(request)
  return remoteOptions({
    accessToken,
    authorizedRoles,
    includeGuard,
    rowGuard,
    rowRules,
    methodRights,
    maxDepthOfQuery: (settings.maxDepthOfQuery as number | undefined) ?? defaultDepths.query,
    maxDepthOfData: (settings.maxDepthOfData as number | undefined) ?? defaultDepths.data,
    reads: request.method === 'GET' || request.method === 'HEAD',
    bySocket: isBySocket(request),
    requestId: String(request.id),
    caller: shared?.caller ?? request.raw,
    work: shared?.work
  })
}

/** The same, with what `Model.createOptionsFromRemotingContext` adds. It cannot take the marks away. */
export function ownOptions (model: ModelClass, request: FastifyRequest, context: unknown): OperationOptions {
  const options = externalOptions(model, request)
  if (!hasOwnOptions(model)) return options
  const own = (model.createOptionsFromRemotingContext as (context: unknown) => object)(context)
  return asRemote({ ...options, ...own })
}

/** Whether the application makes options itself. */
export const hasOwnOptions = (model: ModelClass): boolean =>
  model.createOptionsFromRemotingContext !== createOptionsFromRemotingContext
