/** Requests of the protocol whose parameters are not what it says: the client's fault, and told as such. */
import {
  CallToolRequestSchema, ErrorCode, GetPromptRequestSchema, InitializeRequestSchema, ListPromptsRequestSchema,
  ListResourcesRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema
} from '@modelcontextprotocol/sdk/types.js'

interface RequestSchema {
  safeParse (message: unknown): { readonly error?: { readonly issues: readonly Issue[] } | undefined }
}

interface Issue { readonly path: readonly PropertyKey[], readonly message: string }

const schemas: ReadonlyMap<unknown, RequestSchema> = new Map<unknown, RequestSchema>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
  ['prompts/list', ListPromptsRequestSchema],
  ['prompts/get', GetPromptRequestSchema]
])

interface Message { readonly id?: unknown, readonly method?: unknown, readonly params?: { readonly task?: unknown } }

/**
 * The response to a request with wrong parameters; undefined for what the protocol may have.
 *
 * ```js
 * paramsFault({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }) // { …, error: { code: -32602, … } }
 * ```
 */
export function paramsFault (message: object): object | undefined {
  const { id, method, params } = message as Message
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  const fault = schemas.get(method)?.safeParse(message).error?.issues[0]
  if (fault !== undefined) {
    const where = fault.path.map(String).join('.')
    return invalid(id, `Invalid parameters: ${where.slice(0, 200)}: ${fault.message.slice(0, 200)}`)
  }
  if (params?.task !== undefined) return invalid(id, 'There are no tasks here: leave "task" out.')
}

const invalid = (id: string | number, message: string): object =>
  ({ jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidParams, message } })
