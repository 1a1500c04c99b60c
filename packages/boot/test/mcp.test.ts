// FASTBACK_TEST_FULL: starts processes.
/** The component `@fastback/mcp` of application folders. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '@fastback/boot'

function makeFolder (t: Test, components: object): string {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-mcp-'))
  for (const folder of ['server', 'common/models']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const [name, content] of Object.entries({
    'server/config.json': { restApiRoot: '/api' },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/model-config.json': { Note: { dataSource: 'db', public: true } },
    'server/component-config.json': components,
    'common/models/note.json': { name: 'Note', properties: { title: 'string' } }
  })) writeFileSync(path.join(root, name), JSON.stringify(content))
  t.teardown(() => { rmSync(root, { recursive: true }) })
  return root
}

async function served (t: Test, components: object): Promise<Server> {
  const server = await createServer(makeFolder(t, components), { log: false, port: 0, host: '127.0.0.1' })
  t.teardown(async () => { await server.stop() })
  return server
}

const call = (limit: number) => ({
  method: 'POST',
  url: '/mcp',
  headers: { accept: 'application/json, text/event-stream' },
  payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'Note_find', arguments: { filter: { limit } } } }
} as const)

/** Serves a folder, and writes an x for each module of the SDK. */
const lookForSdk = `
import { register } from 'node:module'
const loader = \`import { writeSync } from 'node:fs'
export async function load (url, context, next) {
  if (url.includes('modelcontextprotocol')) writeSync(1, 'x')
  return await next(url, context)
}\`
register('data:text/javascript,' + encodeURIComponent(loader))
const { createServer } = await import('@fastback/boot')
const server = await createServer(process.argv[1], { log: false, port: 0, host: '127.0.0.1' })
await server.stop()
`

t.test('a folder that does not ask for it loads nothing of it', async t => {
  const { fastify } = await served(t, {})
  t.equal((await fastify.inject(call(1))).statusCode, 404)
  const seen = (components: object): string => execFileSync(process.execPath, [
    '--conditions=unbundled', '--input-type=module', '-e', lookForSdk, makeFolder(t, components)
  ], { cwd: new URL('..', import.meta.url), encoding: 'utf8' })
  t.equal(seen({}), '')
  t.match(seen({ '@fastback/mcp': {} }), /^x+$/)
})

t.test('a folder that asks for it has it, over the methods of its API', async t => {
  const { fastify } = await served(t, { '@fastback/mcp': { anonymous: true, limits: { rows: 2 } } })
  t.equal((await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'Milk' } })).statusCode, 200)
  t.match((await fastify.inject(call(2))).json().result.structuredContent, { data: [{ title: 'Milk' }] })
  t.equal((await fastify.inject(call(3))).json().result.structuredContent.error.code, 'MCP_LIMIT_EXCEEDED')
})

t.test('its path and its options', async t => {
  const { fastify } = await served(t, { '@fastback/mcp': { path: '/agents', anonymous: true } })
  t.equal((await fastify.inject({ ...call(1), url: '/agents' })).statusCode, 200)
  await t.rejects(served(t, { '@fastback/mcp': { paths: '/q' } }), { code: 'FBK_MCP_INVALID_OPTIONS', message: /"paths"/ })
})
