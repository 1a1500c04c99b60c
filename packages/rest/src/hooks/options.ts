import { CALLER, WORK, type ModelClass, type OperationOptions } from '@fastback/core'
import type { FastifyRequest } from 'fastify'

type Caller = FastifyRequest & {
  accessToken?: unknown
  authorizedRoles?: unknown
  includeGuard?: OperationOptions['includeGuard'] | null
}

/** Levels of a filter and of data from outside, unless the model says otherwise. */
export const defaultDepths = { query: 12, data: 32 } as const

/** Options that mark an operation as one from outside (security.md, S-13), with the caller's token. */
export function externalOptions (model: ModelClass, request: FastifyRequest): OperationOptions {
  const { settings } = model
  const { accessToken, authorizedRoles, includeGuard } = request as Caller
  // All members at once, also those that are set later: a copy that gains a member costs V8 most of a microsecond, one
  // that changes it next to nothing.
  return {
    accessToken: accessToken ?? undefined,
    prohibitHiddenPropertiesInQuery: true,
    [CALLER]: request.raw,
    [WORK]: undefined,
    maxDepthOfQuery: (settings.maxDepthOfQuery as number | undefined) ?? defaultDepths.query,
    maxDepthOfData: (settings.maxDepthOfData as number | undefined) ?? defaultDepths.data,
    authorizedRoles: (authorizedRoles ?? undefined) as OperationOptions['authorizedRoles'],
    includeGuard: includeGuard ?? undefined
  }
}

/** The same, with what `Model.createOptionsFromRemotingContext` adds. It cannot take the marks away. */
export function remoteOptions (model: ModelClass, request: FastifyRequest, context: unknown): OperationOptions {
  const options = externalOptions(model, request)
  if (!hasOwnOptions(model)) return options
  const own = (model.createOptionsFromRemotingContext as (context: unknown) => object)(context)
  return { ...options, ...own, prohibitHiddenPropertiesInQuery: true }
}

/** Whether the application makes options itself. */
export const hasOwnOptions = (model: ModelClass): boolean =>
  typeof model.createOptionsFromRemotingContext === 'function'
