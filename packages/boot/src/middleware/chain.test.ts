import type { IncomingMessage, ServerResponse } from 'node:http'
import core from '@fastback/core'
import { expressify } from '@fastback/rest/express'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import { middlewareMethods } from '../app/middleware.js'
import { handOverStep } from '../app/native-handler.js'
import { errorHandler, installChain, notFoundScope } from './bridge.js'
import { Chain, type NativeStep } from './chain.js'
import type { ExchangeHost } from './exchange.js'
import { expressPath, matchPaths, pathnameOf } from './paths.js'
import { Phases } from './phases.js'
import { isFastifyPlugin, asMiddleware } from './scoped.js'

/** Nothing here asks for REST, tokens or the error handler. */
const noHost = { restMounted () {}, tokenUsed () {}, accessToken: () => undefined, answerError () {} }
const { default: express } = await import('express')
const parent = express()

type Req = IncomingMessage & {
  body?: any
  query: any
  params: any
  baseUrl: string
  originalUrl: string
  path: string
  get(name: string): string | undefined
  log: string[]
}
type Res = ServerResponse & {
  json(body: unknown): void
  status(code: number): Res
  send(body: unknown): void
  set(name: string, value: string): void
  cookie(name: string, value: string): void
}
type Next = (error?: unknown) => void

interface Built {
  fastify: FastifyInstance
  chain: Chain
  app: Record<string, (...args: any[]) => any>
  get(
    url: string,
    options?: object
  ): Promise<{ status: number; body: any; trace: string[]; headers: Record<string, unknown> }>
}

/** A chain on a Fastify instance, with routes as REST would have them below /api. */
async function build (
  declare: (app: Built['app'], chain: Chain) => void,
  options: { routes?: (fastify: FastifyInstance) => void; foreignRoutes?: boolean } = {}
): Promise<Built & { hooked: boolean }> {
  const fastify = Fastify({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } })
  const chain = new Chain()
  const app = middlewareMethods({ ...noHost, chain, mayAdd () {}, application: () => parent }, name => `setting ${name}`) as Built['app']
  const host: ExchangeHost = {
    ...noHost,
    chain,
    prepare: (request, reply) => {
      expressify(undefined, request, reply)
    },
    conclude: (error, request, reply) => {
      const status = error === undefined ? 404 : ((error as { status?: number }).status ?? 500)
      reply
        .code(status)
        .send({ concluded: error === undefined ? `nothing at ${request.raw.url}` : (error as Error).message })
    },
    reroute: (req, res) => {
      fastify.routing(req, res)
    }
  }
  // It gives every request its one path.
  await fastify.register(core)
  declare(app, chain)
  const hooked = installChain(fastify, { host, mounts: ['/api'], foreignRoutes: options.foreignRoutes === true })
  fastify.setErrorHandler(errorHandler(host))
  await fastify.register(
    async scope => {
      scope.get('/notes', async () => ({ notes: true }))
      scope.get('/fail', async () => {
        throw Object.assign(new Error('from a route'), { status: 418 })
      })
      scope.post('/echo', async request => ({ body: request.body }))
      scope.get('/custom', async request => ({ seen: (request.raw as { custom?: unknown }).custom ?? null }))
    },
    { prefix: '/api' }
  )
  options.routes?.(fastify)
  await fastify.register(notFoundScope, { host })
  return {
    fastify,
    chain,
    app,
    hooked,
    async get (url, request = {}) {
      const response = await fastify.inject({ method: 'GET', url, ...request })
      const trace = response.headers['x-trace']
      const isJson = String(response.headers['content-type']).startsWith('application/json')
      return {
        status: response.statusCode,
        body: response.body === '' ? undefined : isJson ? response.json() : response.body,
        trace: trace === undefined ? [] : String(trace).split(','),
        headers: response.headers
      }
    }
  }
}

/** Leaves a word in the header x-trace. */
const stamp = (word: string) => (_req: Req, res: Res, next: Next) => {
  const before = res.getHeader('x-trace')
  res.setHeader('x-trace', before === undefined ? word : `${String(before)},${word}`)
  next()
}

