/** The component `@fastback/health` of application folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '@fastback/boot'

async function served (t: Test, components: object): Promise<Server> {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-health-'))
  mkdirSync(path.join(root, 'server'))
  for (const [name, content] of Object.entries({
    'config.json': { restApiRoot: '/api' },
    'datasources.json': { db: { connector: 'memory' } },
    'model-config.json': {},
    'component-config.json': components
  })) writeFileSync(path.join(root, 'server', name), JSON.stringify(content))
  const server = await createServer(root, { log: false, port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    await server.stop()
    rmSync(root, { recursive: true })
  })
  return server
}

t.test('its routes are there where the folder asks for them', async t => {
  const { fastify } = await served(t, { '@fastback/health': { path: '/well', metrics: false } })
  t.match((await fastify.inject('/well/ready')).json(), { status: 'up', components: { db: { status: 'up' } } })
  t.equal((await fastify.inject('/metrics')).statusCode, 404)
  const without = await served(t, {})
  t.equal((await without.fastify.inject('/health/live')).statusCode, 404)
})

t.test('an option that is not there stops the start', async t => {
  await t.rejects(served(t, { '@fastback/health': { paths: '/well' } }), {
    code: 'FBK_HEALTH_INVALID_OPTIONS', message: /"paths"/
  })
})

t.test('requests have ids: in answers, and taken over where they need no care', async t => {
  const { fastify } = await served(t, { '@fastback/health': {} })
  const idOf = async (sent?: string): Promise<string> => {
    const headers = sent === undefined ? {} : { 'x-request-id': sent }
    return String((await fastify.inject({ url: '/health/live', headers })).headers['x-request-id'])
  }
  const [first, second] = [await idOf(), await idOf()]
  t.match(first, /^[\w-]{12}-\w+$/)
  t.equal(second.slice(0, 13), first.slice(0, 13))
  t.not(second, first)
  t.not((await served(t, {}).then(other => other.fastify.inject('/')).then(answer => String(answer.headers['x-request-id']))).slice(0, 12),
    first.slice(0, 12), 'another process, other ids')
  t.equal(await idOf('4bf92f35-77b3.a/b=='), '4bf92f35-77b3.a/b==')
  for (const hostile of ['', 'a b', '"quoted"', 'x'.repeat(129), '{"a":1}', 'grüße']) {
    t.equal((await idOf(hostile)).slice(0, 12), first.slice(0, 12), hostile)
  }
  t.ok((await fastify.inject('/%')).headers['x-request-id'], 'an address that is none')
  t.ok((await fastify.inject('/none')).headers['x-request-id'])
})
