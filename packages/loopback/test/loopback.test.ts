// FASTBACK_TEST_FULL: starts applications as processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import loopback from '@fastback/loopback'
import { boot } from '@fastback/loopback/boot'
import { DataSource, ModelBuilder } from '@fastback/loopback/juggler'
import { folder } from './folder.js'

const cli = fileURLToPath(new URL('../../cli/bin/fastback.js', import.meta.url))
const packageFolder = fileURLToPath(new URL('..', import.meta.url))

interface Child {
  readonly out: () => string
  readonly err: () => string
  readonly exited: Promise<number | null>
  readonly kill: () => void
}

function run (t: Test, args: string[], { cwd, env = {} }: { cwd?: string, env?: Record<string, string> } = {}): Child {
  const child = spawn(process.execPath, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, NODE_ENV: 'development', ...env }
  })
  let out = ''
  let err = ''
  child.stdout.on('data', data => { out += data })
  child.stderr.on('data', data => { err += data })
  t.teardown(() => { child.kill('SIGKILL') })
  return {
    out: () => out,
    err: () => err,
    exited: once(child, 'exit').then(([code]) => code as number | null),
    kill: () => { child.kill('SIGTERM') }
  }
}

async function said (child: Child, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(child.out())
    if (found !== null) return found
    const ended = await Promise.race([child.exited, new Promise(resolve => { setTimeout(resolve, 25, 'runs') })])
    if (ended !== 'runs') throw new Error(`ended with ${String(ended)}: ${child.out()}${child.err()}`)
  }
}

/** Serves a folder; the address it says. */
async function served (t: Test, dir: string, ...more: string[]): Promise<{ child: Child, url: string }> {
  const child = run(t, [cli, 'serve', dir, '--port', '0', '--host', '127.0.0.1', ...more])
  const [, url = ''] = await said(child, /^Serving (http:\/\/[^/]+)/m)
  return { child, url }
}

const json = async (url: string, init?: RequestInit): Promise<unknown> => await (await fetch(url, init)).json()

t.test('an application without a folder', async t => {
  // Before the first application.
  const Widget = loopback.createModel('Widget', { name: String })
  const app = loopback()
  t.equal(app.registry.getModel('Widget'), Widget, 'what was made before the application is there')
  const db = new DataSource('db', { connector: 'memory' })
  t.ok(db instanceof DataSource)
  app.model(Widget, { dataSource: db })
  app.use('/things', loopback.rest())
  const server = app.listen(0, '127.0.0.1')
  t.teardown(async () => { await app.fastify.close() })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await json(`http://127.0.0.1:${port}/things/Widgets`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"x"}'
  })
  t.match(await json(`http://127.0.0.1:${port}/things/Widgets`), [{ name: 'x' }])
  const other = loopback()
  t.not(other, app)
  t.notOk(other.models.Widget, 'what one application has attached another one has not')
})

t.test('models are there when boot() returns, and rows of scripts before the first request', async t => {
  const app = loopback()
  const early: string[] = []
  app.use('/early', (_req: unknown, res: { end (text: string): void }) => { res.end('early') })
  const dir = folder(t, {
    // Longer than the opening takes, so that rows are not there by chance.
    'common/models/note.js': `module.exports = Note => {
      Note.observe('before save', () => new Promise(resolve => setTimeout(resolve, 700)))
    }`,
    'server/boot/rows.js': `module.exports = app => {
      app.models.Note.create({ title: 'one' }, () => { app.models.Note.create({ title: 'two' }, () => {}) })
    }`
  })
  const result = boot(app, path.join(dir, 'server'), () => { early.push('called back') })
  t.equal(result, undefined)
  t.ok(app.models.Note)
  t.strictSame(early, [], 'the callback comes in a later turn')
  t.equal(app.booting, true)
  app.on('booted', () => { early.push('booted') })
  app.use('/late', (_req: unknown, res: { end (text: string): void }) => { res.end('late') })
  const server = http.createServer(app)
  server.listen(0, '127.0.0.1')
  t.teardown(() => { server.close() })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.match(await json(`${url}/api/Notes`), [{ title: 'one' }, { title: 'two' }])
  t.equal(await (await fetch(`${url}/early`)).text(), 'early')
  t.equal(await (await fetch(`${url}/late`)).text(), 'late')
  t.strictSame(early, ['booted', 'called back'])
  t.equal(app.booting, false)
  t.equal((await fetch(`${url}/nothing`)).status, 404)
})

