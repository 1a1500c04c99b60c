// FASTBACK_TEST_FULL: folders of every kind are started.
/** Whole application folders, through their HTTP interface. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import boot, { createServer, type BootExtension, type Server, type ServerOptions } from '../src/index.js'

const apps = fileURLToPath(new URL('../../../test-fixtures/apps', import.meta.url))
const full = path.join(apps, 'boot-full')
const plain = path.join(apps, 'boot-plain')

async function serve (test: Test, dir: string, options: ServerOptions = {}): Promise<Server> {
  const server = await createServer(dir, { env: 'test', log: false, ...options })
  test.teardown(async () => { await server.stop() })
  return server
}

type Files = Record<string, unknown>

/** A folder with one model, a route to it, and what a test adds. */
function folderOf (test: Test, files: Files = {}): string {
  const root = test.testdir({})
  const all: Files = {
    'package.json': { type: 'commonjs' },
    'server/config.json': { port: 0, host: '127.0.0.1' },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/model-config.json': { Note: { dataSource: 'db' } },
    'common/models/note.json': { name: 'Note', properties: { title: 'string' } },
    ...files
  }
  for (const [name, content] of Object.entries(all)) {
    if (content === null) continue
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return root
}

t.test('a whole folder in LoopBack\'s layout', async t => {
  const { fastify, app } = await serve(t, full, { env: 'staging' })
  const get = async (url: string, headers = {}) => await fastify.inject({ url, headers })

  t.test('models, mixins, scripts and data sources', async t => {
    t.strictSame((await get('/api/Notes')).json(), [
      { id: 1, title: 'one', writerId: 1, stampedBy: 'mixin' },
      { id: 2, title: 'two', stampedBy: 'mixin' }
    ])
    t.strictSame(
      (await get('/api/Authors/1/notes')).json(),
      [{ id: 1, title: 'one', writerId: 1, stampedBy: 'mixin' }],
      'model-config changes relations'
    )
    t.strictSame((await get('/api/Notes/shout')).json(), { text: 'GOOD EVENING' }, 'and adds methods')
    t.strictSame(
      (await get('/api/Clocks/now')).json(),
      { now: '1970-01-01T00:00:00.000Z' },
      'a script may be an ES module'
    )
    t.equal((await get('/api/AuditLogs')).statusCode, 404, 'not published')
    t.equal(
      (await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'x', unknown: 1 } })).statusCode,
      422,
      'options of model-config override settings'
    )
    t.strictSame(
      (app.models.Note?.settings as { acls: unknown }).acls,
      [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property: 'create' }],
      'an access rule for the same principal and method takes the place of the first'
    )
    t.equal(
      (app.dataSources['my-store']?.connector as unknown as { created: number }).created,
      1,
      'a connector of the folder'
    )
    t.equal(app.dataSources.myStore, app.dataSources['my-store'])
    t.equal(app.dataSources.MyStore, app.datasources['my-store'])
    t.strictSame(app.models().map(Model => Model.modelName), ['Note', 'Author', 'AuditLog', 'Clock'])
    t.equal(app.models.Note?.app, app)
    t.equal(app.get('attachedWith'), 'good evening', 'models tell when they are attached')
  })

  t.test('settings', async t => {
    t.equal(app.get('greeting'), 'good evening')
    t.strictSame(app.get('audience'), { name: 'moon', size: 4 })
    t.equal(app.get('env'), 'staging')
    t.ok(app.get('staged'), 'boot scripts of the environment')
  })

  t.test('middleware, natively and on Express', async t => {
    const notes = await get('/api/Notes')
    t.match(notes.headers, {
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=0; includeSubDomains',
      'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
      'x-trace': 'initial',
      'x-remote': 'Note.find',
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-credentials': 'true'
    })
    t.notOk('surrogate-control' in (await get('/health')).headers, 'bound to a path')
    t.match(
      await fastify.inject({
        method: 'OPTIONS',
        url: '/api/Notes',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
      }),
      {
        statusCode: 204,
        headers: { 'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE', 'access-control-max-age': '86400' }
      }
    )
    for (const url of ['/', '/health', '/health/deep']) {
      t.match((await get(url)).json(), { started: String, uptime: Number })
    }
    t.equal((await fastify.inject({ method: 'POST', url: '/health' })).statusCode, 200)
    t.match(await get('/favicon.ico'), {
      statusCode: 200,
      headers: { 'content-type': 'image/x-icon', 'cache-control': 'public, max-age=31536000' }
    })
    t.match(
      await get('/native'),
      { statusCode: 200, headers: { 'x-native': 'yes', 'x-trace': 'initial' } },
      'a Fastify plugin'
    )
    t.strictSame((await get('/deep/x')).json(), { deep: '/x' }, 'name#fragment as a file of a package')
    t.equal((await get('/deep/x')).headers['x-tools'], 'tag in files', 'name#fragment as an export of a package')
    const page = await fastify.inject({
      method: 'POST',
      url: '/pages',
      payload: { a: 1 },
      headers: { cookie: 'plain=1; signed=s%3Atext.wrong' }
    })
    t.strictSame(page.json(), { body: { a: 1 }, cookies: { plain: '1' }, signed: { signed: false } })
    t.equal(page.headers['x-trace'], 'initial,mine', 'methods')
    const signed = encodeURIComponent(`s:${fastify.signCookie('text')}`)
    t.strictSame(
      (
        await fastify.inject({ method: 'POST', url: '/pages', payload: {}, headers: { cookie: `signed=${signed}` } })
      ).json().signed,
      { signed: 'text' }
    )
  })

  t.test('files', async t => {
    t.match(await get('/static/'), {
      statusCode: 200,
      body: /client/,
      headers: { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'public, max-age=1' }
    })
    t.match(await get('/static'), { statusCode: 301, headers: { location: '/static/' } })
    t.match(await get('/static/docs'), { statusCode: 301, headers: { location: '/static/docs/' } })
    t.match(await get('/static/docs/'), { statusCode: 200, body: /docs/ })
    t.match(await get('/STATIC/style.css', { 'accept-encoding': 'gzip' }), {
      statusCode: 200,
      headers: { 'content-encoding': 'gzip' }
    })
    t.notOk('content-encoding' in (await get('/api/Notes', { 'accept-encoding': 'gzip' })).headers)
    t.match((await get('/static/none.css')).json(), {
      error: { statusCode: 404, message: 'Cannot GET /static/none.css' }
    })
    t.match((await fastify.inject({ method: 'POST', url: '/static/style.css' })).json(), {
      error: { message: 'Cannot POST /static/style.css' }
    })
    for (const url of [
      '/static/..%2fpackage.json',
      '/static/%2e%2e%2fserver%2fconfig.json',
      '/static/.%00',
      '/static/%zz',
      '/static/..%5cpackage.json'
    ]) { t.ok((await get(url)).statusCode >= 400, url) }
  })

  t.test('errors', async t => {
    t.strictSame((await get('/api/Notes/fail')).json(), {
      error: { statusCode: 409, name: 'Error', message: 'as asked', code: 'ASKED', hint: 'safe' }
    })
    t.match(await get('/broken'), { statusCode: 500, headers: { 'x-request-id': String } })
    t.strictSame((await get('/broken')).json(), { error: { statusCode: 500, message: 'Internal Server Error' } })
    t.match((await get('/api/Nope')).json(), {
      error: { statusCode: 404, message: 'There is no method to handle GET /Nope' }
    })
    t.match((await get('/nope?x=1')).json(), { error: { statusCode: 404, message: 'Cannot GET /nope?x=1' } })
    t.match(
      (
        await fastify.inject({
          method: 'POST',
          url: '/nope',
          payload: '{broken',
          headers: { 'content-type': 'application/json' }
        })
      ).json(),
      { error: { statusCode: 404 } }
    )
    t.match((await get('/page/%zz')).json(), { error: { statusCode: 400 } })
  })

  t.test('requests that methods read themselves, routers and components', async t => {
    const upload = await fastify.inject({
      method: 'POST',
      url: '/api/Notes/upload',
      payload: Buffer.alloc(200_000),
      headers: { 'content-type': 'application/octet-stream' }
    })
    t.strictSame(upload.json(), { size: 200_000, type: 'application/octet-stream' })
    t.match(await get('/page/x'), {
      body: '<p>x</p>',
      headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' }
    })
    t.strictSame((await get('/shout')).json(), {
      text: 'GOOD EVENING',
      componentsSee: ['AuditLog', 'Author', 'Clock', 'Note']
    })
  })
})

