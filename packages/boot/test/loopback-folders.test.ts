/** Folders as LoopBack 3 takes them: what public applications contain and must not stop. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '../src/index.js'

type Files = Record<string, unknown>

/** Serves a folder with one model, a route to it, and what a test adds; `warnings` is what it says at the start. */
async function serve (test: Test, files: Files = {}): Promise<Server & { warnings: string[] }> {
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
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  const warnings: string[] = []
  const server = await createServer(root, { env: 'test', log: logTo(warnings) as never })
  test.teardown(async () => { await server.stop() })
  return Object.assign(server, { warnings })
}

function logTo (lines: string[]): object {
  const nothing = (): void => {}
  const warn = (first: unknown, second?: string): void => { lines.push(second ?? String(first)) }
  const log: object = {
    level: 'warn', trace: nothing, debug: nothing, info: nothing, warn, error: nothing, fatal: nothing, child: () => log
  }
  return log
}

t.test('plugins behind Express middleware of the folder\'s own', { timeout: 20_000 }, async t => {
  const { fastify } = await serve(t, {
    'server/middleware.json': {
      'initial:before': { './mw/own': {} },
      initial: { 'helmet#noSniff': {}, 'helmet#frameguard': { params: 'deny' } },
      routes: { 'loopback#rest': { paths: ['/api'] } }
    },
    'server/mw/own.js': 'module.exports = () => (req, res, next) => { res.set("x-own", "yes"); next() }'
  })
  const { statusCode, headers } = await fastify.inject('/api/Notes')
  t.equal(statusCode, 200)
  t.match(headers, { 'x-own': 'yes', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
})

t.test('a related model that the application does not name, of a base that is not there', async t => {
  const files = {
    'common/models/note.json': {
      name: 'Note', properties: { title: 'string' }, relations: { logins: { type: 'hasMany', model: 'Login' } }
    },
    'common/models/login.json': { name: 'Login', base: 'OfSomePackage' }
  }
  const { fastify, warnings } = await serve(t, files)
  t.strictSame((await fastify.inject('/api/Notes')).json(), [])
  t.match(warnings.find(line => line.includes('OfSomePackage')), /login\.json: the model "Login" is left out/)
  const named = { Note: { dataSource: 'db' }, Login: { dataSource: 'db' } }
  await t.rejects(serve(t, { ...files, 'server/model-config.json': named }), { code: 'FBK_CORE_UNKNOWN_BASE' })
})

t.test('what the explorer is told in other shapes than OpenAPI\'s', async t => {
  const { fastify } = await serve(t, {
    'server/component-config.json': {
      'loopback-component-explorer': { apiInfo: { description: ['One line', 'another'], contact: 'a@b.example' } }
    }
  })
  t.match((await fastify.inject('/explorer/openapi.json')).json().info, {
    description: 'One line\nanother', contact: { name: 'a@b.example' }
  })
})

t.test('an explorer with an empty mountPath is at the root, beside the API', async t => {
  const { fastify } = await serve(t, {
    'server/component-config.json': { 'loopback-component-explorer': { mountPath: '' } }
  })
  t.equal((await fastify.inject('/swagger.json')).json().basePath, '/api')
  t.match((await fastify.inject('/')).headers['content-type'], /^text\/html/)
  t.equal((await fastify.inject('/explorer/swagger.json')).statusCode, 404)
  t.strictSame((await fastify.inject('/api/Notes')).json(), [])
  t.equal((await fastify.inject('/api/Nothing')).statusCode, 404)
})

t.test('one page for every path that nothing else answers', async t => {
  const { fastify } = await serve(t, {
    'client/index.html': '<title>start</title>',
    'client/seen.txt': 'seen',
    'server/middleware.json': {
      routes: { 'loopback#rest': { paths: ['/api'] } },
      files: {
        'loopback#static': [
          { name: 'files', paths: ['/'], params: '$!../client' },
          { name: 'page', paths: ['*'], params: '$!../client/index.html' }
        ]
      },
      final: { 'loopback#urlNotFound': {} }
    }
  })
  for (const url of ['/', '/deep', '/deep/down?x=1']) {
    const answer = await fastify.inject(url)
    t.match(answer, { statusCode: 200, body: '<title>start</title>', headers: { 'content-type': /^text\/html/ } }, url)
  }
  t.equal((await fastify.inject('/seen.txt')).body, 'seen')
  t.strictSame((await fastify.inject('/api/Notes')).json(), [])
  t.equal((await fastify.inject('/deep/')).statusCode, 404, 'a file is no folder')
})

t.test('a folder below a pattern: what the pattern took is no part of the file', async t => {
  const { fastify } = await serve(t, {
    'client/index.html': 'start',
    'client/seen.txt': 'seen',
    'server/middleware.json': { files: { 'loopback#static': { paths: ['/of/:who'], params: '$!../client' } } }
  })
  t.equal((await fastify.inject('/of/ann/seen.txt')).body, 'seen')
  t.equal((await fastify.inject('/of/ann/')).body, 'start')
  t.equal((await fastify.inject('/of/ann')).headers.location, '/of/ann/')
  t.equal((await fastify.inject('/of/seen.txt/none.txt')).statusCode, 404)
})

t.test('names of the connectors for SQLite', async t => {
  for (const connector of ['sqlite', 'loopback-connector-sqlite', 'sqlite3', 'loopback-connector-sqlite3']) {
    const { fastify } = await serve(t, {
      'server/datasources.json': { db: { connector, url: '', [connector.endsWith('3') ? 'file' : 'file_name']: ':memory:' } }
    })
    t.strictSame((await fastify.inject('/api/Notes')).json(), [], connector)
  }
})

t.test('remoting.context that is off', async t => {
  const config = (context: unknown) =>
    ({ 'server/config.json': { port: 0, host: '127.0.0.1', remoting: { context } } })
  for (const context of [false, null, { enableHttpContext: false }]) {
    t.equal((await (await serve(t, config(context))).fastify.inject('/api/Notes')).statusCode, 200)
  }
  for (const context of [true, {}, { enableHttpContext: true }]) {
    await t.rejects(serve(t, config(context)), { code: 'FBK_BOOT_REMOTING_CONTEXT', message: /config\.json: / })
  }
})

t.test('remoting.errorHandler: false', async t => {
  const { fastify } = await serve(t, {
    'server/config.json': { port: 0, host: '127.0.0.1', remoting: { errorHandler: false } }
  })
  const answer = await fastify.inject('/api/Notes/1')
  t.equal(answer.statusCode, 404)
  t.equal(answer.json().error.code, 'MODEL_NOT_FOUND')
})

t.test('relations to models that are not there', async t => {
  const { fastify, warnings } = await serve(t, {
    'server/component-config.json': { 'loopback-component-explorer': { mountPath: '/explorer' } },
    'common/models/note.json': {
      name: 'Note',
      properties: { title: 'string' },
      relations: {
        tags: { type: 'hasMany', model: 'Tga' },
        notes: { type: 'hasMany', model: 'Note', through: 'Link' },
        folder: { type: 'belongsTo', model: 'Folder' }
      }
    },
    'server/boot/later.js': 'module.exports = app => { app.model(app.registry.createModel("Folder"), { dataSource: "db" }) }'
  })
  const about = (name: string): string[] => warnings.filter(line => line.includes(`relation "${name}"`))
  t.equal(about('tags').length, 1)
  t.match(about('tags')[0], /no model named "Tga".*"Note" \(common\/models\/note\.json\)/)
  t.equal(about('notes').length, 1)
  t.equal((await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'a' } })).statusCode, 200)
  t.equal((await fastify.inject('/api/Notes/1/tags')).statusCode, 404)
  t.equal((await fastify.inject('/api/Notes/1/notes')).statusCode, 404)
  t.equal((await fastify.inject('/api/Notes?filter[include]=tags')).statusCode, 400)
  t.equal((await fastify.inject('/api/Notes/1/folder')).statusCode, 200, 'defined by a script')
  const paths = Object.keys((await fastify.inject('/explorer/openapi.json')).json().paths)
  t.notOk(paths.some(path => path.includes('tags')))
  t.ok(paths.some(path => path.includes('folder')))
})