t.test('phases: order, merging, new phases', async t => {
  const phases = new Phases()
  t.strictSame(phases.names, ['initial', 'session', 'auth', 'parse', 'routes', 'files', 'final'])
  phases.define('custom')
  t.strictSame(
    phases.names,
    ['initial', 'session', 'auth', 'parse', 'custom', 'routes', 'files', 'final'],
    'a single new phase stands before routes'
  )
  phases.define('custom')
  phases.define(['initial', 'post-initial', 'pre-auth', 'auth', 'routes', 'sub-apps', 'final', 'last'])
  t.strictSame(phases.names, [
    'initial',
    'post-initial',
    'pre-auth',
    'session',
    'auth',
    'parse',
    'custom',
    'routes',
    'sub-apps',
    'files',
    'final',
    'last'
  ])
  phases.define(['first', 'initial'])
  phases.define([])
  t.equal(phases.names[0], 'first')
  t.throws(() => { phases.define(['final', 'initial']) }, { code: 'FBK_BOOT_PHASE_ORDER', message: /initial.*final/ })
  t.throws(() => phases.position('finale'), { code: 'FBK_BOOT_UNKNOWN_PHASE', message: /Did you mean "final"/ })
  t.ok(phases.position('routes:before') < phases.position(undefined))
  t.ok(phases.position(undefined) < phases.position('routes'))
  t.ok(phases.position('routes') < phases.position('routes:after'))
})

t.test('paths', async t => {
  t.equal(pathnameOf('/api/x%2Fy?q=%61'), '/api/x%2Fy')
  t.strictSame(['/caf\u00e9', '/a%2Bb', '/a b', '/x/:id', 'no-path', /^x/].map(expressPath), [
    '/caf%C3%A9',
    '/a\\+b',
    '/a%20b',
    '/x/:id',
    'no-path',
    /^x/
  ])
  t.strictSame(
    ['/caf%C3%A9/x', '/CAF%C3%A9', '/caf%C3%89', '/cafe'].map(path => matchPaths(['/caf\u00e9'])?.(path)),
    [true, true, false, false]
  )
  t.equal(matchPaths([]), undefined)
  t.equal(matchPaths(['/']), undefined)
  const one = matchPaths(['/api/'])
  t.strictSame(
    ['/api', '/API/x', '/api/', '/apix', '/', '/x/api'].map(path => one?.(path)),
    [true, true, true, false, false, false]
  )
  const pattern = matchPaths(['/users/:id', /^\/x\d+/])
  t.strictSame(
    ['/users/5', '/users/5/more', '/users', '/x12', '/users/%zz'].map(path => pattern?.(path)),
    [true, true, false, true, true]
  )
})

t.test('every phase and sub-phase runs in its place, whatever the order of registration', async t => {
  const phases = ['initial', 'session', 'auth', 'parse', 'mine', 'routes', 'files', 'final']
  const all = phases.flatMap(phase => [`${phase}:before`, phase, `${phase}:after`])
  const { get } = await build((app, chain) => {
    app.defineMiddlewarePhases?.('mine')
    for (const phase of [...all].reverse()) app.middleware?.(phase, stamp(phase))
    app.use?.(stamp('plain'))
    chain.addNative('routes', handOverStep('rest', ['/api']))
  })
  const early = ['initial', 'session', 'auth', 'parse', 'mine'].flatMap(phase => [
    `${phase}:before`,
    phase,
    `${phase}:after`
  ])
  t.strictSame((await get('/nothing')).trace, [
    ...early,
    'routes:before',
    'plain',
    'routes',
    'routes:after',
    'files:before',
    'files',
    'files:after',
    'final:before',
    'final',
    'final:after'
  ])
  const rest = await get('/api/notes')
  t.strictSame(rest.body, { notes: true })
  t.strictSame(
    rest.trace,
    [...early, 'routes:before', 'plain', 'routes'],
    'what was in routes before REST runs, what comes after does not'
  )
})

