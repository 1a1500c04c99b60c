/** The budget that several inner requests have together, and whose client waits for them. */
import type { Caller } from '@fastback/core'
import type { Work } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'

export interface SharedWork {
  readonly work: Work
  readonly caller: Caller
}

const kWork = Symbol('fastback.sharedWork')

type Sharing = FastifyRequest & { [kWork]?: SharedWork }

export function shareWork (request: FastifyRequest, shared: SharedWork): void {
  (request as Sharing)[kWork] = shared
}

/** Undefined for a request of its own. */
export const sharedWork = (request: FastifyRequest): SharedWork | undefined => (request as Sharing)[kWork]