/**
 * An Express-style function and a Fastify plugin that leave a word in the header x-trace, which stands for the order in
 * which they ran.
 */
const tracing: Files = {
  'server/stamp.js':
    'module.exports = word => (req, res, next) => { res.setHeader("x-trace", [res.getHeader("x-trace") ?? []].flat().concat(word)); next() }',
  'server/plug.js': `module.exports = async (fastify, { word, answers }) => { fastify.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('x-trace', [reply.raw.getHeader('x-trace') ?? []].flat().concat(word))
    if (request.url === answers) return reply.send({ answered: word })
  }) }`
}
const traceOf = (response: { headers: Record<string, unknown> }): string[] =>
  [response.headers['x-trace'] ?? []].flat() as string[]

t.test(
  'middleware.json: Express functions and Fastify plugins in every phase and sub-phase, in whatever order the parts of a phase are written',
  async t => {
    const names = ['initial', 'session', 'auth', 'parse', 'mine', 'routes', 'files', 'final']
    const phases = names.flatMap(phase => [`${phase}:before`, phase, `${phase}:after`])
    const written = names.flatMap(phase => [`${phase}:after`, phase, `${phase}:before`])
    const { fastify } = await serve(
      t,
      folderOf(t, {
        ...tracing,
        'server/middleware.json': Object.fromEntries(
          written.map(phase => [
            phase,
            {
              './stamp': { params: `function ${phase}` },
              './plug': { params: { word: `plugin ${phase}`, answers: '/answered' } },
              ...(phase === 'routes' ? { 'fastback#rest': { paths: ['/api'] } } : {})
            }
          ])
        )
      })
    )
    const both = (some: string[]): string[] => some.flatMap(phase => [`function ${phase}`, `plugin ${phase}`])
    t.strictSame(traceOf(await fastify.inject('/nothing')), both(phases))
    t.strictSame(
      traceOf(await fastify.inject('/api/Notes')),
      both(phases.slice(0, phases.indexOf('routes') + 1)),
      'what stands behind the routes runs for what they do not answer'
    )
    t.strictSame(traceOf(await fastify.inject('/answered')), both(phases.slice(0, 1)), 'a plugin answers')
  }
)

