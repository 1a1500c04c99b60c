import { once } from 'node:events'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import loopback from '@fastback/loopback'
import { boot } from '@fastback/loopback/boot'

/** The address of a server that gives requests to a handler. */
async function serving (t: Test, handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler).listen(0, '127.0.0.1')
  t.teardown(() => { server.close() })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ownModels = { localRegistry: true, loadBuiltinModels: true }
const status = async (url: string): Promise<number> => (await fetch(url)).status

t.test('applications share one registry, unless one asks for its own', async t => {
  const Widget = loopback.createModel('SharedWidget', { name: String })
  const [one, two, alone] = [loopback(), loopback(), loopback({ localRegistry: true })]
  t.equal(one.registry, loopback.registry)
  t.equal(one.registry.findModel('SharedWidget'), Widget)
  t.equal(one.loopback, loopback)
  t.not(alone.registry, loopback.registry)
  t.equal(alone.registry.findModel('SharedWidget'), undefined)
  t.equal(alone.registry.findModel('User'), undefined, 'built-in models are not loaded')
  t.equal(loopback(ownModels).registry.findModel('User')?.modelName, 'User')
  one.dataSource('db', { connector: 'memory' })
  two.dataSource('db', { connector: 'memory' })
  one.model(Widget, { dataSource: 'db' })
  t.equal(Widget.dataSource, one.dataSources.db, 'the name of a data source is the application\'s own')
  t.strictSame(two.models(), [])
  one.model(Widget, { public: true })
  t.equal(Widget.dataSource, one.dataSources.db, 'what is not said stays')
  one.use('/api', loopback.rest())
  two.use('/api', loopback.rest())
  t.equal(await status(`${await serving(t, one)}/api/SharedWidgets`), 200)
  t.equal(await status(`${await serving(t, two)}/api/SharedWidgets`), 404)
})

t.test('the module has what LoopBack\'s has', async t => {
  const names = Object.getOwnPropertyNames(loopback)
  for (const name of ['User', 'ACL', 'Router', 'static', 'rest', 'token', 'favicon', 'Memory', 'AccessContext', 'prototype']) {
    t.ok(names.includes(name), name)
  }
  t.type(loopback.Router(), 'function')
  t.type(loopback.getCurrentContext, 'function')
  t.throws(() => loopback.getCurrentContext(), { code: 'FBK_BOOT_REMOVED_FUNCTION' })
  Object.assign(loopback, { ofMyOwn: 1 })
  t.equal(loopback.ofMyOwn, 1)
  t.equal(loopback.Changes, undefined, 'a name that stands for nothing does not throw')
})

t.test('models and methods that come after the first request have routes', async t => {
  const app = loopback(ownModels)
  const db = app.dataSource('db', { connector: 'memory' })
  app.use(loopback.rest())
  const url = await serving(t, app)
  t.equal(await status(`${url}/Parts`), 404)
  const Part = app.registry.createModel('Part', { name: String })
  app.model(Part, { dataSource: db })
  t.equal(await status(`${url}/Parts`), 200)
  Part.hello = (done: (error: null, text: string) => void) => { done(null, 'hello') }
  Part.remoteMethod('hello', { returns: { arg: 'text', type: 'string' }, http: { verb: 'get' } })
  t.strictSame(await (await fetch(`${url}/Parts/hello`)).json(), { text: 'hello' })
  Part.disableRemoteMethodByName('hello')
  t.equal(await status(`${url}/Parts/hello`), 404)
  app.use('/late', (_req: unknown, res: http.ServerResponse) => { res.end('late') })
  app.deleteModelByName('Part')
  t.equal(await status(`${url}/Parts`), 404)
})

t.test('options of requests: what a model makes itself, over that of its base', async t => {
  const app = loopback(ownModels)
  const db = app.dataSource('db', { connector: 'memory' })
  app.use(loopback.rest())
  const Part = app.registry.createModel('Part', { name: String })
  const events: unknown[] = []
  ;(Part.on as (event: string, listen: (shared: unknown) => void) => void)('remoteMethodAdded', (shared: unknown) => { events.push(shared) })
  app.model(Part, { dataSource: db })
  Part.tenant = async (options: object) => options
  Part.remoteMethod('tenant', {
    accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' },
    returns: { arg: 'options', type: 'object', root: true },
    http: { verb: 'get' }
  })
  t.strictSame(events, [Part.sharedClass])
  t.equal(events[0], Part.sharedClass, 'one object for the life of a model')
  t.not(Part.sharedClass, Part.base?.sharedClass)
  t.equal(Part.super_, Part.base)
  Part.createOptionsFromRemotingContext = function (ctx: { req: http.IncomingMessage }) {
    const { base } = this as unknown as { base: { createOptionsFromRemotingContext (ctx: object): object } }
    return { ...base.createOptionsFromRemotingContext(ctx), tenant: ctx.req.headers['x-tenant'] }
  }
  const answer = await fetch(`${await serving(t, app)}/Parts/tenant`, { headers: { 'x-tenant': 'one' } })
  t.match(await answer.json(), { tenant: 'one', accessToken: null })
  const ofBase = Part.base?.createOptionsFromRemotingContext as (context: object) => object
  t.strictSame(ofBase({}), { accessToken: null }, 'no request, as over a socket')
})