t.test('paths and methods of middleware, routers, routes and parameters', async t => {
  const { get } = await build(app => {
    app.middleware?.('initial', ['/a', '/b/:id'], stamp('listed'))
    app.middleware?.('initial', '/a/b', stamp('text'))
    app.middleware?.('initial', /^\/r\d/, stamp('pattern'))
    app.middlewareFromConfig?.((word: string) => stamp(word), { phase: 'initial', params: 'posts', methods: ['post'] })
    app.middlewareFromConfig?.((...words: string[]) => stamp(words.join('+')), {
      phase: 'initial',
      params: ['x', 'y'],
      methods: ['all'],
      paths: ['/a']
    })
    app.middlewareFromConfig?.(() => stamp('off'), { phase: 'initial', enabled: false })
    app.use?.('/m', (req: Req, res: Res) => {
      res.json({ url: req.url, baseUrl: req.baseUrl, originalUrl: req.originalUrl, path: req.path })
    })
    app.param?.('id', (req: Req, _res: Res, next: Next, id: string) => {
      Object.assign(req, { loaded: `loaded ${id}` })
      next()
    })
    app.get?.('/things/:id', (req: Req & { loaded: string }, res: Res) => {
      res.json({ id: req.params.id, loaded: req.loaded, query: req.query })
    })
    app
      .route?.('/both')
      .get((_req: Req, res: Res) => res.json({ verb: 'get' }))
      .put((_req: Req, res: Res) => res.json({ verb: 'put' }))
    app.all?.('/any', (req: Req, res: Res) => { res.json({ method: req.method }) })
    app.del?.('/gone', (_req: Req, res: Res) => { res.status(204).send('') })
  })
  t.strictSame((await get('/a/b')).trace, ['listed', 'text', 'x+y'])
  t.strictSame((await get('/B/5/x')).trace, ['listed'])
  t.strictSame((await get('/r1')).trace, ['pattern'])
  t.strictSame((await get('/c', { method: 'POST' })).trace, ['posts'])
  t.strictSame((await get('/m/x?y=1')).body, { url: '/x?y=1', baseUrl: '/m', originalUrl: '/m/x?y=1', path: '/x' })
  t.strictSame((await get('/things/7?a[b]=1')).body, { id: '7', loaded: 'loaded 7', query: { a: { b: '1' } } })
  t.strictSame((await get('/both', { method: 'PUT' })).body, { verb: 'put' })
  t.strictSame((await get('/any', { method: 'PATCH' })).body, { method: 'PATCH' })
  t.equal((await get('/gone', { method: 'DELETE' })).status, 204)
  t.strictSame((await get('/both', { method: 'DELETE' })).body, { concluded: 'nothing at /both' })
})

t.test('errors: from middleware, from routes, from nothing', async t => {
  const { get } = await build((app, chain) => {
    app.use?.('/thrown', () => { throw Object.assign(new Error('thrown'), { status: 409 }) })
    app.use?.('/passed', (_req: Req, _res: Res, next: Next) => {
      next(Object.assign(new Error('passed'), { status: 403 }))
    })
    chain.addNative('routes', {
      name: 'native',
      matches: path => path === '/native',
      handle: async () => {
        throw Object.assign(new Error('native'), { status: 402 })
      }
    })
    chain.addNative('routes', {
      name: 'native',
      matches: path => path === '/sync',
      handle: () => {
        throw Object.assign(new Error('sync'), { status: 406 })
      }
    })
    chain.addNative('routes', handOverStep('rest', ['/api']))
    app.middleware?.('final:after', (error: Error, _req: Req, res: Res, next: Next) => {
      res.setHeader('x-seen', error.message)
      next(error)
    })
    app.middleware?.('final:after', '/passed', (error: Error, _req: Req, res: Res, _next: Next) => {
      res.status(200).json({ handled: error.message })
    })
    chain.addNative('final:after', {
      name: 'handler',
      matches: path => path === '/native',
      fail: (error, _request, reply) => {
        reply.code(499).send({ mine: (error as Error).message })
      }
    })
  })
  t.match(await get('/thrown'), { status: 409, body: { concluded: 'thrown' }, headers: { 'x-seen': 'thrown' } })
  t.match(await get('/passed'), { status: 200, body: { handled: 'passed' }, headers: { 'x-seen': 'passed' } })
  t.match(await get('/native'), { status: 499, body: { mine: 'native' }, headers: { 'x-seen': 'native' } })
  t.match(await get('/sync'), { status: 406, body: { concluded: 'sync' } })
  t.match(
    await get('/api/fail'),
    { status: 418, body: { concluded: 'from a route' }, headers: { 'x-seen': 'from a route' } },
    "an error of Fastify's side is seen by error middleware, also when nothing ran before"
  )
  t.match(await get('/none'), { status: 404, body: { concluded: 'nothing at /none' } })
})