t.test(
  'middleware.json: Fastify plugins behind functions that act on some paths, switched off, missing and on methods',
  async t => {
    const { fastify } = await serve(
      t,
      folderOf(t, {
        ...tracing,
        'server/middleware.json': {
          'initial:before': {
            './stamp': [
              { params: 'pages', paths: ['/pages'] },
              { params: 'off', enabled: false }
            ]
          },
          initial: {
            cors: { params: { origin: 'https://app.example', maxAge: 60 } },
            './plug': [
              { params: { word: 'all' } },
              { params: { word: 'posts' }, methods: ['post'] },
              { params: { word: 'notes' }, paths: ['/api/Notes'] },
              { params: { word: 'off' }, enabled: false }
            ],
            'no-such-package': { optional: true },
            'no-such-package#part': { optional: true }
          },
          auth: { 'fastback#token': {} },
          routes: { 'loopback#rest': { paths: ['/api'] } },
          final: { './stamp': { params: 'final' }, 'fastback#urlNotFound': {} }
        }
      })
    )
    const send = async (method: 'GET' | 'POST' | 'OPTIONS', url: string) =>
      await fastify.inject({ method, url, headers: { origin: 'https://app.example' } })
    t.strictSame(traceOf(await send('GET', '/pages/x')), ['pages', 'all', 'final'])
    t.strictSame(traceOf(await send('POST', '/pages')), ['pages', 'all', 'posts', 'final'])
    t.strictSame(traceOf(await send('GET', '/api/Notes')), ['all', 'notes'])
    t.strictSame(traceOf(await send('GET', '/elsewhere')), ['all', 'final'])
    for (const url of ['/pages/x', '/api/Notes', '/elsewhere']) {
      t.equal((await send('GET', url)).headers['access-control-allow-origin'], 'https://app.example', url)
      const preflight = await send('OPTIONS', url)
      t.match(preflight, { statusCode: 204, headers: { 'access-control-max-age': '60' } }, `preflight of ${url}`)
      t.strictSame(traceOf(preflight), url.startsWith('/pages') ? ['pages'] : [], 'which the plugin answers')
    }
  }
)

t.test('a folder without middleware, boot scripts and server folder', async t => {
  const { fastify, app, start } = await serve(t, plain)
  t.strictSame((await fastify.inject({ method: 'POST', url: '/v1/notes', payload: { title: 'x' } })).json(), {
    id: 1,
    title: 'x'
  })
  t.match((await fastify.inject('/v1/none')).json(), { error: { message: 'There is no method to handle GET /none' } })
  t.match((await fastify.inject('/none')).json(), { error: { message: 'Cannot GET /none' } })
  t.equal((await fastify.inject('/explorer/')).statusCode, 200)
  t.match(
    (await fastify.inject('/explorer/openapi.json')).json().info,
    { title: 'plain', version: '2.1.0' },
    'package.json names the API'
  )
  t.ok((await fastify.inject('/v1/Notes')).headers['x-content-type-options'], 'nosniff')
  t.notOk(
    'access-control-allow-origin' in
      (await fastify.inject({ url: '/v1/Notes', headers: { origin: 'https://x.example' } })).headers,
    'no CORS unless it is configured'
  )
  const started = once(app, 'started')
  const address = await start()
  await started
  t.equal(await start(), address)
  t.equal(app.get('url'), `${address}/`)
  t.equal(app.get('port'), Number(new URL(address).port))
  t.equal((await fetch(`${address}/V1/NOTES/`)).status, 200)
  t.equal(
    (await serve(t, plain, { env: 'production' })).fastify.hasRoute({ method: 'GET', url: '/explorer/' }),
    false,
    'no explorer in production'
  )
})

t.test('Express is loaded for folders that use it only', async t => {
  const loads = async (dir: string): Promise<boolean> => {
    const script = `
      import { createServer } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
      import { createRequire } from 'node:module'
      const server = await createServer(${JSON.stringify(dir)}, { env: 'test', log: false })
      await server.fastify.inject('/v1/Notes')
      console.log(Object.keys(createRequire(import.meta.url).cache).some(file => /node_modules.express./.test(file)))
      await server.stop()`
    return await new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        ['--input-type=module', '-e', script],
        { env: { PATH: process.env.PATH } },
        (error, stdout) => {
          if (error !== null) reject(error)
          else resolve(stdout.trim() === 'true')
        }
      )
    })
  }
  t.strictSame([await loads(plain), await loads(full)], [false, true])
})

t.test('data sources from outside, tables before boot scripts, models made in boot scripts', async t => {
  const dir = folderOf(t, {
    'server/boot/seed.js': `module.exports = async function (app) {
      await app.models.Note.create([{ title: 'a' }, { title: 'b' }])
      const Late = app.registry.createModel('Late', { word: String }, { plural: 'latecomers' })
      app.model(Late, { dataSource: 'db', public: true })
      const Memory = app.loopback.createModel({ name: 'InMemory', properties: { word: 'string' } })
      Memory.attachTo(app.loopback.memory())
      await Memory.create({ word: 'x' })
      app.set('inMemory', await Memory.count())
    }`
  })
  const { fastify, app } = await serve(t, dir, {
    dataSources: { db: { connector: 'sql', url: 'sqlite::memory:', migrate: 'reset' } }
  })
  t.strictSame((await fastify.inject('/api/Notes?filter={"where":{"title":{"like":"a%25"}}}')).json(), [
    { id: 1, title: 'a' }
  ])
  t.equal(app.dataSources.db?.connector.name, 'sql')
  t.strictSame((await fastify.inject({ method: 'POST', url: '/api/latecomers', payload: { word: 'late' } })).json(), {
    id: 1,
    word: 'late'
  })
  t.equal(app.get('inMemory'), 1)
})