t.test('the Fastify instance stays where code has it', async t => {
  const app = loopback(ownModels)
  const { fastify } = app
  t.teardown(async () => { await fastify.close() })
  app.use(loopback.rest())
  t.equal((await fastify.inject('/Parts')).statusCode, 404)
  app.model(app.registry.createModel('Part'), { dataSource: app.dataSource('db', { connector: 'memory' }) })
  t.equal((await fastify.inject('/Parts')).statusCode, 404)
  t.equal(app.fastify, fastify)
})

t.test('requests that nothing answers go on, with their error', async t => {
  const app = loopback(ownModels)
  app.use('/fails', () => { throw Object.assign(new Error('as asked'), { status: 418 }) })
  const outer: unknown[] = []
  const url = await serving(t, (req, res) => {
    app.handle(req, res, error => {
      outer.push((error as Error | undefined)?.message)
      res.end('outside')
    })
  })
  t.equal(await (await fetch(`${url}/nothing`)).text(), 'outside')
  t.equal(await (await fetch(`${url}/fails`)).text(), 'outside')
  t.strictSame(outer, [undefined, 'as asked'])
})

t.test('an application within an application', async t => {
  const [app, inner] = [loopback(ownModels), loopback(ownModels)]
  inner.get('/here', (req: { baseUrl: string }, res: http.ServerResponse) => { res.end(`inner ${req.baseUrl}`) })
  const mounted = once(inner, 'mount')
  app.use('/inner', inner)
  t.strictSame(await mounted, [app])
  t.equal(inner.parent, app)
  app.use((_req: unknown, res: http.ServerResponse) => { res.end('after') })
  const url = await serving(t, app)
  t.equal(await (await fetch(`${url}/inner/here`)).text(), 'inner /inner')
  t.equal(await (await fetch(`${url}/inner/nowhere`)).text(), 'after')
})

t.test('app.listen() has an address when it returns, and answers once the application is open', async t => {
  const app = loopback(ownModels)
  app.get('/', (_req: unknown, res: http.ServerResponse) => { res.end('root') })
  const called: unknown[] = []
  const server = app.listen(0, function (this: unknown) { called.push(this) })
  t.teardown(async () => { await app.fastify.close() })
  const bound = server.address() as AddressInfo
  t.ok(bound.port > 0)
  t.equal(await (await fetch(`http://127.0.0.1:${bound.port}/`)).text(), 'root')
  t.equal(app.get('port'), bound.port)
  t.equal(app.get('url'), `http://localhost:${bound.port}/`)
  t.strictSame(called, [server])
})

t.test('boot(app, options): lists in code stand in place of files', async t => {
  const root = t.testdir({
    'package.json': '{"type":"commonjs"}',
    models: { 'note.json': JSON.stringify({ name: 'Note', properties: { title: 'string' } }) },
    'first.js': 'module.exports = app => { app.locals.order = ["script"] }',
    more: { 'second.js': 'module.exports = app => { app.locals.order.push("folder") }' },
    boot: { 'third.js': 'module.exports = app => { app.locals.order.push("boot") }' }
  })
  const app = loopback({ localRegistry: true })
  await boot(app, {
    appRootDir: root,
    env: 'test',
    config: { restApiRoot: '/v1', answer: 42 },
    dataSources: { db: { connector: loopback.Memory } },
    models: { Note: { dataSource: 'db' }, User: { dataSource: 'db', public: false } },
    modelSources: ['./models', 'loopback/common/models'],
    bootScripts: ['./first.js'],
    bootDirs: ['./more'],
    middleware: { routes: { 'loopback#rest': { paths: ['/v1'] } } }
  })
  t.equal(app.get('answer'), 42)
  t.equal(app.get('env'), 'test')
  t.strictSame(app.models().map(({ modelName }) => modelName), ['Note', 'User'])
  t.equal(app.registry.findModel('ACL')?.modelName, 'ACL', 'built-in models are loaded by their folder')
  t.strictSame(app.locals.order, ['script', 'folder', 'boot'])
  t.equal(await status(`${await serving(t, app)}/v1/Notes`), 200)
})

t.test('files within LoopBack\'s packages', async t => {
  const dir = t.testdir({ node_modules: { loopback: t.fixture('symlink', path.resolve('packages/loopback')) } })
  const require = createRequire(path.join(dir, 'index.js'))
  const module = require('loopback') as typeof loopback
  const definition = require('loopback/common/models/user.json') as { name: string, properties: object }
  t.match(definition, { name: 'User', properties: { email: {} } })
  t.not(require('loopback/common/models/role.json'), definition)
  t.equal(require('loopback/lib/loopback'), module)
  t.equal(require('loopback/lib/models/user'), module.User)
  t.equal((require('loopback/lib/access-context.js') as { Principal: unknown }).Principal, module.Principal)
  t.equal(require('loopback/server/middleware/url-not-found'), module.urlNotFound)
  t.throws(() => require('loopback/lib/nothing'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
  const Customer = module.createModel('CustomerByFile')
  ;(require('loopback/common/models/user') as (Model: object) => void)(Customer)
  t.type(Customer.login, 'function')
})
