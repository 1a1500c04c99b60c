import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { CallPhases, RemoteObjects, SharedClass, SharedMethod, phasesOf, type RemotesHandler } from '@fastback/rest/remoting'
import { makeApp } from './app.js'

type Callback = (error: unknown, ...values: unknown[]) => void

/** A class as applications of LoopBack wrote them. */
function counterClass (): any {
  function Counter (this: { id: unknown }, id: unknown): void { this.id = id }
  Counter.sharedCtor = Object.assign(
    (id: unknown, done: Callback) => {
      if (id === 'none') done(Object.assign(new Error('no such counter'), { statusCode: 404 }))
      else done(null, new (Counter as any)(id))
    },
    { shared: true, accepts: [{ arg: 'id', type: 'any', http: { source: 'path' } }], http: { path: '/:id' } }
  )
  Counter.sum = Object.assign((a: number, b: number, done: Callback) => { done(null, a + b) }, {
    shared: true,
    accepts: [{ arg: 'a', type: 'number' }, { arg: 'b', type: 'number', required: true }],
    returns: { arg: 'sum', type: 'number' },
    http: { verb: 'get', path: '/sum' }
  })
  Counter.echo = Object.assign(async (data: unknown) => data, {
    shared: true,
    accepts: { arg: 'data', type: 'object', http: { source: 'body' } },
    returns: { arg: 'data', type: 'object', root: true, xml: { wrapperElement: 'echo', declaration: false } }
  })
  Counter.fails = Object.assign(async () => { throw new Error('secret of the house') }, { shared: true })
  Counter.prototype.name = Object.assign(
    function (this: { id: unknown }, suffix: string, done: Callback) { done(null, `${String(this.id)}${suffix}`) },
    { shared: true, accepts: { arg: 'suffix', type: 'string' }, returns: { arg: 'name', type: 'string' } }
  )
  return Counter
}

function remotesWith (options: ConstructorParameters<typeof RemoteObjects>[0] = {}): RemoteObjects {
  const remotes = RemoteObjects.create({ errorHandler: { log: false }, ...options })
  remotes.exports.Counter = counterClass()
  return remotes
}

