/** A folder with LoopBack's push component, LoopBack's name of the package, and the command. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer } from '@fastback/boot'
import { main } from '../src/index.js'
import { pushModule } from '@fastback/loopback/push'
import { PushManager } from '@fastback/push'

async function folder (t: Test, files: Readonly<Record<string, unknown>>): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'fastback-push-'))
  t.teardown(async () => { await rm(dir, { recursive: true, force: true }) })
  for (const [name, value] of Object.entries(files)) {
    const file = path.join(dir, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return dir
}

const files = {
  'package.json': { name: 'shop', dependencies: { 'loopback-component-push': '^3.5.0' } },
  'server/config.json': { restApiRoot: '/api' },
  'server/datasources.json': {
    db: { name: 'db', connector: 'memory' },
    push: {
      name: 'push', connector: 'loopback-component-push', installation: 'installation', notification: 'notification', application: 'application',
      ttlInSeconds: 60, checkPeriodInSeconds: 30
    }
  },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    application: { dataSource: 'db', public: true },
    installation: { dataSource: 'db', public: true },
    notification: { dataSource: 'db', public: true },
    push: { dataSource: 'push', public: true }
  },
  'common/models/application.json': { name: 'application', base: 'Application' },
  'common/models/installation.json': { name: 'installation', base: 'Installation' },
  'common/models/notification.json': { name: 'notification', base: 'Notification' },
  'common/models/push.json': { name: 'push', base: 'Model', plural: 'push' }
}

t.test('PU-01, PU-03, PU-18, PU-27: a folder of the original form', async t => {
  const server = await createServer(await folder(t, files), { log: false })
  t.teardown(async () => { await server.stop() })
  const { application, push } = server.app.models as Record<string, any>
  await application.create({ id: 'shop', name: 'Shop', pushSettings: { stub: {} } })
  const fastify = server.fastify
  const made = await fastify.inject({ method: 'POST', url: '/api/installations', payload: { appId: 'shop', deviceType: 'stub', deviceToken: 'a' } })
  t.equal(made.statusCode, 200, made.payload)
  const sent = await fastify.inject({ method: 'POST', url: '/api/push?deviceQuery=%7B%22deviceType%22%3A%22stub%22%7D', payload: { alert: 'Hello' } })
  t.strictSame([sent.statusCode, sent.payload], [200, '{}'])
  const stub = await push.configureApplication('shop', 'stub')
  for (let i = 0; i < 500 && stub.sent.length === 0; i++) await new Promise(resolve => setTimeout(resolve, 10))
  t.match(stub.sent, [{ token: 'a', notification: { alert: 'Hello' } }])
  t.equal((await fastify.inject('/api/installations/byApp?deviceType=stub&appId=shop')).json().length, 1)
})

t.test('PU-04, PU-28: the names `push` and `@fastback/push`; with access control nobody sends and nobody lists', async t => {
  for (const connector of ['push', '@fastback/push']) {
    const server = await createServer(await folder(t, {
      'server/config.json': { restApiRoot: '/api' },
      'server/datasources.json': { db: { connector: 'memory' }, push: { connector } },
      'server/model-config.json': {
        _meta: { sources: ['../common/models'] },
        User: { dataSource: 'db' }, AccessToken: { dataSource: 'db', public: false }, ACL: { dataSource: 'db', public: false },
        Role: { dataSource: 'db', public: false }, RoleMapping: { dataSource: 'db', public: false },
        Installation: { dataSource: 'db', public: true }, push: { dataSource: 'push' }
      },
      'server/boot/authentication.js': 'module.exports = function (app) { app.enableAuth() }',
      'server/boot/names.js': 'module.exports = function (app) { app.set("seen", ["push", "Installation", "Notification"].map(name => app.models[name] && app.models[name].modelName)) }',
      'common/models/push.json': { name: 'push', base: 'Model', plural: 'push' }
    }), { log: false })
    t.teardown(async () => { await server.stop() })
    const status = async (method: 'GET' | 'POST', url: string, payload?: object): Promise<number> =>
      (await server.fastify.inject({ method, url: `/api${url}`, ...(payload === undefined ? {} : { payload }) })).statusCode
    t.equal(await status('POST', '/Installations', { appId: 'a', deviceType: 'ios', deviceToken: 'x' }), 200)
    t.equal(await status('GET', '/Installations'), 401)
    t.equal(await status('POST', '/push?deviceQuery=%7B%7D', { alert: 'x' }), 401)
    t.equal(server.fastify.registry.findModel('Notification')?.dataSource?.name, 'db', 'attached by itself')
    t.strictSame(server.app.get('seen'), ['push', 'Installation', 'Notification'], 'and known to boot scripts')
    t.equal(await status('GET', '/Notifications'), 404, 'and not published')
  }
})

t.test('PU-02: what require("loopback-component-push") gives', async t => {
  t.equal(pushModule.PushManager, PushManager)
  t.equal(pushModule.Installation.modelName, 'Installation')
  t.equal(pushModule.Notification.modelName, 'Notification')
  const Push: any = pushModule.createPushModel({ name: 'Sender', plural: 'senders', ttlInSeconds: 1 })
  t.equal(Push.pluralModelName, 'senders')
  t.type(Push.notifyByQuery, 'function')
  t.type(pushModule.initialize, 'function')
})

t.test('PU-67, PU-61: the command', async t => {
  const dir = await folder(t, {
    'good.json': { web: { subject: 'mailto:a@b.example', publicKey: '', privateKey: '' } }, 'old.json': { gcm: { serverApiKey: 'hush' } }
  })
  const printed: string[] = []
  const terminal = {
    cwd: dir,
    env: {},
    isInteractive: false,
    print: (text: string) => { printed.push(text) },
    complain: (text: string) => { printed.push(text) }
  } as never
  t.equal(await main(['push', 'keys', '--json'], terminal), 0)
  const keys = JSON.parse(printed.join(''))
  t.match(keys, { publicKey: /^[\w-]{87}$/, privateKey: /^[\w-]{43}$/ })
  await writeFile(path.join(dir, 'good.json'), JSON.stringify({ web: { subject: 'mailto:a@b.example', ...keys } }))
  t.equal(await main(['push', 'settings', 'good.json'], terminal), 0)
  t.equal(await main(['push', 'settings', 'old.json'], terminal), 1)
  t.match(printed.join('\n'), /clientEmail/)
  t.notMatch(printed.join('\n'), /hush/)
  t.equal(await main(['push', 'other'], terminal), 2)
})
