import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { call, makeApp } from './app.js'

const tool = { name: 'Tool', base: 'Model', plural: 'tools' }

const app = await makeApp(t, {
  definitions: [tool],
  prepare ({ Tool }, server) {
    server.addHook('onRequest', async (_request, reply) => {
      reply.header('x-fastify', 'kept')
    })
    const method = (name: string, fn: unknown, accepts: unknown[], extra = {}): void => {
      ;(Tool as any)[name] = fn
      ;(Tool as any).remoteMethod(name, {
        accepts,
        returns: { arg: 'out', type: 'object', root: true },
        http: { verb: 'all', path: `/${name}` },
        ...extra
      })
    }
    const req = { arg: 'req', http: { source: 'req' } }
    const res = { arg: 'res', http: { source: 'res' } }
    method(
      'seen',
      async (req: any) => ({
        method: req.method,
        url: req.originalUrl,
        path: req.path,
        agent: req.get('x-agent'),
        query: req.query,
        body: req.body,
        params: req.params,
        json: req.is('json'),
        ip: typeof req.ip,
        secure: req.secure,
        xhr: req.xhr,
        app: typeof req.app.get
      }),
      [req]
    )
    method(
      'respond',
      (code: number, res: any, cb: any) => {
        res.set('x-set', 'by-hand').status(code)
        cb(null, { code })
      },
      [{ arg: 'code', type: 'number', required: true }, res]
    )
    method(
      'byHand',
      (res: any) => {
        res.status(203).type('text/plain').send('written by hand')
      },
      [res]
    )
    method(
      'later',
      (res: any) => {
        setTimeout(() => {
          res.json({ late: true })
        }, 5)
      },
      [res]
    )
    method(
      'both',
      (res: any, cb: any) => {
        res.json({ by: 'hand' })
        cb(null, { by: 'callback' })
      },
      [res]
    )
    method(
      'streamed',
      (res: any) => {
        res.type('text/csv')
        res.write('a,')
        setImmediate(() => {
          res.end('b')
        })
      },
      [res]
    )
    method(
      'redirected',
      (res: any) => {
        res.redirect(303, '/elsewhere')
      },
      [res]
    )
    method(
      'context',
      async (ctx: any, extra: string) => ({
        name: ctx.method.name,
        string: ctx.methodString,
        args: Object.keys(ctx.args).sort(),
        verb: ctx.req.method,
        extra
      }),
      [
        { arg: 'ctx', http: { source: 'context' } },
        { arg: 'extra', type: 'string' }
      ]
    )
  }
})

t.test('a request has what Express gives it', async t => {
  t.strictSame((await call(app, 'GET', '/tools/seen?a=1&b[c]=2', undefined, { 'x-agent': 'me' })).body, {
    method: 'GET',
    url: '/api/tools/seen?a=1&b[c]=2',
    path: '/api/tools/seen',
    agent: 'me',
    query: { a: '1', b: { c: '2' } },
    body: {},
    params: {},
    json: null,
    ip: 'string',
    secure: false,
    xhr: false,
    app: 'function'
  })
  t.match((await call(app, 'POST', '/tools/seen', { z: 1 })).body, { body: { z: 1 }, json: 'json', query: {} })
})

t.test('what is set on a response stays', async t => {
  t.match(await call(app, 'GET', '/tools/respond?code=201'), {
    status: 201,
    body: { code: 201 },
    headers: { 'x-set': 'by-hand', 'x-fastify': 'kept', 'content-type': 'application/json; charset=utf-8' }
  })
})

t.test('answers by hand', async t => {
  t.match(await call(app, 'GET', '/tools/byHand'), {
    status: 203,
    body: 'written by hand',
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-fastify': 'kept', 'x-content-type-options': 'nosniff' }
  })
  t.match(await call(app, 'GET', '/tools/later'), {
    status: 200,
    body: { late: true },
    headers: { 'x-fastify': 'kept' }
  })
  t.match(await call(app, 'GET', '/tools/both'), { status: 200, body: { by: 'hand' } }, 'the first answer counts')
  t.match(await call(app, 'GET', '/tools/streamed'), { status: 200, body: 'a,b' })
  t.match(await call(app, 'GET', '/tools/redirected'), { status: 303, headers: { location: '/elsewhere' } })
})

t.test('the context as an argument', async t => {
  t.strictSame((await call(app, 'GET', '/tools/context?extra=more')).body, {
    name: 'context',
    string: 'Tool.context',
    args: ['ctx', 'extra'],
    verb: 'GET',
    extra: 'more'
  })
})

t.test('the same over a socket', async t => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const text = (path: string): Promise<{ status: number | undefined; body: string }> =>
    new Promise((resolve, reject) => {
      httpRequest({ port, path: `/api${path}` }, response => {
        let body = ''
        response
          .setEncoding('utf8')
          .on('data', chunk => {
            body += chunk
          })
          .on('end', () => {
            resolve({ status: response.statusCode, body })
          })
      })
        .on('error', reject)
        .end()
    })
  t.match(await text('/tools/seen?a=1'), { status: 200, body: /"ip":"string"/ })
  t.strictSame(await text('/tools/byHand'), { status: 203, body: 'written by hand' })
  t.strictSame(await text('/tools/streamed'), { status: 200, body: 'a,b' })
})