async function listen (t: Test, listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serve = (t: Test, remotes: RemoteObjects, handler: RemotesHandler = remotes.handler('rest')): Promise<string> =>
  listen(t, (req, res) => { handler(req, res) })

async function ask (url: string, init?: RequestInit): Promise<[status: number, body: any]> {
  const response = await fetch(url, init)
  const text = await response.text()
  return [response.status, response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text]
}

const posting = (body: unknown): RequestInit =>
  ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

t.test('functions of any class as routes, under the rules of arguments', async t => {
  const url = await serve(t, remotesWith())
  t.strictSame(await ask(`${url}/Counter/sum?a=1&b=2`), [200, { sum: 3 }])
  t.strictSame(await ask(`${url}/counter/SUM/?a=1&b=2`), [200, { sum: 3 }], 'paths have no case')
  const [status, { error }] = await ask(`${url}/Counter/sum?a=x`)
  t.strictSame([status, error.code, error.details.length], [400, 'INVALID_PARAMETER_VALUE', 2])
  t.strictSame(await ask(`${url}/Counter/echo`, posting({ a: [1] })), [200, { a: [1] }])
  t.equal((await ask(`${url}/Counter/echo`, posting([1])))[0], 422)
  t.strictSame(await ask(`${url}/Counter/7/name?suffix=!`), [200, { name: '7!' }])
  t.equal((await ask(`${url}/Counter/none/name`))[1].error.message, 'no such counter')
  const below = (await ask(`${url}/Counter/a/b/c`))[1].error
  t.match(below, { statusCode: 404, message: /"Counter" has no method handling GET \/a\/b\/c/ })
  t.match((await ask(`${url}/Elsewhere`))[1].error, { statusCode: 404, message: /no method to handle GET \/Elsewhere/ })
  const [code, body] = await ask(`${url}/Counter/fails`)
  t.strictSame([code, body.error.message], [500, 'Internal Server Error'], 'faults of the server are not told')
})

t.test('XML says what its method says of it', async t => {
  const url = await serve(t, remotesWith({ rest: { xml: true } }))
  const init = posting({ a: 1 })
  t.strictSame(
    await ask(`${url}/Counter/echo`, { ...init, headers: { ...init.headers, accept: 'application/xml' } }),
    [200, '<echo>\n  <a>1</a>\n</echo>']
  )
})

t.test('JSONP where a setting names its type', async t => {
  const accept = { headers: { accept: 'application/javascript' } }
  const url = await serve(t, remotesWith({ rest: { supportedTypes: ['json', 'application/javascript'] } }))
  t.strictSame(await ask(`${url}/Counter/sum?a=1&b=2&callback=boo`, accept),
    [200, '/**/ typeof boo === \'function\' && boo({"sum":3});'])
  t.strictSame(await ask(`${url}/Counter/sum?a=1&b=2&callback=alert(1)`, accept), [200, { sum: 3 }], 'a name and no more')
  t.strictSame(await ask(`${url}/Counter/sum?a=1&b=2&callback=boo`), [200, { sum: 3 }])
  const plain = await serve(t, remotesWith())
  t.equal((await ask(`${plain}/Counter/sum?a=1&b=2&callback=boo`, accept))[0], 406)
})

t.test('hooks, phases and authorization around calls', async t => {
  const remotes = remotesWith()
  const seen: string[] = []
  const note = (name: string) => (_context: unknown, next: () => void) => { seen.push(name); next() }
  remotes.before('**', note('before **')).before('Counter.sum', note('before'))
  remotes.after('Counter.*', (context, next, method) => {
    seen.push(`after ${String(method.stringName)}`)
    context.result.sum++
    next()
  })
  remotes.afterError('**', async context => { seen.push(`error ${String(context.error.message)}`) })
  remotes.authorization = (context, next) => {
    seen.push('authorization')
    next(context.args.a === 13 ? Object.assign(new Error('unlucky'), { statusCode: 401 }) : undefined)
  }
  remotes.phases.addBefore('invoke', 'tenant').use(note('tenant'))
  remotes.registerPhaseHandler('invoke:after', 'Counter.sum', note('last'))
  remotes.registerPhaseHandler('invoke', 'Other.**', note('never'))
  const url = await serve(t, remotes)
  t.strictSame(await ask(`${url}/Counter/sum?a=1&b=2`), [200, { sum: 4 }])
  t.strictSame(seen.splice(0), ['authorization', 'tenant', 'before', 'before **', 'after Counter.sum', 'last'])
  t.equal((await ask(`${url}/Counter/sum?a=13&b=2`))[0], 401)
  t.strictSame(seen.splice(0), ['authorization', 'error unlucky'])
  remotes.authorization = async () => { throw Object.assign(new Error('who are you'), { statusCode: 401 }) }
  t.equal((await ask(`${url}/Counter/none/name`))[0], 401, 'that there is no instance is not told to everybody')
  t.throws(() => remotes.phases.addAfter('nowhere', 'x'), { code: 'FBK_REST_UNKNOWN_PHASE' })
})

t.test('within Express: bodies that it has read, what comes after, own types', async t => {
  const remotes = remotesWith({ rest: { handleErrors: false, handleUnknownPaths: false } })
  class Point { constructor (readonly data: Record<string, unknown>) {} }
  remotes.defineObjectType('Point', data => new Point(data))
  remotes.defineType('Loud', {
    fromTypedValue: (_context, value) => ({ value }),
    fromSloppyValue: (_context, value) =>
      value === 'no' ? { error: new Error('not so') } : { value: String(value).toUpperCase() },
    validate: () => undefined
  })
  const kinds = (point: unknown, loud: unknown, req: any): unknown =>
    ({ isPoint: point instanceof Point, loud, mounted: req.baseUrl, id: req.app.get('id') })
  remotes.exports.own = {
    kinds: Object.assign(async (...args: Parameters<typeof kinds>) => kinds(...args), {
      shared: true,
      accepts: [{ arg: 'point', type: 'Point' }, { arg: 'loud', type: 'loud' }, { arg: 'req', type: 'object', http: { source: 'req' } }],
      returns: { arg: 'data', type: 'object', root: true }
    })
  }
  const app = express().set('id', 'mine')
  app.use(express.json())
  app.use('/api', remotes.handler('rest') as express.RequestHandler)
  app.use((req, res) => { res.status(404).send(`nothing at ${req.originalUrl}`) })
  const teapot: express.ErrorRequestHandler = (error: Error, _req, res, _next) => {
    res.status(418).send(error.message)
  }
  app.use(teapot)
  const url = await listen(t, app)
  t.strictSame(await ask(`${url}/api/own/kinds?loud=a`, posting({ point: { x: 1 } })),
    [200, { isPoint: true, loud: 'A', mounted: '/api', id: 'mine' }])
  t.strictSame(await ask(`${url}/api/own/kinds?loud=no`), [418, 'not so'])
  t.strictSame(await ask(`${url}/api/nowhere`), [404, 'nothing at /api/nowhere'])
  const file = { fromTypedValue: String, fromSloppyValue: String, validate: String } as never
  t.throws(() => { remotes.defineType('file', file) }, { code: 'FBK_REST_INVALID_REMOTING_TYPE' })
  t.throws(() => { remotes.defineType('x', (() => {}) as never) }, { code: 'FBK_REST_REMOVED_FUNCTION' })
  t.throws(() => remotes.handler('soap'), { code: 'FBK_REST_INVALID_ADAPTER' })
  t.throws(() => RemoteObjects.create({ cors: { origin: true } }).handler('rest'), { code: 'FBK_REST_REMOVED_SETTING' })
})

t.test('a handler of errors that the application gives', async t => {
  const remotes = remotesWith({
    errorHandler: { log: false, handler: (_error, _req, _res, next) => { next(Object.assign(new Error('mine'), { statusCode: 410 })) } }
  })
  const [status, { error }] = await ask(`${await serve(t, remotes)}/Counter/fails`)
  t.strictSame([status, error.message], [410, 'mine'])
})

t.test('calls to another server', async t => {
  const url = await serve(t, remotesWith())
  const client = remotesWith()
  const invoke = (name: string, ...rest: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      client.invoke(name, ...rest, (error: Error | null, value: unknown) => {
        if (error === null) resolve(value)
        else reject(error)
      })
    })
  t.throws(() => { client.invoke('Counter.sum', [1, 2], () => {}) }, { code: 'FBK_REST_CANNOT_INVOKE' })
  client.connect(url.replace('//', '//me:secret@'), 'rest')
  t.strictSame(client.auth, { username: 'me', password: 'secret' })
  t.equal(await invoke('Counter.sum', [1, 2]), 3)
  t.equal(await invoke('Counter.prototype.name', ['a/b'], ['!']), 'a/b!', 'values of the path are escaped')
  t.strictSame(await invoke('Counter.echo', [{ a: 1 }]), { a: 1 })
  await t.rejects(invoke('Counter.sum', ['x']), { statusCode: 400, code: /_PARAMETER/ })
  await t.rejects(invoke('Counter.nothing', []), { code: 'FBK_REST_CANNOT_INVOKE' })
})

