/** Settings of the plugin beside a registry that was made before: S-102. */
import Fastify from 'fastify'
import t from 'tap'
import { acl, installAclModels } from '@fastback/acl'
import { auth, installAuthModels } from '@fastback/auth'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest } from '@fastback/rest'

t.test('S-102: settings beside a registry have an effect', async t => {
  // Seen to fail: `defaultPermission: "DENY"` did nothing, and the list was 200 to everybody.
  const served = async (settings: Record<string, unknown>): Promise<number> => {
    const registry = new ModelRegistry()
    registry.defineDataSource('db', { connector: memoryConnector })
    installAuthModels(registry)
    installAclModels(registry)
    for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) registry.attach(name, 'db', { public: false })
    registry.attach(registry.defineModel({ name: 'Note', properties: { title: 'string' } }), 'db', { public: true })
    const app = Fastify({ forceCloseConnections: true })
    t.teardown(async () => { await app.close() })
    await app.register(core, { registry, settings })
    await app.register(auth)
    await app.register(acl)
    await app.register(rest, { prefix: '/api' })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    return (await fetch(`${url}/api/Notes`)).status
  }
  t.equal(await served({}), 200)
  t.equal(await served({ defaultPermission: 'DENY' }), 401)
})

t.test('S-102: settings that contradict the registry stop the start', async t => {
  // Seen to fail: the registry's ALLOW counted in silence.
  const registry = new ModelRegistry({ settings: { defaultPermission: 'ALLOW' } })
  const app = Fastify()
  app.register(core, { registry, settings: { defaultPermission: 'DENY' } })
  await t.rejects(async () => { await app.ready() }, { code: 'FBK_CORE_REGISTRY_CONFLICT' })
})