t.test('REST mounted by a boot script', async t => {
  const dir = folderOf(t, {
    'server/middleware.json': { 'routes:after': {}, final: { 'loopback#urlNotFound': {} } },
    'server/boot/rest.js':
      "module.exports = app => { app.use('/before', (req, res) => res.send('before')); app.use('/v2', app.loopback.rest()); app.use('/v2', (req, res) => res.send('after')) }"
  })
  const { fastify } = await serve(t, dir)
  t.strictSame((await fastify.inject('/v2/Notes')).json(), [])
  t.equal((await fastify.inject('/api/Notes')).statusCode, 404)
  t.equal((await fastify.inject('/before/x')).body, 'before')
  t.match((await fastify.inject('/v2/none')).json(), { error: { message: 'There is no method to handle GET /none' } })
  const without = await serve(t, folderOf(t, { 'server/middleware.json': { final: { 'loopback#urlNotFound': {} } } }))
  t.equal((await without.fastify.inject('/api/Notes')).statusCode, 404, 'no REST where the folder mounts none')
})

/** Used when it is reachable; one that is asked for must be. */
const askedRedis = process.env.FASTBACK_TEST_REDIS
const redisUrl = askedRedis ?? 'redis://127.0.0.1:6379'
const redisAnswers = async (): Promise<boolean> => await new Promise(resolve => {
  const { hostname, port } = new URL(redisUrl)
  const socket = connect({ host: hostname, port: Number(port === '' ? 6379 : port) })
  socket.once('connect', () => { socket.destroy(); resolve(true) }).once('error', () => { resolve(false) })
})

for (const connector of [
  'memory',
  'loopback-connector-memory',
  'kv-memory',
  'redis',
  'kv-redis',
  'loopback-connector-kv-redis'
]) {
  const redis = connector.includes('redis')
  t.test(
    `values by key in a folder: "connector": "${connector}"`,
    { skip: redis && askedRedis === undefined && !(await redisAnswers()) ? 'no Redis server' : false },
    async t => {
      const { fastify, app } = await serve(
        t,
        folderOf(t, {
          'server/datasources.json': {
            db: { connector: 'memory' },
            kv: { connector, ...(redis ? { url: redisUrl, prefix: `fastback-boot-${process.pid}-` } : {}) }
          },
          'server/model-config.json': { Note: { dataSource: 'db' }, Session: { dataSource: 'kv', public: true } },
          'common/models/session.json': { name: 'Session', base: 'KeyValueModel' }
        })
      )
      const Session = app.models.Session as unknown as {
        get(key: string): Promise<unknown>
        deleteAll(): Promise<void>
      }
      t.teardown(async () => {
        await Session.deleteAll()
      })
      t.equal(
        (await fastify.inject({ method: 'PUT', url: '/api/Sessions/s1?ttl=60000', payload: { user: 7 } })).statusCode,
        204
      )
      t.strictSame((await fastify.inject('/api/Sessions/s1')).json(), { user: 7 })
      t.ok((await fastify.inject('/api/Sessions/s1/ttl')).json() > 1000)
      t.strictSame((await fastify.inject('/api/Sessions/keys')).json(), ['s1'])
      t.strictSame(await Session.get('s1'), { user: 7 })
    }
  )
}

t.test('rows of no store in a folder: "connector": "transient"', async t => {
  const { fastify } = await serve(t, folderOf(t, { 'server/datasources.json': { db: { connector: 'transient' } } }))
  t.match((await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'x' } })).json(), {
    title: 'x',
    id: /^[0-9a-f]{24}$/
  })
  t.strictSame((await fastify.inject('/api/Notes')).json(), [])
})