t.test('JSON-RPC', async t => {
  const remotes = remotesWith()
  remotes.authorization = (context, next) => {
    next(context.args.a === 13 ? Object.assign(new Error('unlucky'), { statusCode: 401 }) : undefined)
  }
  const url = `${await serve(t, remotes, remotes.handler('jsonrpc'))}/Counter/jsonrpc`
  const call = async (method: unknown, params?: unknown): Promise<any> =>
    (await ask(url, posting({ jsonrpc: '2.0', id: 1, method, params })))[1]
  t.strictSame(await call('sum', [1, 2]), { jsonrpc: '2.0', result: 3, id: 1 })
  t.strictSame((await call('sum', { b: 1, a: 4 })).result, 5)
  t.equal((await call('sum', ['x', 2])).error.code, -32602)
  t.equal((await call('sum', [1])).error.code, -32602)
  t.equal((await call('name', [])).error.code, -32601, 'static methods only')
  t.equal((await call(5)).error.code, -32600)
  t.strictSame((await call('sum', [13, 1])).error, { code: -32000, message: 'unlucky', data: { statusCode: 401 } })
  t.strictSame((await call('fails', [])).error, { code: -32000, message: 'Server error' })
})

t.test('shared classes and methods', async t => {
  const Counter = counterClass()
  const shared = new SharedClass('Counter', Counter)
  const names = (): string[] => shared.methods().map(({ stringName }) => stringName)
  t.strictSame(names(), ['Counter.sharedCtor', 'Counter.sum', 'Counter.echo', 'Counter.fails', 'Counter.prototype.name'])
  Counter.add = Counter.sum
  t.strictSame(shared.findMethodByName('add')?.aliases, ['sum', 'add'], 'one function is one method')
  shared.resolve(define => define('later', { isStatic: true }, () => {}))
  t.ok(shared.findMethodByName('later'))
  shared.disableMethodByName('later')
  shared.disableMethod('name')
  shared.disableMethodByName('add')
  t.strictSame(names(), ['Counter.sharedCtor', 'Counter.echo', 'Counter.fails'])
  t.equal(shared.find(Counter.echo)?.name, 'echo')
  t.equal(shared.find('echo'), null, 'an instance method is none of this name')
  t.throws(() => new SharedClass(undefined, {}), { code: 'FBK_REST_INVALID_SHARED_CLASS' })
  t.throws(() => new SharedMethod(() => {}, 'prototype.x', shared), { code: 'FBK_REST_INVALID_SHARED_METHOD' })
  const remotes = RemoteObjects.create()
  remotes.addClass(shared)
  t.strictSame(Object.keys(remotes.toJSON()), ['Counter.sharedCtor', 'Counter.echo', 'Counter.fails'])
  t.equal(remotes.findMethod('Counter.echo')?.name, 'echo')
  remotes.deleteClassByName('Counter')
  t.strictSame(remotes.classes(), [])
})

