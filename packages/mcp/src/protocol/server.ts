/** What the protocol's requests are answered by: a server of the SDK for one request, which keeps nothing. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema, ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema, ListResourcesRequestSchema,
  ListToolsRequestSchema, McpError, ReadResourceRequestSchema, type CallToolResult
} from '@modelcontextprotocol/sdk/types.js'
import { RequestError, type ModelRegistry } from '@fastback/core'
import { accessReviewIn } from '@fastback/core/remote'
import type { RouteCalls } from '@fastback/rest/calls'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../options.js'
import { callTool } from '../tools/call.js'
import type { Arguments } from '../tools/inputs.js'
import { recordCall } from '../tools/record.js'
import type { Tool } from '../tools/tools.js'
import { filledPrompt, promptOf } from './prompts.js'
import type { Resources } from './resources.js'

/** What there is to serve. */
export interface Served {
  readonly registry: ModelRegistry
  readonly settings: Settings
  readonly calls: RouteCalls
  readonly tools: ReadonlyMap<string, Tool>
  readonly resources: Resources
}

interface Listing { readonly params?: { readonly cursor?: unknown } | undefined }

/** The server of one request. */
export function serverOf (served: Served, request: FastifyRequest, reply: FastifyReply): Server {
  const { registry, settings, calls, tools, resources } = served
  const { name, version, instructions, limits } = settings
  const prompts = new Map(Object.entries(settings.prompts))
  const server = new Server({ name, version }, {
    capabilities: { tools: {}, resources: {}, ...(prompts.size === 0 ? {} : { prompts: {} }) },
    ...(instructions === undefined ? {} : { instructions })
  })
  server.setRequestHandler(ListToolsRequestSchema, shown(async asked => {
    onOnePage(asked)
    const own = await callable(registry, [...tools.values()], request, reply)
    return { tools: own.map(({ description }) => description) }
  }))
  server.setRequestHandler(CallToolRequestSchema, shown(async ({ params }) => await call(params)))
  server.setRequestHandler(ListResourcesRequestSchema, shown(async asked => {
    onOnePage(asked)
    return { resources: resources.all }
  }))
  server.setRequestHandler(ReadResourceRequestSchema, shown(async ({ params: { uri } }) => {
    const found = resources.read(uri)
    if (found === undefined) throw new McpError(resourceNotFound, 'There is no such resource.')
    return found
  }))
  if (prompts.size > 0) {
    server.setRequestHandler(ListPromptsRequestSchema, shown(async asked => {
      onOnePage(asked)
      return { prompts: [...prompts].map(([name, options]) => promptOf(name, options)) }
    }))
    server.setRequestHandler(GetPromptRequestSchema, shown(async ({ params: { name, arguments: given = {} } }) => {
      const options = prompts.get(name)
      if (options === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such prompt.')
      return await filledPrompt(options, given, limits.text)
    }))
  }
  return server

  async function call (params: {
    name: string, arguments?: Record<string, unknown> | undefined, _meta?: Record<string, unknown> | undefined
  }): Promise<CallToolResult> {
    const { name, arguments: given = {}, _meta: meta = {} } = params
    const tool = tools.get(name)
    const reason = reasonOf(tool, given, meta, limits.text)
    if (tool === undefined) {
      recordCall(registry, request, { tool, name: name.slice(0, 100), status: 404, reason })
      throw new McpError(ErrorCode.InvalidParams, `There is no tool "${name.slice(0, 100)}".`)
    }
    let status = 500
    let code: string | undefined
    try {
      const outcome = await callTool(tool, given, { calls: calls.of(request), limits })
      ;({ status, code } = outcome)
      return outcome.result
    } finally {
      recordCall(registry, request, { tool, name, status, reason, ...(code === undefined ? {} : { code }) })
    }
  }

  /** Faults of the server are told to its log alone. */
  function shown<Asked, R> (handler: (asked: Asked) => Promise<R>): (asked: Asked) => Promise<R> {
    return async asked => {
      try {
        return await handler(asked)
      } catch (error) {
        if (error instanceof McpError) throw error
        if (error instanceof RequestError) {
          throw new McpError(ErrorCode.InvalidParams, error.message, { code: error.code })
        }
        request.log.error({ err: error }, 'a request of an agent failed')
        throw new McpError(ErrorCode.InternalError, 'Internal server error')
      }
    }
  }
}

/** Of the protocol. */
const resourceNotFound = -32002

/** @throws McpError for a page that does not exist */
function onOnePage ({ params }: Listing): void {
  if (params?.cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, 'There is one page: send no cursor.')
}

/** `reason` of the arguments, where the tool has it from here, or of `_meta`. */
function reasonOf (
  tool: Tool | undefined, given: Arguments, meta: Readonly<Record<string, unknown>>, longest: number
): string | undefined {
  const isOwn = tool?.inputs.some(each => each.in === 'reason') === true
  const reason = isOwn && given.reason !== undefined ? given.reason : meta.reason
  return typeof reason === 'string' ? reason.slice(0, longest) : undefined
}

/** Tools that the caller may call, as far as that can be said before. */
async function callable (
  registry: ModelRegistry, tools: readonly Tool[], request: FastifyRequest, reply: FastifyReply
): Promise<Tool[]> {
  const { mayCall } = accessReviewIn(registry)
  if (mayCall === undefined) return [...tools]
  const may = await Promise.all(tools.map(async ({ route }) => await mayCall(route.method, request, reply)))
  return tools.filter((_, index) => may[index])
}
