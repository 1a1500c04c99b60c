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