t.test('requests that no Express layer concerns do not meet Express', async t => {
  const { get, hooked, chain } = await build(app => {
    app.get?.('/about', (_req: Req, res: Res) => { res.json({ about: true }) })
  })
  t.notOk(hooked, 'literal paths become routes')
  t.strictSame(chain.literalPaths, ['/about'])
  t.strictSame((await get('/about')).body, { about: true })
  t.strictSame((await get('/ABOUT/')).body, { about: true })
  t.strictSame((await get('/%61bout')).body, { about: true })
  t.strictSame(
    (await get('/about', { method: 'POST', payload: 'broken', headers: { 'content-type': 'application/json' } })).body,
    { concluded: 'nothing at /about' }
  )
  t.strictSame((await get('/api/notes')).body, { notes: true })
  t.strictSame(
    (await get('/none', { method: 'POST', payload: '{broken', headers: { 'content-type': 'application/json' } })).body,
    { concluded: 'nothing at /none' }
  )

  const cases: Array<[string, (app: Built['app']) => void, object?]> = [
    ['a pattern', app => app.get?.('/a/:b', stamp('x'))],
    ['middleware', app => app.use?.('/a', stamp('x'))],
    ['a path below REST', app => app.get?.('/api/notes', stamp('x'))],
    ['routes of foreign plugins', app => app.get?.('/a', stamp('x')), { foreignRoutes: true }]
  ]
  for (const [name, declare, options] of cases) {
    t.ok((await build(declare, options ?? {})).hooked, `${name} needs a look at every request`)
  }
  t.notOk((await build(app => app.middleware?.('final', stamp('x')))).hooked, 'what comes after the routes does not')
})

t.test('a guard sees every spelling of a path that the router takes', async t => {
  const { get } = await build(app => {
    app.use?.('/api/notes', (_req: Req, res: Res) => { res.status(403).json({ closed: true }) })
  })
  for (const url of ['/api/notes', '/API/Notes', '/api/notes/', '/%61pi/notes', '/api/%6eotes?x', '/api/n%6Ftes/']) {
    t.equal((await get(url)).status, 403, url)
  }
})

t.test('what is answered stays answered, whatever runs after', async t => {
  const { get } = await build(app => {
    app.use?.('/twice', (_req: Req, res: Res, next: Next) => { res.json({ first: true }); next() })
    app.use?.('/failing', (_req: Req, res: Res, next: Next) => {
      res.json({ first: true })
      next(new Error('too late'))
    })
    app.use?.('/api/notes', (_req: Req, res: Res, next: Next) => { res.json({ before: 'Fastify' }); next() })
  })
  t.match(await get('/twice'), { status: 200, body: { first: true } })
  t.match(await get('/failing'), { status: 200, body: { first: true } })
  t.match(await get('/api/notes'), { status: 200, body: { before: 'Fastify' } })
})

t.test('middleware may change address and method', async t => {
  const { get } = await build(app => {
    app.use?.((req: Req, _res: Res, next: Next) => {
      if (req.url === '/old') req.url = '/api/notes'
      if (req.get('x-method') !== undefined) req.method = req.get('x-method') as string
      next()
    })
    app.middleware?.('final', (req: Req, res: Res) => { res.json({ final: req.url, method: req.method }) })
  })
  t.strictSame((await get('/old')).body, { notes: true })
  t.strictSame(
    (
      await get('/api/echo', {
        headers: { 'x-method': 'POST', 'content-type': 'application/json' },
        payload: '{"a":1}'
      })
    ).body,
    { body: { a: 1 } }
  )
  t.strictSame((await get('/other', { headers: { 'x-method': 'PUT' } })).body, { final: '/other', method: 'PUT' })
})