t.test('remote methods: paths without a slash, two on one route, two models on one path', async t => {
  const { fastify, warnings } = await serve(t, {
    'server/model-config.json': { Note: { dataSource: 'db' }, Other: { dataSource: 'db' } },
    'common/models/other.json': { name: 'Other', http: { path: 'notes' } },
    'common/models/note.js': `module.exports = Note => {
      for (const name of ['first', 'second']) {
        Note[name] = async () => name
        Note.remoteMethod(name, { http: { verb: 'get', path: 'which' }, returns: { arg: 'name', type: 'string' } })
      }
      Note.prototype.third = async () => 'third'
      Note.remoteMethod('prototype.third', { http: { verb: 'get', path: 'own' }, returns: { arg: 'name', type: 'string' } })
    }`
  })
  await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'a' } })
  t.strictSame((await fastify.inject('/api/Notes/which')).json(), { name: 'first' })
  t.strictSame((await fastify.inject('/api/Notes/1/own')).json(), { name: 'third' })
  t.equal((await fastify.inject('/api/notes')).json()[0].title, 'a')
  t.ok(warnings.includes('Note.second has no route: Note.first has GET /Notes/which already'))
  t.ok(warnings.includes('Other.find has no route: Note.find has GET /notes already'))
})

t.test('mixins that ask for what comes later', async t => {
  const { fastify } = await serve(t, {
    'server/model-config.json': { _meta: { mixins: ['./mixins'] }, Note: { dataSource: 'db' } },
    'common/models/note.json': { name: 'Note', mixins: { Curious: { all: true } }, acls: [] },
    'server/mixins/curious.js': `module.exports = (Model, options) => {
      for (const ask of [() => Model.getDataSource(), () => Model.dataSource, () => Model.app]) ask()
      Model.defineProperty('stamp', { type: 'string' })
      Model.settings.acls.forEach(() => {})
      Model.on('attached', app => {
        Model.found = [Model.getDataSource().name, Model.dataSource.connector.name, Model.app === app, options.all]
      })
      Model.once('dataSourceAttached', () => { Model.wasAttached = true })
      Model.found = async () => []
    }`,
    'server/boot/tell.js': `module.exports = app => {
      app.get('/found', (req, res) => { res.json([...app.models.Note.found, app.models.Note.wasAttached]) })
    }`
  })
  t.strictSame((await fastify.inject('/found')).json(), ['db', 'memory', true, true, true])
})

