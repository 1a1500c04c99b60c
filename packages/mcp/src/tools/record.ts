/** The record of calls: one event `audit` of the registry for each, and a line in its log. */
import type { ModelRegistry } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import type { Outcome } from './call.js'
import type { Tool } from './tools.js'

/** A call of a tool by an agent. Arguments are left out: they may have what is secret. */
export interface CallRecord {
  readonly event: 'mcp.call'
  readonly tool: string
  readonly model?: string
  readonly method?: string
  /** Undefined for nobody, and for clients that act for themselves. */
  readonly userId?: unknown
  /** Of an OAuth token: the client that got it. */
  readonly client?: unknown
  readonly status: number
  readonly code?: string
  /** As the agent gave it. */
  readonly reason?: string
}

interface Recorded extends Pick<Outcome, 'status' | 'code'> {
  readonly tool: Tool | undefined
  readonly name: string
  readonly reason: string | undefined
}

/** A request that was read. */
type Read = FastifyRequest & { readonly accessToken?: { readonly userId?: unknown, readonly appId?: unknown } | null }

export function recordCall (
  registry: ModelRegistry, request: FastifyRequest, { tool, name, status, code, reason }: Recorded
): void {
  const { userId, appId } = (request as Read).accessToken ?? {}
  const event: CallRecord = {
    event: 'mcp.call',
    tool: name,
    ...(tool === undefined ? {} : { model: tool.route.method.modelName, method: tool.route.method.fullName }),
    ...(userId === undefined || userId === null ? {} : { userId }),
    ...(appId === undefined || appId === null ? {} : { client: appId }),
    status,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason })
  }
  registry.log.info(event, event.event)
  registry.emit('audit', event)
}