t.test('bodies: read by middleware and by routes', async t => {
  const { get } = await build(
    (app, chain) => {
      app.middleware?.('parse', ['/api', '/read'], express.json())
      app.middleware?.('parse', '/api', express.urlencoded({ extended: true }))
      app.middleware?.('parse', '/api', express.text({ type: 'text/plain' }))
      app.use?.('/read', (req: Req, res: Res) => {
        res.json({ read: req.body })
      })
      app.use?.('/stream', (req: Req, res: Res) => {
        let size = 0
        req
          .on('data', (chunk: Buffer) => {
            size += chunk.length
          })
          .on('end', () => {
            res.json({ size })
          })
      })
      chain.addNative('routes', handOverStep('rest', ['/api']))
    },
    {
      routes: fastify => {
        fastify.addContentTypeParser(
          'application/x-www-form-urlencoded',
          { parseAs: 'string' },
          (_request, text, done) => {
            done(null, { form: text })
          }
        )
      }
    }
  )
  const post = (url: string, type: string, payload: string | Buffer) =>
    get(url, { method: 'POST', headers: { 'content-type': type }, payload })
  t.strictSame((await post('/read', 'application/json', '{"a":[1,"ü"]}')).body, { read: { a: [1, 'ü'] } })
  t.strictSame(
    (await post('/api/echo', 'application/json', '{"a":[1,"ü"]}')).body,
    { body: { a: [1, 'ü'] } },
    'what body-parser read reaches the route'
  )
  t.strictSame((await post('/api/echo', 'text/plain', 'some text')).body, { body: 'some text' })
  t.strictSame(
    (await post('/stream', 'application/octet-stream', Buffer.alloc(70_000))).body,
    { size: 70_000 },
    'a body that nobody read can be streamed'
  )
  t.equal((await post('/read', 'application/json', '{broken')).status, 400)
  t.strictSame((await get('/api/notes')).body, { notes: true })
})

t.test('headers of both sides arrive', async t => {
  const { get } = await build(app => {
    app.use?.((_req: Req, res: Res, next: Next) => {
      res.cookie('express', '1')
      res.setHeader('vary', 'accept')
      res.setHeader('x-express', '1')
      next()
    })
    app.get?.('/page', (_req: Req, res: Res) => { res.send('page') })
  }, {
    routes: fastify => {
      fastify.addHook('onRequest', (_request, reply, done) => {
        reply.header('x-fastify', '1').header('set-cookie', 'fastify=1').header('vary', 'origin')
        done()
      })
      fastify.get('/both', async () => 'both')
    }
  })
  const both = await get('/both')
  t.match(both.headers, {
    'x-express': '1',
    'x-fastify': '1',
    vary: 'accept, origin',
    'set-cookie': ['express=1; Path=/', 'fastify=1']
  })
  t.match((await get('/page')).headers, { 'x-express': '1' })
})

t.test('routers within routers, applications within the application', async t => {
  const { get, fastify } = await build((app, chain) => {
    const outer = express.Router()
    const inner = express.Router({ mergeParams: true })
    inner.get('/x', (req, res) => { res.json({ params: req.params, baseUrl: req.baseUrl }) })
    outer.use('/in/:id', inner)
    outer.use('/rest', (req: any, _res: any, next: Next) => {
      req[
        Object.getOwnPropertySymbols(req).find(symbol => symbol.description === 'fastback.exchange') as symbol
      ].handOver(next)
    })
    app.use?.('/out', outer)
    app.use?.(
      '/api',
      express.Router().use((req: any, _res: any, next: Next) => {
        req.custom = 'kept'
        req[
          Object.getOwnPropertySymbols(req).find(symbol => symbol.description === 'fastback.exchange') as symbol
        ].handOver(next)
      })
    )
    const sub = express()
    sub.get('/page', (req, res) => { res.json({ sub: req.baseUrl }) })
    app.use?.('/sub', sub)
    app.use?.('/sub', (req: Req, res: Res) => { res.json({ after: req.path, app: req.get('host') !== undefined }) })
    chain.addNative('routes', handOverStep('rest', ['/none']))
  })
  t.strictSame((await get('/out/in/5/x')).body, { params: { id: '5' }, baseUrl: '/out/in/5' })
  t.strictSame((await get('/out/none')).body, { concluded: 'nothing at /out/none' })
  t.strictSame(
    (await get('/api/custom')).body,
    { seen: 'kept' },
    'a router may hand over, and Fastify sees the whole address'
  )
  t.strictSame((await get('/api/notes?x=1')).body, { notes: true })
  t.strictSame(
    (await get('/api/none')).body,
    { concluded: 'nothing at /api/none' },
    'what Fastify does not answer comes back'
  )
  // An Express application of its own puts its prototypes on the request, which injected ones do not survive.
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => { await fastify.close() })
  t.strictSame(await (await fetch(`${address}/sub/page`)).json(), { sub: '/sub' })
  t.strictSame(await (await fetch(`${address}/sub/other`)).json(), { after: '/other', app: true })
})