t.test('users whose ids are texts', async t => {
  for (const id of [{ type: 'string', id: true, defaultFn: 'uuidv4' }, { type: 'string', id: true, required: true }]) {
    const { fastify } = await serve(t, {
      'server/model-config.json': {
        Person: { dataSource: 'db' }, AccessToken: { dataSource: 'db', public: false }, ACL: { dataSource: 'db', public: false },
        Role: { dataSource: 'db', public: false }, RoleMapping: { dataSource: 'db', public: false }
      },
      'common/models/person.json': { name: 'Person', base: 'User', properties: { id } },
      'server/boot/auth.js': 'module.exports = app => { app.enableAuth() }'
    })
    const post = async (url: string, payload: object) =>
      (await fastify.inject({ method: 'POST', url: `/api/People${url}`, payload })).json()
    const credentials = { email: 'a@b.cd', password: 'secret' }
    const created = await post('', { ...credentials, ...('required' in id ? { id: 'someone' } : {}) })
    t.type(created.id, 'string', JSON.stringify(created))
    const token = await post('/login', credentials)
    t.equal(token.userId, created.id, JSON.stringify(token))
    const own = await fastify.inject({ url: `/api/People/${created.id}`, headers: { authorization: token.id } })
    t.equal(own.statusCode, 200)
  }
})

t.test('a length is the column\'s, and a relation of a mixin names its model', async t => {
  const { fastify, warnings } = await serve(t, {
    'server/model-config.json': {
      _meta: { mixins: ['./mixins'] }, Note: { dataSource: 'db' }, Person: { dataSource: 'db' }
    },
    'common/models/note.json': {
      name: 'Note', properties: { title: { type: 'string', length: 5 } }, mixins: { Made: true }
    },
    'common/models/person.json': { name: 'Person' },
    'server/mixins/made.js': 'module.exports = Model => { Model.belongsTo("Person", { as: "maker" }) }'
  })
  const { statusCode } = await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'longer', makerId: 1 } })
  t.equal(statusCode, 200)
  t.strictSame(warnings.filter(line => line.includes('maker')), [])
  await fastify.inject({ method: 'POST', url: '/api/People', payload: {} })
  t.match((await fastify.inject('/api/Notes/1/maker')).json(), { id: 1 })
})

t.test('loopback.template and loopback.version', async t => {
  const { fastify } = await serve(t, {
    'server/hello.ejs': '<p>Hello <%= name %></p>',
    'server/boot/hello.js': `module.exports = app => {
      const show = app.loopback.template(require('path').join(__dirname, '../hello.ejs'))
      app.get('/hello', (req, res) => { res.send(show({ name: '<you>' }) + app.loopback.version.split('.')[0]) })
    }`
  })
  t.equal((await fastify.inject('/hello')).body, '<p>Hello &lt;you&gt;</p>3')
})

t.test('hooks as arrow functions, defaults that are lists, rules as one object', async t => {
  const { fastify } = await serve(t, {
    'server/model-config.json': { _meta: { mixins: ['./mixins'] }, Note: { dataSource: 'db' } },
    'common/models/note.json': {
      name: 'Note',
      properties: { title: 'string', more: { type: 'object', default: [] } },
      acls: { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property: 'count' },
      mixins: { Ruled: true }
    },
    'server/mixins/ruled.js': `module.exports = Model => {
      const acls = Model.settings.acls
      Model.ruled = Array.isArray(acls) ? acls.length : typeof acls
    }`,
    'common/models/note.js': `module.exports = Note => {
      Note.beforeRemote('create', async ctx => { ctx.args.data.title += '!' })
      Note.afterRemote('**', (ctx, result, next) => { ctx.res.set('x-after', ctx.method.name); next() })
      Note.afterRemoteError('fail', async ctx => { ctx.error.message = 'other' })
      Note.fail = async () => { throw Object.assign(new Error('one'), { statusCode: 400 }) }
      Note.remoteMethod('fail', { http: { verb: 'get' } })
    }`,
    'server/boot/rules.js': 'module.exports = app => { app.enableAuth({ dataSource: "db" }) }'
  })
  const created = await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'a' } })
  t.strictSame(created.json(), { id: 1, title: 'a!', more: [] })
  const again = await fastify.inject({ method: 'PUT', url: '/api/Notes/1', payload: created.json() })
  t.strictSame(again.json(), created.json(), 'a row can be sent back as it came')
  t.equal(created.headers['x-after'], 'create')
  t.match((await fastify.inject('/api/Notes/fail')).json(), { error: { message: 'other' } })
  t.equal((await fastify.inject('/api/Notes/count')).statusCode, 401, 'the one rule holds')
})