t.test('phases of an application stand around the methods of its models', async t => {
  t.equal(phasesOf(new ModelRegistry()).isPlain, true)
  t.strictSame(new CallPhases().getPhaseNames(), ['auth', 'invoke'])
  const app = await makeApp(t, { definitions: [{ name: 'Note', properties: { title: 'string' } }] })
  await (app.models.Note as any).create({ title: 'a' })
  t.equal((await app.inject('/api/Notes')).statusCode, 200)
  const seen: unknown[] = []
  phasesOf(app.registry).registerFor('invoke', 'Note.find', (context: any, next) => {
    seen.push(context.result.length)
    next()
  })
  t.equal((await app.inject('/api/Notes')).json().length, 1)
  t.strictSame(seen, [1], 'also where they come after the first request')
  phasesOf(app.registry).authorization = (_context, next) => { next(Object.assign(new Error('closed'), { statusCode: 403 })) }
  t.equal((await app.inject('/api/Notes')).statusCode, 403)
})

t.test('Model.sharedClass says what is shared', async t => {
  const app = await makeApp(t, { definitions: [{ name: 'Note', properties: { title: 'string' } }] })
  const shared = app.models.Note?.sharedClass as any
  const find = shared.findMethodByName('find')
  t.match(find, { name: 'find', stringName: 'Note.find', isStatic: true, http: { verb: 'get', path: '/' }, shared: true })
  t.equal(find.fn, app.models.Note?.find)
  t.equal(shared.find(app.models.Note?.find, true)?.name, 'find')
  t.equal(shared.find('find')?.name, undefined, 'an instance method is none of this name')
  t.equal(shared.findMethodByName('prototype.updateAttributes').name, 'patchAttributes')
  shared.resolve((define: any) => { define('shout', { isStatic: true, returns: { arg: 'text', type: 'string' } }, async () => 'A') })
  t.ok(shared.findMethodByName('shout').isDelegateForName('shout'))
  shared.disableMethod('shout', true)
  t.equal(shared.findMethodByName('shout'), null)
})

t.test('descriptions of methods name models and ids as LoopBack does', async t => {
  const app = await makeApp(t, {
    definitions: [
      { name: 'Note', replaceOnPUT: false, relations: { pages: { type: 'hasMany', model: 'Page' } } },
      { name: 'Page', forceId: false, properties: { title: 'string' } }
    ]
  })
  const shared = app.models.Note?.sharedClass as any
  const argumentsOf = (name: string): any[] => shared.findMethodByName(name).accepts
  t.equal(argumentsOf('create')[0].createOnlyInstance, true)
  t.equal(argumentsOf('prototype.__create__pages')[0].createOnlyInstance, false, 'callers choose the ids of pages')
  t.match(argumentsOf('prototype.__create__pages')[0], { model: 'Page' })
  for (const name of ['__get__pages', '__findById__pages', '__count__pages']) {
    t.notOk('model' in argumentsOf(`prototype.${name}`)[0], name)
  }
  const verbs = shared.findMethodByName('prototype.patchAttributes').http.map(({ verb }: { verb: string }) => verb)
  t.strictSame(verbs, ['put', 'patch'])
})
