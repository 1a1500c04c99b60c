/** What the page asks of the GraphQL of the server. */
import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery } from 'graphql'

/** A request as GraphQL over HTTP has it. */
export interface GraphqlRequest {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: string
}

export interface GraphqlResponse {
  readonly status: number
  readonly milliseconds: number
  readonly text: string
  /** Whether there are errors in it. */
  readonly isFaulty: boolean
}

/**
 * Sends a document.
 *
 * ```js
 * const { status, text } = await send('/graphql', token.headers, { query: '{ notes { id } }' })
 * ```
 * @throws TypeError when there is no response
 */
export async function send (
  address: string, headers: Readonly<Record<string, string>>, request: GraphqlRequest
): Promise<GraphqlResponse> {
  const from = performance.now()
  const response = await fetch(address, {
    method: 'POST',
    cache: 'no-store',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(request)
  })
  const text = await response.text()
  const value = parsed(text)
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - from),
    text: value === undefined ? text : JSON.stringify(value, null, 2),
    isFaulty: !response.ok || value?.errors !== undefined
  }
}

/** @throws Error where the server does not say what there is */
export async function readSchema (address: string, headers: Readonly<Record<string, string>>): Promise<GraphQLSchema> {
  const { status, text } = await send(address, headers, { query: getIntrospectionQuery() })
  const data = parsed(text)?.data
  if (data === undefined) throw new Error(`The schema could not be read: ${status}`)
  return buildClientSchema(data as IntrospectionQuery)
}

interface Parsed { readonly data?: unknown, readonly errors?: unknown }

function parsed (text: string): Parsed | undefined {
  try {
    return JSON.parse(text) as Parsed
  } catch {
    return undefined
  }
}
