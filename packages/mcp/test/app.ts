/** A server over memory with agents and access control, for tests: people ann 1, ben 2, adam 3 (admin). */
import type { Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { mcp, type McpOptions } from '@fastback/mcp'
import { call, makeApp as makeRuled, type App as Ruled, type Parts as RuledParts } from '../../acl/test/app.js'

export { row } from '../../acl/test/app.js'

type Loose = any

export interface Parts extends Omit<RuledParts, 'register' | 'log'> {
  mcp?: McpOptions
}

export type App = Ruled & {
  /** Events of the registry. */
  audit: Loose[]
}

export async function makeApp (t: Test, { mcp: options = {}, ...parts }: Parts): Promise<App> {
  const app = await makeRuled(t, {
    ...parts,
    options: { remoting: { errorHandler: { log: false } }, ...parts.options },
    register: async app => { await app.register(mcp, options) }
  })
  const audit: Loose[] = []
  app.registry.on('audit', (event: Loose) => { if (event.event === 'mcp.call') audit.push(event) })
  return Object.assign(app, { audit })
}

/** Where the server listens. */
export async function addressOf (app: FastifyInstance): Promise<string> {
  const known = app.server.address()
  return known === null || typeof known === 'string'
    ? await app.listen({ port: 0, host: '127.0.0.1' })
    : `http://127.0.0.1:${known.port}`
}

/** The official client, over HTTP, in the name of somebody. */
export async function clientOf (t: Test, app: App, who: string | undefined, path = '/mcp'): Promise<Client> {
  const token = who === undefined ? undefined : app.tokens[who] ?? who
  const transport = new StreamableHTTPClientTransport(new URL(await addressOf(app) + path), {
    requestInit: token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport as never)
  t.teardown(async () => { await client.close() })
  return client
}

/** The data of a call. */
export async function data (client: Client, name: string, args: object = {}): Promise<Loose> {
  const result = await client.callTool({ name, arguments: args as never }) as Loose
  if (result.isError === true) throw new Error(result.content[0].text)
  return result.structuredContent.data
}

/** The code of a call that is refused. */
export async function code (client: Client, name: string, args: object = {}): Promise<Loose> {
  const result = await client.callTool({ name, arguments: args as never }) as Loose
  return result.isError === true ? result.structuredContent.error.code : `not refused: ${JSON.stringify(result)}`
}

/** The same rows over REST. */
export const overRest = async (
  app: App, who: string | undefined, path: string
): Promise<{ status: number, body: Loose }> => await call(app, who, 'GET', path)