t.test('the application object', async t => {
  const { app, fastify } = await serve(
    t,
    folderOf(t, {
      'server/boot/late.js':
        'module.exports = app => { app.locals.booting = app.booting; app.on("booted", () => { app.locals.booted = true }) }'
    })
  )
  t.strictSame({ ...app.locals }, { booting: true, booted: true })
  t.equal(app.booting, false)
  t.equal(app.set('x', 1), app)
  t.equal(app.get('x'), 1)
  t.equal(app.get('never set'), undefined)
  t.ok(app.enable('on').enabled('on'))
  t.ok(app.disable('on').disabled('on'))
  t.equal(app.settings.x, 1)
  t.equal(app.get('subdomain offset'), 2, 'settings of Express have its defaults')
  t.type(app.get('etag fn'), 'function')
  t.equal(app.set('json spaces', 2).get('json spaces'), 2)
  const { Note } = app.models
  t.equal(app.loopback.getModel('Note'), Note)
  t.equal(app.loopback.findModel('None'), undefined)
  t.throws(() => app.loopback.getModel('Nte'), { code: 'FBK_CORE_UNKNOWN_MODEL', message: /Did you mean "Note"/ })
  t.equal(app.registry.getModelByType('Note'), Note)
  t.equal(app.registry.modelBuilder.models.Note, Note)
  t.strictSame(Object.keys(app.remoteObjects()), ['Note'])
  t.strictSame(app.remotes().classes().map(({ name }) => name), ['Note'])
  t.ok(app.remotes().methods().some(method => method.name === 'find'))
  t.equal(app.remotes(), app.remotes())
  t.throws(() => app.model('Note' as never), { code: 'FBK_BOOT_REMOVED_FUNCTION' })
  t.throws(() => app.boot(), { code: 'FBK_BOOT_REMOVED_FUNCTION' })
  t.throws(() => app.use('/late', () => {}), { code: 'FBK_BOOT_TOO_LATE' })
  t.throws(() => app.get('/late', () => {}), { code: 'FBK_BOOT_TOO_LATE' })
  const removed = [
    'compress',
    'cookieParser',
    'cookieSession',
    'csrf',
    'directory',
    'logger',
    'methodOverride',
    'responseTime',
    'session',
    'timeout',
    'vhost'
  ]
  for (const name of removed) {
    t.throws(() => (app.loopback as unknown as Record<string, unknown>)[name], {
      code: 'FBK_BOOT_REMOVED_PROPERTY',
      message: new RegExp(`loopback\\.${name} .*Use .*middleware`)
    })
  }
  for (const name of ['context', 'getCurrentContext', 'errorHandler'] as const) {
    t.throws(() => (app.loopback as unknown as Record<string, () => void>)[name]?.(), {
      code: 'FBK_BOOT_REMOVED_FUNCTION'
    })
  }
  app.deleteModelByName('Note')
  t.equal(app.models.Note, undefined)
  t.strictSame(app.models(), [])
  app.connector('mine', () => { throw new Error('made') })
  t.throws(() => app.dataSource('other', { connector: 'mine' }), /made/)
  t.equal(app.fastify, fastify)
  const listening = once(app, 'started')
  app.listen()
  await listening
  t.ok(fastify.server.listening)
})

