import t from 'tap'
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import {
  errors,
  logSerializers,
  maskUrl,
  rest,
  restRoutes,
  unknownPath,
  type RestOptions,
  type RouteMethod
} from '@fastback/rest'
import { call, makeApp, note } from './app.js'

t.test('wrong options are refused at the start, with their path', async t => {
  const register = async (options: object): Promise<unknown> =>
    await makeApp(t, { definitions: [note], options: options as RestOptions })
  await t.rejects(register({ modles: {} }), { code: 'FBK_REST_INVALID_OPTIONS', message: /modles/ })
  await t.rejects(register({ remoting: { rest: { xml: 'yes' } } }), {
    code: 'FBK_REST_INVALID_OPTIONS',
    message: '@fastback/rest: the option "remoting.rest.xml" must be true or false.'
  })
  await t.rejects(register({ bodyLimit: 'much' }), { code: 'FBK_REST_INVALID_OPTIONS' })
  await t.rejects(register({ models: { Nope: true } }), { code: 'FBK_REST_UNKNOWN_MODEL' })
  await t.rejects(register({ remoting: { cors: true } }), { code: 'FBK_REST_REMOVED_SETTING' })
  const app = Fastify()
  t.teardown(() => app.close())
  await t.rejects(async () => {
    await app.register(rest)
  }, new errors.MissingRegistryError())
})

t.test('remoting.context makes requests fail', async t => {
  const app = await makeApp(t, { definitions: [note], options: { remoting: { context: true, cors: false } } })
  t.equal((await call(app, 'GET', '/Notes')).status, 500)
})

t.test('which models are published, and which of their methods', async t => {
  const definitions = [note, { ...note, name: 'Memo' }, { ...note, name: 'Draft' }]
  const app = await makeApp(t, {
    definitions,
    options: {
      models: { Memo: false, Draft: { sharedMethods: { find: true } } },
      remoting: { sharedMethods: { '*': false, count: true, 'prototype.*': false } }
    }
  })
  t.equal((await call(app, 'GET', '/Memos/count')).status, 404)
  t.equal((await call(app, 'GET', '/Drafts')).status, 200)
  t.equal((await call(app, 'GET', '/Notes')).status, 404)
  t.equal((await call(app, 'GET', '/Notes/count')).status, 200)
  t.equal((await call(app, 'PATCH', '/Notes/1', {})).status, 404)
})

t.test('unknown paths, below the prefix only', async t => {
  const app = await makeApp(t, { definitions: [note, { ...note, name: 'Article', http: { path: 'press/articles' } }] })
  const message = async (url: string, method: 'GET' | 'POST' = 'GET'): Promise<unknown> =>
    (await call(app, method, url)).body.error?.message
  t.equal(await message('/Notes/1/zz'), 'Shared class "Note" has no method handling GET /1/zz')
  t.equal(await message('/notes/1/2/3'), 'Shared class "Note" has no method handling GET /1/2/3')
  t.equal(await message('/press/articles/1/zz', 'POST'), 'Shared class "Article" has no method handling POST /1/zz')
  t.equal(await message('/Nothing?access_token=secret'), 'There is no method to handle GET /Nothing')
  t.equal(await message(''), 'There is no method to handle GET /')
  t.equal((await app.inject('/elsewhere')).json().message, 'Route GET:/elsewhere not found', "the rest is the server's")
  t.match(
    unknownPath({ method: 'GET', raw: { url: '/API/NOTES/x' } } as Parameters<typeof unknownPath>[0], '/api', [
      { modelName: 'Note', path: '/Notes' }
    ]),
    { statusCode: 404, message: /Note.*\/x/ }
  )
})

t.test('formats are decided before anything happens', async t => {
  const app = await makeApp(t, { definitions: [note] })
  t.equal((await call(app, 'POST', '/Notes', { title: 'x' }, { accept: 'text/csv' })).status, 406)
  t.strictSame((await call(app, 'GET', '/Notes/count')).body, { count: 0 })
  t.equal((await call(app, 'GET', '/Notes?_format=xml')).status, 406, 'XML needs its setting, by whatever way')
  t.equal((await call(app, 'GET', '/Notes', undefined, { accept: 'text/html, */*;q=0.1' })).status, 200)
  const withXml = await makeApp(t, {
    definitions: [note],
    prepare: async ({ Note }) => {
      await (Note as any).create({ title: '<&>' })
    },
    options: { remoting: { rest: { xml: true } } }
  })
  const xml = await call(withXml, 'GET', '/Notes/1', undefined, { accept: 'application/xml' })
  t.match(xml.headers['content-type'], 'application/xml')
  t.match(xml.body, /<response>[^]*<title>&lt;&amp;>?(?:&gt;)?<\/title>/)
  t.match((await call(withXml, 'GET', '/Notes?_format=xml')).body, /<response>[^]*<result>/)
  t.match((await call(withXml, 'GET', '/Notes')).headers['content-type'], 'application/json')
})