t.test('a builder of models without a data source', async t => {
  const builder = new ModelBuilder()
  const Point = builder.define('Point', { x: Number })
  t.equal(new Point({ x: '3' }).x, 3)
  t.equal(builder.getModel('Point'), Point)
})

t.test('boot() again, with more scripts: what is there once stays', async t => {
  const app = loopback()
  const dir = folder(t, { 'server/later.js': "module.exports = app => { app.set('later', true) }" })
  boot(app, path.join(dir, 'server'), () => {})
  boot(app, { appRootDir: path.join(dir, 'server'), bootScripts: ['./later.js'] }, () => {})
  const server = app.listen(0, '127.0.0.1')
  t.teardown(async () => { await app.fastify.close() })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/Notes`
  const answer = await fetch(url, { headers: { origin: 'https://app.example' } })
  t.strictSame(await answer.json(), [])
  t.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example')
  t.equal((await fetch(url, {
    method: 'OPTIONS', headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  })).status, 204)
  t.equal(app.get('later'), true)
})

t.test('code that goes through all models finds LoopBack\'s own first', async t => {
  const app = loopback({ localRegistry: true, loadBuiltinModels: true })
  const dir = folder(t, {
    'server/model-config.json': Object.fromEntries(
      ['Note', 'ACL', 'RoleMapping', 'Role', 'AccessToken', 'User'].map(name => [name, { dataSource: 'db', public: name === 'Note' }])
    )
  })
  boot(app, path.join(dir, 'server'), () => {})
  const names = Object.keys(app.dataSources.db?.modelBuilder.models ?? {})
  t.strictSame(
    names.filter(name => !['Model', 'PersistedModel'].includes(name)),
    ['KeyValueModel', 'AccessToken', 'User', 'RoleMapping', 'Role', 'ACL', 'Note']
  )
})

t.test('what boot() cannot do is told to the callback, thrown, or given by the promise', async t => {
  t.throws(() => boot({} as never, '.'), { code: 'FBK_LOOPBACK_NOT_AN_APPLICATION' })
  t.throws(() => boot(loopback(), {}), { code: 'FBK_LOOPBACK_BOOT_FOLDER' })
  const wrong = folder(t, { 'server/config.json': '{' })
  t.throws(() => boot(loopback(), wrong), { code: 'FBK_BOOT_INVALID_JSON' })
  const told = await new Promise(resolve => { boot(loopback(), wrong, resolve) })
  t.match(told, { code: 'FBK_BOOT_INVALID_JSON' })
  const late = folder(t, { 'server/boot/fail.js': 'module.exports = async () => { throw new Error("no") }' })
  await t.rejects(boot(loopback(), late) as Promise<void>, { code: 'FBK_BOOT_SCRIPT' })
})

t.test('the folder\'s own server runs, and LoopBack\'s names lead to the running application', async t => {
  const dir = folder(t, {
    'server/server.js': `'use strict'
      const loopback = require('loopback')
      const boot = require('loopback-boot')
      const app = module.exports = loopback()
      app.middleware('initial', (req, res, next) => { res.setHeader('x-own', process.cwd()); next() })
      app.start = () => app.listen(() => { console.log('own server at ' + app.get('url')) })
      boot(app, __dirname, err => { if (err) throw err; if (require.main === module) app.start() })`,
    'common/models/note.js': `const app = require('../../server/server')
      const loopback = require('loopback')
      const { DataSource } = require('loopback-datasource-juggler')
      module.exports = Note => {
        Note.where = async () => ({ same: loopback.getModel('Note') === Note, models: typeof app.models, of: typeof DataSource })
        Note.remoteMethod('where', { returns: { arg: 'x', root: true }, http: { verb: 'get' } })
      }`,
    'node_modules/stamp-mixin/index.js': `module.exports = (Model, options) => {
      Model.stamped = require('loopback').getModel('Note') !== undefined
    }`,
    'server/boot/z.js': "module.exports = app => { require('stamp-mixin')(app.models.Note, {}) }"
  })
  const { child, url } = await served(t, dir)
  t.match(child.out(), /own server at http/)
  await said(child, /"loopback", "loopback-boot" and "loopback-datasource-juggler" stand for Fastback/)
  t.match(await json(`${url}/api/Notes/where`), { same: true, models: 'function', of: 'function' })
  t.equal((await fetch(`${url}/api/Notes`)).headers.get('x-own'), dir, 'the working directory is the folder\'s')
  t.equal((await fetch(`${url}/explorer/openapi.json`)).status, 200)
  child.kill()
  t.equal(await child.exited, 0)
  t.equal(child.err(), '')
})

t.test('servers of many kinds', async t => {
  const head = `const app = module.exports = require('loopback')()
    const done = err => { if (err) throw err }\n`
  const kinds = {
    'a port of its own': "require('loopback-boot')(app, __dirname, err => { done(err); app.listen(1) })",
    'an HTTP server of its own': `require('loopback-boot')(app, __dirname, err => {
      done(err)
      require('http').createServer(app).listen(app.get('port'), '127.0.0.1', function () {
        console.log('Serving http://127.0.0.1:' + this.address().port)
      })
    })`,
    'something attached to the server': `app.start = () => {
        const server = app.listen()
        server.on('request', (req) => { console.log('seen ' + req.url) })
        return server
      }
      require('loopback-boot')(app, __dirname, err => { done(err); if (require.main === module) app.start() })`,
    'nobody who listens': "require('loopback-boot')(app, __dirname)",
    'an application that is made and booted in later turns': `setTimeout(() => {
      const app = require('loopback')()
      setTimeout(() => { require('loopback-boot')(app, __dirname, err => { done(err); app.listen() }) }, 50)
    }, 50)`
  }
  for (const [kind, code] of Object.entries(kinds)) {
    const start = code.startsWith('setTimeout') ? head.slice(head.indexOf('const done')) : head
    const { child, url } = await served(t, folder(t, { 'server/server.js': start + code }))
    t.match(await json(`${url}/api/Notes`), [], kind)
    if (kind.startsWith('something')) await said(child, /seen \/api\/Notes/)
    child.kill()
    t.equal(await child.exited, 0, kind)
  }
})

t.test('a folder without a server of its own has LoopBack\'s names, too', async t => {
  const dir = folder(t, {
    'server/boot/parse.js': "module.exports = app => { app.use('/echo', require('body-parser').json(), (req, res) => res.json(req.body)) }",
    'server/boot/say.js': "module.exports = app => { console.log('same ' + (require('loopback').getModel('Note') === app.models.Note)) }"
  })
  const { unlinkSync } = await import('node:fs')
  unlinkSync(path.join(dir, 'server/server.js'))
  const { child, url } = await served(t, dir)
  t.match(child.out(), /same true/)
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
  t.strictSame(await json(`${url}/echo`, posted), { a: 1 }, 'packages that LoopBack brought along are there')
  t.match(await json(`${url}/api/Notes`), [])
  child.kill()
  t.equal(await child.exited, 0)
})

t.test('a server of its own that cannot start ends with its reason', async t => {
  const broken = run(t, [cli, 'serve', folder(t, { 'server/boot/fail.js': 'module.exports = () => { throw new Error("not today") }' })])
  t.equal(await broken.exited, 1)
  t.match(broken.err(), /server\/boot\/fail\.js:1:\d+: not today/)
  const masked = run(t, [cli, 'serve', folder(t, {
    'server/datasources.json': '{',
    'server/server.js': `const app = require('loopback')()
      require('loopback-boot')(app, __dirname, () => {})
      app.models.Note.find()`
  })])
  t.equal(await masked.exited, 1)
  t.match(masked.err(), /FBK_BOOT_INVALID_JSON/, 'what code meets after a failed boot() is not the reason')
  t.notMatch(masked.err(), /TypeError/)
  const idle = run(t, [cli, 'serve', folder(t, { 'server/server.js': "const none = () => require('loopback')" })])
  t.equal(await idle.exited, 1)
  t.match(idle.err(), /FBK_LOOPBACK_NOT_STARTED.*server\/server\.js/)
})

t.test('node server/server.js with this package in the place of LoopBack\'s', async t => {
  for (const [title, server] of [
    ['loopback first', undefined],
    ['boot first, with both names', `const boot = require('loopback-boot')\nconst loopback = require('loopback')
      const app = module.exports = loopback()
      boot(app, __dirname, err => { if (err) throw err; app.listen(() => console.log('own server at ' + app.get('url'))) })`]
  ] as const) {
    const alias = { 'node_modules/loopback': t.fixture('symlink', packageFolder) }
    const both = { 'node_modules/loopback-boot': t.fixture('symlink', packageFolder), 'server/server.js': server }
    const dir = folder(t, { ...alias, ...(server === undefined ? {} : both) })
    const child = run(t, ['server/server.js'], { cwd: dir })
    const [, url] = await said(child, /own server at (\S+)\//)
    t.match(await json(`${url}/api/Notes`), [], title)
    child.kill()
  }
  const foreign = { 'node_modules/loopback': t.fixture('symlink', packageFolder), 'node_modules/loopback-boot/index.js': '' }
  const mixed = run(t, ['server/server.js'], {
    cwd: folder(t, { ...foreign, 'server/server.js': "require('loopback-boot')\nrequire('loopback')()" })
  })
  t.equal(await mixed.exited, 1)
  t.match(mixed.err(), /FBK_LOOPBACK_SECOND_BOOT/)
})

t.test('ES modules: a server file, its models and boot scripts', async t => {
  const server = `import { createRequire } from 'node:module'
    import { dirname } from 'node:path'
    import { fileURLToPath, pathToFileURL } from 'node:url'
    import loopback, { DataSource } from 'loopback'
    import boot from 'loopback-boot'
    const app = loopback()
    export default app
    app.middleware('initial', (req, res, next) => { res.setHeader('x-own', typeof DataSource); next() })
    console.log('same ' + (createRequire(import.meta.url)('loopback') === loopback))
    boot(app, dirname(fileURLToPath(import.meta.url)), err => {
      if (err) throw err
      const isMain = import.meta.url === pathToFileURL(process.argv[1]).href
      if (isMain) app.listen(() => console.log('own server at ' + app.get('url')))
    })`
  const files = {
    'package.json': '{ "name": "shop", "type": "module", "main": "server/server.js" }',
    'server/server.js': server,
    'common/models/note.js': 'export default Note => { Note.observe("before save", async () => {}) }'
  }
  const alias = t.fixture('symlink', packageFolder)
  const aliased = { 'node_modules/loopback': alias, 'node_modules/loopback-boot': alias }
  const mixed = {
    'server/boot/say.js': `import loopback from 'loopback'
      import juggler, { GeoPoint } from 'loopback-datasource-juggler'
      export default app => { console.log('script ' + (app.loopback === loopback && juggler.GeoPoint === GeoPoint)) }`
  }
  const plain = { 'package.json': { name: 'shop' }, 'server/server.js': '', 'server/server.mjs': server }
  const asCommonJs = { 'common/models/note.js': "module.exports = () => { require('loopback-datasource-juggler') }" }
  for (const [kind, own, more] of [
    ['in a package of ES modules', mixed, /script true/],
    ['server.mjs beside CommonJS', { ...plain, ...asCommonJs }, undefined],
    ['node server/server.js with this package in the place of LoopBack\'s', aliased, undefined]
  ] as const) {
    // Each has a folder of its own.
    await t.test(kind, async t => {
      const dir = folder(t, { ...files, ...own })
      const child = run(t, own === aliased ? ['server/server.js'] : [cli, 'serve', dir, '--port', '0'], { cwd: dir })
      const [, url = ''] = await said(child, /own server at (\S+)\//)
      const answer = await fetch(`${url}/api/Notes`)
      t.strictSame([answer.headers.get('x-own'), await answer.json()], ['function', []])
      t.match(child.out(), /same true/)
      if (more !== undefined) t.match(child.out(), more)
      if (own !== aliased) await said(child, /"loopback".*stand for Fastback/)
    })
  }
})