t.test('what is wrong in a folder is said in one message, with file and key', async t => {
  const cases: Array<[string, Files, string, ...string[]]> = [
    [
      'invalid JSON',
      { 'common/models/note.json': '{\n  "name": "Note",\n  "properties": {\n}' },
      'FBK_BOOT_INVALID_JSON',
      'common/models/note.json, line 4'
    ],
    [
      'unknown connector',
      { 'server/datasources.json': { db: { connector: 'memroy' } } },
      'FBK_CORE_UNKNOWN_CONNECTOR',
      'server/datasources.json',
      '"db"',
      'memroy',
      'Did you mean "memory"'
    ],
    [
      'a connector that is misspelt, and that no data source has loaded yet',
      { 'server/datasources.json': { db: { connector: 'postgress' } } },
      'FBK_CORE_UNKNOWN_CONNECTOR',
      'server/datasources.json',
      'Did you mean "postgres"'
    ],
    [
      'a connector that is not installed',
      { 'server/datasources.json': { db: { connector: 'informix' } } },
      'FBK_CORE_UNKNOWN_CONNECTOR',
      '"informix", which is not known. Install the package that has it, or correct the name.'
    ],
    [
      'a module that is no connector',
      {
        'server/datasources.json': { db: { connector: './old' } },
        'server/old.js': 'exports.start = function () {}'
      },
      'FBK_BOOT_INVALID_CONFIG',
      'server/datasources.json',
      './old',
      'neither a connector factory nor a connector of LoopBack'
    ],
    [
      'a LoopBack connector that makes none',
      {
        'server/datasources.json': { db: { connector: './old' } },
        'server/old.js': 'exports.initialize = function (dataSource, callback) { throw new Error("no settings") }'
      },
      'FBK_CONNECTOR_INITIALIZE',
      'server/datasources.json',
      '"db"',
      'no settings'
    ],
    [
      'unusable settings of a data source',
      { 'server/datasources.json': { db: { connector: 'sql', url: 'ftp://x' } } },
      'FBK_CORE_DATA_SOURCE_SETTINGS',
      'server/datasources.json',
      '"db"',
      'url'
    ],
    [
      'unknown base',
      { 'common/models/note.json': { name: 'Note', base: 'Persistedmodel' } },
      'FBK_CORE_UNKNOWN_BASE',
      'common/models/note.json',
      '"Note"',
      'Persistedmodel',
      'Did you mean "PersistedModel"'
    ],
    [
      'relation of no type',
      { 'common/models/note.json': { name: 'Note', relations: { tags: { type: 'hasSome', model: 'Note' } } } },
      'FBK_CORE_INVALID_DEFINITION',
      'common/models/note.json',
      '"tags"',
      'hasSome'
    ],
    [
      'undefined mixin',
      { 'common/models/note.json': { name: 'Note', mixins: { TimeStamp: true } } },
      'FBK_CORE_UNDEFINED_MIXIN',
      'common/models/note.json',
      '"Note"',
      'TimeStamp'
    ],
    [
      'dot in a property name',
      { 'common/models/note.json': { name: 'Note', properties: { 'a.b': 'string' } } },
      'FBK_CORE_INVALID_DEFINITION',
      'common/models/note.json',
      'a.b',
      'underscore'
    ],
    [
      'a model named File',
      { 'common/models/file.json': { name: 'File' }, 'server/model-config.json': { File: { dataSource: 'db' } } },
      'FBK_CORE_INVALID_DEFINITION',
      'common/models/file.json',
      'File',
      'plural'
    ],
    [
      'remoting.context',
      { 'server/config.json': { remoting: { context: true } } },
      'FBK_BOOT_REMOTING_CONTEXT',
      'server/config.json',
      'remoting.context'
    ],
    [
      'remoting.cors',
      { 'server/config.json': { remoting: { cors: { origin: true } } } },
      'FBK_BOOT_REMOTING_CORS',
      'server/config.json',
      'remoting.cors'
    ],
    [
      'restApiRoot',
      { 'server/config.json': { restApiRoot: 'api' } },
      'FBK_BOOT_INVALID_CONFIG',
      'server/config.json',
      'restApiRoot'
    ],
    [
      'limits of the server',
      { 'server/config.json': { server: { requestTimeout: 'long' } } },
      'FBK_BOOT_INVALID_CONFIG',
      'server/config.json',
      'server.requestTimeout'
    ],
    [
      'model configuration of 1.x',
      { 'server/model-config.json': { Note: { dataSource: 'db', properties: {} } } },
      'FBK_BOOT_MODEL_CONFIG',
      'server/model-config.json',
      '"Note"',
      'properties'
    ],
    [
      'a model without definition',
      { 'server/model-config.json': { Nota: { dataSource: 'db' } } },
      'FBK_BOOT_UNKNOWN_MODEL',
      'server/model-config.json',
      'no definition of the model "Nota" in ../common/models, ./models. Did you mean "Note"'
    ],
    [
      'unknown data source',
      { 'server/model-config.json': { Note: { dataSource: 'dbb' } } },
      'FBK_CORE_UNKNOWN_DATA_SOURCE',
      'server/model-config.json',
      '"Note"',
      'dbb'
    ],
    [
      'a model script that fails',
      { 'common/models/note.js': 'module.exports = Note => {\n  Note.nothing()\n}' },
      'FBK_BOOT_SCRIPT',
      'common/models/note.js:2:8: ',
      'nothing'
    ],
    [
      'a model script that is none',
      { 'common/models/note.js': 'module.exports = 5' },
      'FBK_BOOT_INVALID_CONFIG',
      'common/models/note.js'
    ],
    [
      'a module that cannot be read',
      { 'server/boot/a.mjs': 'const app = 1\nexport default () => {\n  const = app\n}' },
      'FBK_BOOT_SCRIPT',
      'server/boot/a.mjs:3: Unexpected token'
    ],
    [
      'a script that cannot be read',
      { 'server/boot/a.js': 'module.exports = () => {\n  const = 1\n}' },
      'FBK_BOOT_SCRIPT',
      'server/boot/a.js:2: Unexpected token'
    ],
    [
      'a verb that HTTP does not have',
      { 'common/models/note.js': 'module.exports = Note => { Note.greet = () => {}; Note.remoteMethod("greet", { http: { verb: "gett" } }) }' },
      'FBK_REST_UNKNOWN_VERB',
      '"Note.greet" has the verb "GETT", which HTTP does not have. Did you mean "GET"?'
    ],
    [
      'a boot script that asks for a model that there is not',
      { 'server/boot/a.js': 'module.exports = app => {\n  app.models.Nte.find()\n}' },
      'FBK_BOOT_SCRIPT',
      'server/boot/a.js:2:',
      '. There is no model "Nte". Did you mean "Note"?'
    ],
    [
      'a script that requires what is not installed',
      { 'server/boot/a.js': 'require("@no/such-package/part")' },
      'FBK_BOOT_SCRIPT',
      'server/boot/a.js:1:1: Cannot find "@no/such-package/part". Install it (npm install @no/such-package) or correct the name.'
    ],
    [
      'a file of a script that imports what is not installed',
      { 'server/boot/a.mjs': 'import "../lib/b.mjs"', 'server/lib/b.mjs': 'import "no-such-package"' },
      'FBK_BOOT_SCRIPT',
      'server/boot/a.mjs: Cannot find "no-such-package", which server/lib/b.mjs asks for. Install it'
    ],
    [
      'a relation whose type is misspelt',
      { 'common/models/note.json': { name: 'Note', relations: { parts: { type: 'hasmany', model: 'Note' } } } },
      'FBK_CORE_INVALID_DEFINITION',
      'common/models/note.json: model "Note", relation "parts": its type "hasmany" is none of belongsTo,',
      'Did you mean "hasMany"?'
    ],
    [
      'a relation without a type',
      { 'common/models/note.json': { name: 'Note', relations: { parts: { model: 'Note' } } } },
      'FBK_CORE_INVALID_DEFINITION',
      'relation "parts": it has no type; write one of belongsTo, hasOne'
    ],
    [
      'properties that are a list',
      { 'common/models/note.json': { name: 'Note', properties: ['title'] } },
      'FBK_CORE_INVALID_DEFINITION',
      'model "Note", properties: must be an object, { "title": "string" }, and is a list'
    ],
    [
      'a boot script that fails',
      { 'server/boot/a.js': 'module.exports = async () => { throw new Error("no luck") }' },
      'FBK_BOOT_SCRIPT',
      'server/boot/a.js',
      'no luck'
    ],
    [
      'a model by its name alone',
      { 'server/boot/b.js': 'module.exports = app => { app.model("Note") }' },
      'FBK_BOOT_REMOVED_FUNCTION',
      'server/boot/b.js'
    ],
    [
      'unknown phase',
      { 'server/boot/c.js': 'module.exports = app => { app.middleware("innitial", (req, res, next) => next()) }' },
      'FBK_BOOT_UNKNOWN_PHASE',
      'server/boot/c.js',
      'initial'
    ],
    [
      'phases in two orders',
      { 'server/middleware.json': { final: {}, initial: {} } },
      'FBK_BOOT_PHASE_ORDER',
      'server/middleware.json'
    ],
    [
      'unknown middleware',
      { 'server/middleware.json': { initial: { 'no-such-package': {} } } },
      'FBK_BOOT_MODULE_NOT_FOUND',
      'server/middleware.json',
      '"initial"',
      'npm install no-such-package'
    ],
    [
      'unknown middleware of the framework',
      { 'server/middleware.json': { initial: { 'loopback#rst': {} } } },
      'FBK_BOOT_MIDDLEWARE',
      'server/middleware.json',
      'loopback#rst'
    ],
    [
      'removed middleware',
      { 'server/middleware.json': { initial: { 'loopback#compress': {} } } },
      'FBK_BOOT_REMOVED_PROPERTY',
      'server/middleware.json',
      'compress',
      'compression'
    ],
    [
      'a middleware file without a function',
      { 'server/middleware.json': { initial: { './x': {} } }, 'server/x.js': 'exports.a = 1' },
      'FBK_BOOT_MIDDLEWARE',
      'server/middleware.json',
      './x'
    ],
    [
      'a factory without a handler',
      { 'server/middleware.json': { initial: { './y': {} } }, 'server/y.js': 'module.exports = () => 5' },
      'FBK_BOOT_MIDDLEWARE',
      './y'
    ],
    [
      'an unknown fragment',
      { 'server/middleware.json': { initial: { './z#part': {} } }, 'server/z.js': 'exports.other = () => {}' },
      'FBK_BOOT_MIDDLEWARE',
      './z#part',
      'part'
    ],
    [
      'static files without a folder',
      { 'server/middleware.json': { files: { 'loopback#static': {} } } },
      'FBK_BOOT_MIDDLEWARE',
      'loopback#static',
      'params'
    ],
    [
      'a part that helmet lacks',
      { 'server/middleware.json': { initial: { 'helmet#nothing': {} } } },
      'FBK_BOOT_MIDDLEWARE',
      'helmet#nothing',
      'hsts'
    ],
    [
      'a size that is none',
      { 'server/middleware.json': { initial: { compression: { params: { threshold: 'big' } } } } },
      'FBK_BOOT_MIDDLEWARE',
      'compression',
      'threshold'
    ],
    [
      'options that are none',
      { 'server/middleware.json': { initial: { cors: { params: 'x' } } } },
      'FBK_BOOT_MIDDLEWARE',
      '"cors"'
    ],
    [
      'a component of a later version',
      { 'server/component-config.json': { 'loopback-component-push': {} } },
      'FBK_BOOT_COMPONENT',
      'server/component-config.json',
      'loopback-component-push'
    ],
    [
      'a component that is none',
      { 'server/component-config.json': { './part': {} }, 'server/part.js': 'module.exports = {}' },
      'FBK_BOOT_COMPONENT',
      './part'
    ],
    [
      'a component that fails',
      {
        'server/component-config.json': { './bad': {} },
        'server/bad.js': 'module.exports = () => { throw new Error("bad part") }'
      },
      'FBK_BOOT_SCRIPT',
      'server/bad.js',
      'bad part'
    ],
    [
      'an explorer nowhere',
      { 'server/component-config.json': { 'loopback-component-explorer': { mountPath: 'x' } } },
      'FBK_BOOT_COMPONENT',
      'mountPath'
    ],
    [
      'no folder',
      { 'server/config.json': null, 'server/datasources.json': null, 'server/model-config.json': null },
      'FBK_BOOT_FOLDER',
      'model-config.json'
    ]
  ]
  for (const [name, files, code, ...parts] of cases) {
    // A folder per case: Node keeps modules by their file's name.
    await t.test(name, async t => {
      const dir = folderOf(t, files)
      try {
        await (await createServer(dir, { log: false })).stop()
        t.fail('was accepted')
      } catch (error) {
        t.equal((error as { code?: string }).code, code)
        for (const part of parts) t.match((error as Error).message, part)
        if (code !== 'FBK_BOOT_FOLDER') t.notMatch((error as Error).message, dir, 'no absolute path')
      }
    })
  }
})