t.test('app.use and its kin refuse what is no function', async t => {
  const chain = new Chain()
  const app = middlewareMethods({ ...noHost, chain, mayAdd () {}, application: () => parent }, name => `setting ${name}`) as Built['app']
  t.equal(app.get?.('port'), 'setting port')
  t.throws(() => app.use?.('/x'), /requires middleware functions/)
  t.throws(() => app.use?.('/x', {}), /requires middleware functions/)
  t.throws(() => app.middleware?.('initial', '/x'), /requires a handler/)
  t.throws(() => app.middleware?.('innitial', stamp('x')), { code: 'FBK_BOOT_UNKNOWN_PHASE' })
  t.throws(() => app.middlewareFromConfig?.(() => undefined, { phase: 'initial' }), { code: 'FBK_BOOT_INVALID_CONFIG' })
})

t.test('Fastify plugins on some paths and methods only', async t => {
  t.ok(isFastifyPlugin(fp(async () => {})))
  t.ok(isFastifyPlugin(async () => {}))
  t.notOk(isFastifyPlugin(() => {}))
  t.notOk(isFastifyPlugin(undefined))
  const plugin = fp((fastify, options: { word: string }, done) => {
    fastify.decorate('decorated', true)
    fastify.addHook('onRequest', (_request, reply, next) => { reply.header('x-callback', options.word); next() })
    fastify.addHook('onRequest', async (_request, reply) => { reply.header('x-promise', options.word) })
    fastify.addHook('onSend', async (_request, _reply, payload) => `${String(payload)}+async`)
    fastify.addHook('onSend', (_request, _reply, payload, next) => { next(null, `${String(payload)}+callback`) })
    done()
  })
  const fastify = Fastify()
  const inPlace = { name: 'x', order: () => () => true }
  const load = () => ({ plugin, options: { word: 'yes' } })
  await fastify.register(asMiddleware({ ...inPlace, load, paths: ['/in'], methods: ['GET'] }))
  for (const url of ['/in/x', '/out']) fastify.all(url, async () => 'body')
  const inside = await fastify.inject('/in/x')
  t.match(inside.headers, { 'x-callback': 'yes', 'x-promise': 'yes' })
  t.equal(inside.body, 'body+async+callback')
  for (const request of [{ url: '/out', method: 'GET' }, { url: '/in/x', method: 'POST' }] as const) {
    const outside = await fastify.inject(request)
    t.notOk('x-callback' in outside.headers || 'x-promise' in outside.headers)
    t.equal(outside.body, 'body')
  }
  t.ok(fastify.hasDecorator('decorated'))
  await t.rejects(
    async () =>
      await Fastify()
        .register(
          asMiddleware({
            ...inPlace,
            load: () => ({ plugin: fp((_fastify, _options, done) => { done(new Error('no')) }), options: {} }),
            paths: ['/x'],
            methods: []
          })
        )
        .ready(),
    /no/
  )
})

t.test('native steps before the routes, with Express and without', async t => {
  const early: NativeStep = {
    name: 'early',
    matches: path => path.startsWith('/early'),
    handle: (_request, reply) => {
      reply.send({ early: true })
      return 'done'
    }
  }
  const bare = await build((_app, chain) => { chain.addNative('initial', early) })
  t.ok(bare.hooked)
  t.strictSame((await bare.get('/early/x')).body, { early: true })
  t.strictSame((await bare.get('/api/notes')).body, { notes: true })
  const health: NativeStep = {
    ...early,
    matches: path => /^\/health(\/|$)/.test(path),
    literalPaths: ['/health', '/health/*']
  }
  const literal = await build((_app, chain) => { chain.addNative('initial', health) })
  t.notOk(literal.hooked)
  for (const url of ['/health', '/health/more/of']) t.strictSame((await literal.get(url)).body, { early: true })
  const above = await build((_app, chain) => { chain.addNative('initial', { ...health, literalPaths: ['/', '/*'] }) })
  t.ok(above.hooked, 'a mount below such a path must not be hidden')
  const aside = await build((_app, chain) => {
    chain.addNative('auth', { name: 'token', forExpress: true, handle: () => 'next' })
  })
  t.notOk(aside.hooked)
})