t.test('names of paths in lower case with dashes', async t => {
  const app = await makeApp(t, {
    definitions: [{ ...note, name: 'FieldNote', remoting: { normalizeHttpPath: true } }, note],
    options: { remoting: { rest: { normalizeHttpPath: false } } }
  })
  t.equal((await call(app, 'GET', '/field-notes/find-one')).status, 404)
  t.equal((await call(app, 'GET', '/field-notes/count')).status, 200)
  t.equal((await call(app, 'GET', '/FieldNotes/count')).status, 404)
})

t.test('routes say what they are for', async t => {
  const seen = new Map<string, RouteMethod | undefined>()
  const app = await makeApp(t, {
    definitions: [note],
    prepare (_models, server) {
      server.addHook('onRoute', route => {
        seen.set(`${String(route.method)} ${route.url}`, route.config?.sharedMethod)
      })
    }
  })
  t.match(seen.get('GET /api/Notes/:id'), { model: 'Note', idArgument: 'id', method: { name: 'findById' } })
  t.match(seen.get('HEAD /api/Notes/:id'), { method: { name: 'exists' } })
  t.match(seen.get('PATCH /api/Notes/:id'), { idArgument: 'id', method: { fullName: 'prototype.patchAttributes' } })
  t.match(seen.get('GET /api/Notes'), { idArgument: undefined, method: { name: 'find' } })
  const described = restRoutes(app.registry)
  t.match(
    described.find(({ verb, path }) => verb === 'POST' && path === '/Notes'),
    {
      prefix: '/api',
      body: { required: false, schema: { type: 'object', required: ['title'] } },
      response: { status: 200, schema: { title: 'Note' } }
    }
  )
  t.match(
    described.find(({ verb, path }) => verb === 'GET' && path === '/Notes/count'),
    {
      arguments: [{ name: 'where', in: 'query', required: false, schema: { type: 'object' } }],
      response: { schema: { properties: { count: { type: 'number' } } } }
    }
  )
  t.notMatch(JSON.stringify(described.map(route => route.response)), /secret/)
})

t.test('two registries in one server share nothing', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  for (const [prefix, title] of [
    ['/a', 'of a'],
    ['/b', 'of b']
  ] as const) {
    await app.register(
      async scope => {
        await scope.register(core, {
          connectors: { memory: memoryConnector },
          dataSources: { db: { connector: 'memory' } },
          definitions: [note],
          models: { Note: { dataSource: 'db' } }
        })
        await scope.registry.start()
        await (scope.models.Note as any).create({ title })
        await scope.register(rest, { prefix: '/api' })
      },
      { prefix }
    )
  }
  t.match((await app.inject('/a/api/Notes')).json(), [{ title: 'of a' }])
  t.match((await app.inject('/b/api/Notes')).json(), [{ title: 'of b' }])
})

t.test('answers to requests with a token are private', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    prepare (_models, server) {
      server.decorateRequest('accessToken', null)
      server.addHook('onRequest', async request => {
        ;(request as any).accessToken = request.headers.authorization === undefined ? null : { id: 'x' }
      })
    }
  })
  t.match((await call(app, 'GET', '/Notes', undefined, { authorization: 'x' })).headers, {
    'cache-control': 'private, no-cache'
  })
  t.notOk((await call(app, 'GET', '/Notes')).headers['cache-control'])
})

t.test('log lines without tokens', async t => {
  t.equal(maskUrl('/api/Notes?a=1&access_token=secret&b=2'), '/api/Notes?a=1&access_token=[masked]&b=2')
  t.match(logSerializers.req({ method: 'GET', url: '/x?token=y' }), { method: 'GET', url: '/x?token=[masked]' })
})