t.test('extensions bring models, connectors and access control', async t => {
  const seen: unknown[] = []
  const extension: BootExtension = {
    models: [
      {
        definition: {
          name: 'Person',
          base: 'PersistedModel',
          properties: { email: 'string' },
          relations: { keys: { type: 'hasMany', model: 'Key', foreignKey: 'personId' } }
        },
        setUp: Model => {
          Model.greet = () => 'hi'
        }
      },
      { definition: { name: 'Key', base: 'PersistedModel', properties: { secret: 'string' } } },
      { definition: { name: 'Grant', base: 'PersistedModel' } },
      { definition: { name: 'Never', base: 'Person' } }
    ],
    attachedByEnableAuth: { Person: true, Key: false, Grant: false },
    connectors: { mail: (_settings, context) => memoryConnector({ connector: 'memory' }, context) },
    accessToken: request => (request.headers['x-key'] === undefined ? undefined : { key: request.headers['x-key'] }),
    async register (fastify, { auth, tokens, app }) {
      seen.push(auth, tokens, app.isAuthEnabled)
      fastify.addHook('onRequest', async (request, reply) => {
        if (request.headers['x-key'] === 'bad') await reply.code(401).send()
      })
    }
  }
  const dir = folderOf(t, {
    'server/datasources.json': { db: { connector: 'memory' }, post: { connector: 'mail' } },
    'server/model-config.json': {
      Note: { dataSource: 'db' },
      Member: { dataSource: 'db' },
      Key: { dataSource: 'post', public: false }
    },
    'common/models/member.json': { name: 'Member', base: 'Person' },
    'server/middleware.json': {
      auth: { 'loopback#token': { params: { model: 'Key', currentUserLiteral: 'me' } } },
      routes: { 'loopback#rest': { paths: '/api' } }
    },
    'server/boot/auth.js': `module.exports = app => {
      app.set('before', app.isAuthEnabled)
      app.enableAuth({ dataSource: 'db' })
      app.use('/inner', app.loopback.token({ headers: ['x-other'] }))
      app.use('/inner', (req, res) => res.json(req.accessToken || null))
      app.middleware('auth:after', '/whoami', (req, res) => res.json(req.accessToken || null))
    }`
  })
  const { fastify, app } = await serve(t, dir, { extensions: [extension] })
  t.equal(app.get('before'), false)
  t.strictSame(seen, [
    { dataSource: 'db' },
    [{ model: 'Key', currentUserLiteral: 'me' }, { headers: ['x-other'] }],
    true
  ])
  const ours = app
    .models()
    .map(Model => Model.modelName)
    .filter(name => ['Note', 'Member', 'Key', 'Grant', 'Person', 'Never'].includes(name))
  t.strictSame(
    ours,
    ['Note', 'Member', 'Key', 'Grant'],
    'what is not attached yet is, unless something stands in for it'
  )
  t.equal((app.models.Member as unknown as { greet (): string }).greet(), 'hi')
  t.equal(app.registry.core.findModel('Never'), undefined, 'built-in models that nothing asks for are not defined')
  t.equal(app.loopback.getModel('Never').modelName, 'Never')
  t.equal((await fastify.inject('/api/Members')).statusCode, 200)
  t.equal((await fastify.inject('/api/Keys')).statusCode, 404)
  t.equal((await fastify.inject({ url: '/api/Members', headers: { 'x-key': 'bad' } })).statusCode, 401)
  for (const url of ['/whoami', '/inner']) {
    t.strictSame((await fastify.inject({ url, headers: { 'x-key': 'k' } })).json(), { key: 'k' })
    t.strictSame((await fastify.inject(url)).json(), null)
  }
})

t.test('folders within a larger application share nothing', async t => {
  const host = Fastify({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } })
  t.teardown(async () => { await host.close() })
  host.get('/own', async () => 'own')
  const dir = folderOf(t, {
    'server/config.json': { restApiRoot: '/second' },
    'server/boot/x.js':
      "module.exports = app => { app.get('/second-page', (req, res) => res.send('page')); app.get('/second-error', (req, res, next) => next(new Error('x'))) }"
  })
  await host.register(boot, { dir: plain, env: 'production' })
  await host.register(boot, { dir, env: 'production', notFound: false })
  await host.ready()
  await host.inject({ method: 'POST', url: '/v1/Notes', payload: { title: 'first' } })
  t.strictSame((await host.inject('/second/Notes')).json(), [])
  t.strictSame((await host.inject('/v1/Notes/count')).json(), { count: 1 })
  t.equal((await host.inject('/own')).body, 'own')
  t.equal((await host.inject('/second-page')).body, 'page')
  t.equal((await host.inject('/second-error')).statusCode, 500)
  t.match((await host.inject('/none')).json(), { error: { message: 'Cannot GET /none' } })
  t.notOk(host.hasDecorator('registry'))
  await t.rejects(async () => await Fastify().register(boot, { dir: plain, prefix: '/x' }).ready(), {
    code: 'FBK_BOOT_INVALID_CONFIG',
    message: /restApiRoot/
  })
})

t.test('a signal lets requests finish and ends with 0', async t => {
  const dir = folderOf(t, {
    'server/boot/slow.js':
      'module.exports = app => { app.get("/slow", (req, res) => { console.log("begun"); ' +
      'setTimeout(() => res.send("done"), 400) }) }'
  })
  const script = `
    import { createServer, stopOnSignals } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
    const server = await createServer(${JSON.stringify(dir)}, { log: false })
    stopOnSignals(server)
    console.log(await server.start())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH }
  })
  const [line] = await once(child.stdout, 'data') as [Buffer]
  const answer = fetch(`${line.toString().trim()}/slow`).then(async response => await response.text())
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  t.equal(await answer, 'done')
  const [code] = await once(child, 'exit')
  t.equal(code, 0)
})
