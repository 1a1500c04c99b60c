import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable, Stream } from 'node:stream'
import t, { type Test } from 'tap'
import { GeoPoint } from '@fastback/core/juggler'
import { RemoteObjects, SharedClass } from '@fastback/rest/remoting'
import { call, makeApp } from './app.js'

type Method = (...args: any[]) => unknown
type Answer = [status: number, body: any, headers: Headers]
type Ask = (path: string, init?: RequestInit) => Promise<Answer>

/** Methods of a class without a model, with the options of each, served as `strong-remoting` serves them. */
async function serve (t: Test, methods: Record<string, [Method, object]>): Promise<Ask> {
  const remotes = new RemoteObjects({ errorHandler: { log: false } }, 'loopback3')
  remotes.exports.tools = Object.fromEntries(Object.entries(methods)
    .map(([name, [fn, options]]) => [name, Object.assign(fn, { shared: true, returns: { arg: 'data', root: true }, ...options })]))
  const server = http.createServer(remotes.handler('rest')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/tools`
  return async (path, init) => {
    const response = await fetch(url + path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '' && !text.includes('\n')
    return [response.status, isJson ? JSON.parse(text) : text, response.headers]
  }
}

const posting = (body: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST', headers: { 'content-type': type }, body: typeof body === 'string' ? body : JSON.stringify(body)
})

t.test('a class without a model takes values as strong-remoting does', async t => {
  const one = (): Method => async (value: unknown) => [value ?? 'nothing']
  const two = (): Method => async (a: unknown, b: unknown) => [a ?? 'nothing', b ?? 'nothing']
  const ask = await serve(t, {
    query: [two(), { accepts: [{ arg: 'from', type: 'date' }, { arg: 'n', type: 'number' }], http: { verb: 'get' } }],
    body: [one(), { accepts: { arg: 'data', type: 'object', http: { source: 'body' } } }],
    list: [one(), { accepts: { arg: 'data', type: 'object', allowArray: true, http: { source: 'body' } } }],
    form: [two(), { accepts: [{ arg: 'word', type: 'string', required: true, http: { source: 'form' } }, { arg: 'n', type: 'number', http: { source: 'form' } }] }],
    header: [one(), { accepts: { arg: 'x-word', type: 'string' }, http: { verb: 'get' } }]
  })
  t.match(await ask('/query?from=0&n='), [200, ['1970-01-01T00:00:00.000Z', 'nothing']])
  t.match(await ask('/query?n=x'), [400, { error: { code: 'INVALID_PARAMETER_VALUE' } }])
  t.match(await ask('/body', posting({ a: 1 })), [200, [{ a: 1 }]])
  t.match(await ask('/body', { method: 'POST' }), [200, [{}]], 'no body is an empty one')
  t.match(await ask('/body', posting([1])), [400, { error: { code: 'INVALID_PARAMETER_VALUE' } }])
  t.match(await ask('/body', posting('<a/>', 'text/xml')), [415])
  t.match(await ask('/list', posting([{ a: 1 }])), [200, [[{ a: 1 }]]])
  t.match(await ask('/list', posting([1])), [400])
  t.match(await ask('/form', posting('word=a&n=7', 'application/x-www-form-urlencoded')), [200, ['a', 7]])
  t.match(await ask('/form', posting({ word: 'a', n: '7' })), [400])
  t.match(await ask('/form', posting('word=', 'application/x-www-form-urlencoded')), [400, { error: { code: 'MISSING_REQUIRED_PARAMETER' } }])
  t.match(await ask('/header', { headers: { 'x-word': 'hi' } }), [200, ['hi']])
})

t.test('and answers as it does', async t => {
  const old = (): Stream => {
    const stream = new Stream()
    setImmediate(() => {
      for (const each of [1, null, 'a']) stream.emit('data', each)
      stream.emit('end')
    })
    return stream
  }
  const calls: string[] = []
  const failing = (): object => {
    const stream = Object.assign(new Stream(), {
      resume () { if (!calls.includes('resume')) calls.push('resume') }, pause () {}, destroy () { calls.push('destroy') }
    })
    setImmediate(() => stream.emit('error', new Error('secret')))
    return stream
  }
  const json = { returns: { arg: 'data', type: 'ReadableStream', json: true }, http: { verb: 'get' } }
  const ask = await serve(t, {
    nothing: [async () => {}, { returns: undefined }],
    dated: [async (data: { at: Date }) => data.at.getTime(), { accepts: { arg: 'data', type: 'object', http: { source: 'body' } } }],
    word: [async () => ({ word: 'same' }), { http: { verb: 'get' } }],
    tagged: [async () => [1, '"own"'], {
      http: { verb: 'get' }, returns: [{ arg: 'data', root: true }, { arg: 'ETag', http: { target: 'header' } }]
    }],
    piped: [() => Readable.from(['{"a":', '1}']), { http: { verb: 'get', pipe: { dest: 'res' } }, returns: { arg: 'res', type: 'stream' } }],
    old: [(done: Method) => done(null, old()), json],
    failing: [(done: Method) => done(null, failing()), json],
    wrong: [async () => [1], { http: { verb: 'get' }, returns: { arg: 'data', type: 'file', root: true } }]
  })
  const [status, , headers] = await ask('/nothing', { method: 'POST' })
  t.strictSame([status, headers.get('content-type')], [204, 'application/json; charset=utf-8'])
  t.match(await ask('/dated', posting({ at: { $type: 'date', $data: '1970-01-01T00:00:00.005Z' } })), [200, 5])
  const [, , received] = await ask('/word')
  // Without it fetch asks for a response past all caches.
  const having = (mark: string): { headers: Record<string, string> } =>
    ({ headers: { 'if-none-match': mark, 'cache-control': 'max-age=0' } })
  const tag = received.get('etag') as string
  t.match(await ask('/word', having(`"x", ${tag}`)), [304, ''])
  t.match(await ask('/word', having('"x"')), [200, { word: 'same' }])
  t.match(await ask('/word', having('*')), [304, ''])
  t.match(await ask('/word', { headers: { 'if-none-match': tag, 'cache-control': 'no-cache' } }), [200])
  t.match(await ask('/tagged', having('W/"own"')), [304, ''])
  t.match(await ask('/piped'), [200, { a: 1 }])
  const [, events] = await ask('/old', { headers: { accept: 'text/event-stream' } })
  t.equal(events, ':ok\n\nevent: data\ndata: 1\n\nevent: data\ndata: null\n\nevent: data\ndata: "a"\n\nevent: end\ndata: null\n\n')
  t.match(await ask('/wrong'), [500], 'a list is no file')
  const [, failed] = await ask('/failing', { headers: { accept: 'text/event-stream' } })
  t.match(failed, /event: error\ndata: \{"message":"The stream failed"\}/, 'what failed is not told (S-58)')
  t.strictSame(calls, ['resume', 'destroy'])
})

t.test('a media type of vendors, where it is named', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Tool', base: 'Model' }],
    prepare ({ Tool }) {
      ;(Tool as any).one = async () => 1
      ;(Tool as any).remoteMethod('one', { returns: { arg: 'n' }, http: { verb: 'get' } })
    },
    options: { remoting: { rest: { supportedTypes: ['json', 'application/vnd.api+json'] } } }
  })
  const { headers, body } = await call(app, 'GET', '/Tools/one', undefined, { accept: 'application/vnd.api+json' })
  t.strictSame([headers['content-type'], body], ['application/vnd.api+json; charset=utf-8', { n: 1 }])
})

const entry = {
  name: 'Entry',
  strict: true as const,
  properties: { n: { type: 'number', jsonSchema: { maximum: 20 } }, word: 'string', at: 'date', done: 'boolean', list: ['number'] }
}
const loose = { n: '12.5', word: 5, at: 0, done: 'true', list: ['1', 2] }

t.test('an application, or a model, that takes rows as LoopBack 3 does', async t => {
  const strict = await makeApp(t, { definitions: [entry, { ...entry, name: 'Old', coercion: 'loopback3' }] })
  t.equal((await call(strict, 'POST', '/Entries', loose)).status, 422)
  const stored = { n: 12.5, word: '5', at: '1970-01-01T00:00:00.000Z', done: true, list: [1, 2] }
  t.match(await call(strict, 'POST', '/Olds', loose), { status: 200, body: stored })
  const app = await makeApp(t, {
    definitions: [entry, { ...entry, name: 'Today', coercion: 'strict' }], options: { coercion: 'loopback3' }
  })
  t.match(await call(app, 'POST', '/Entries', loose), { status: 200, body: stored })
  t.match(await call(app, 'POST', '/Entries', [loose, { word: true }]), { status: 200, body: [stored, { word: 'true' }] })
  t.equal((await call(app, 'POST', '/Todays', loose)).status, 422)
  for (const wrong of [{ n: 'x' }, { n: '21' }, { word: { a: 1 } }, { word: ['a'] }, { at: '2019-02-30' }, { at: '' }]) {
    t.equal((await call(app, 'POST', '/Entries', wrong)).status, 422, JSON.stringify(wrong))
  }
  t.equal((await call(app, 'GET', '/Entries/{"neq":0}')).status, 404, 'ids in paths are ids (S-01)')
  t.equal((await call(app, 'GET', '/Entries?filter=x')).status, 400)
})

const methodsOf = (table: Record<string, [Method, object]>) => ({ Tool }: any): void => {
  for (const [name, [fn, options]] of Object.entries(table)) {
    Tool[name] = fn
    Tool.remoteMethod(name, options)
  }
}

t.test('methods of models', async t => {
  const one = (): Method => async (value: unknown) => [value ?? 'nothing']
  const table: Record<string, [Method, object]> = {
    since: [one(), { accepts: { arg: 'from', type: 'date' }, returns: { arg: 'data', root: true }, http: { verb: 'get' } }],
    put: [one(), { accepts: { arg: 'n', type: 'number', http: { source: 'form' } }, returns: { arg: 'data', root: true } }]
  }
  const definitions = [{ name: 'Tool', base: 'Model' }]
  const strict = await makeApp(t, { definitions, prepare: methodsOf(table) })
  const app = await makeApp(t, { definitions, prepare: methodsOf(table), options: { remoting: { rest: { coercion: 'loopback3' } } } })
  for (const [path, body] of [['?from=0', ['1970-01-01T00:00:00.000Z']], ['?from=', ['nothing']]] as const) {
    t.equal((await call(strict, 'GET', `/Tools/since${path}`)).status, 400)
    t.match(await call(app, 'GET', `/Tools/since${path}`), { status: 200, body })
  }
  t.equal((await call(strict, 'POST', '/Tools/put', { n: 'x' })).status, 422)
  t.equal((await call(app, 'POST', '/Tools/put', { n: 'x' })).status, 400)
})

t.test('points have their functions, lists may stand for an object, a lone list is one value of several', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Tool', base: 'Model' }],
    prepare: methodsOf({
      far: [async (here: GeoPoint) => here instanceof GeoPoint && here.distanceTo([0, 0], { type: 'degrees' }) < 2, {
        accepts: { arg: 'here', type: 'geopoint' }, returns: { arg: 'near' }, http: { verb: 'get' }
      }],
      put: [async (data: GeoPoint[]) => data.map(each => each instanceof GeoPoint), {
        accepts: { arg: 'data', type: ['geopoint'], http: { source: 'form' } }, returns: { arg: 'data', root: true }
      }],
      all: [async (data: unknown) => data, {
        accepts: { arg: 'data', type: 'object', allowArray: true, http: { source: 'body' } }, returns: { arg: 'data', root: true }
      }],
      pair: [(done: Method) => done(null, [1, 2]), { returns: [{ arg: 'list' }, { arg: 'total' }], http: { verb: 'get' } }]
    })
  })
  t.match(await call(app, 'GET', '/Tools/far?here=1,1'), { status: 200, body: { near: true } })
  t.match(await call(app, 'GET', '/Tools/far?here[lat]=1&here[lng]=1'), { status: 200, body: { near: true } })
  t.match(await call(app, 'POST', '/Tools/put', { data: ['1,2', { lat: 1, lng: 2 }] }), { status: 200, body: [true, true] })
  t.match(await call(app, 'POST', '/Tools/put', { data: ['1,2', 'x'] }), { status: 422, body: { error: { details: [{ path: '.data[1]' }] } } })
  t.match(await call(app, 'POST', '/Tools/all', [{ a: 1 }]), { status: 200, body: [{ a: 1 }] })
  t.match(await call(app, 'POST', '/Tools/all', { a: 1 }), { status: 200, body: { a: 1 } })
  t.equal((await call(app, 'POST', '/Tools/all', [1])).status, 422)
  t.match(await call(app, 'GET', '/Tools/pair'), { status: 200, body: { list: [1, 2] } })
})

t.test('what is required may come from a hook', async t => {
  const ran: string[] = []
  const echo = async (word: string): Promise<string> => { ran.push(word); return word }
  const taking = (http?: object): object => ({ accepts: { arg: 'word', type: 'string', required: true, http }, returns: { arg: 'word' } })
  const app = await makeApp(t, {
    definitions: [{ name: 'Tool', base: 'Model' }],
    settings: { argumentsFromHooks: true },
    prepare (models) {
      methodsOf({
        say: [echo, { ...taking(), http: { verb: 'get' } }],
        form: [echo, taking({ source: 'form' })],
        body: [echo, { accepts: { arg: 'word', type: 'object', required: true, http: { source: 'body' } }, returns: { arg: 'word' } }],
        plain: [echo, { ...taking(), http: { verb: 'get' } }]
      })(models)
      for (const name of ['say', 'form', 'body']) {
        ;(models.Tool as any).beforeRemote(name, async (ctx: any) => {
          if (ctx.req.headers['x-word'] !== undefined) ctx.args.word = ctx.req.headers['x-word']
        })
      }
    }
  })
  const filled = { 'x-word': 'hi' }
  t.match(await call(app, 'GET', '/Tools/say', undefined, filled), { status: 200, body: { word: 'hi' } })
  t.match(await call(app, 'POST', '/Tools/form', {}, filled), { status: 200, body: { word: 'hi' } })
  t.match(await call(app, 'POST', '/Tools/body', undefined, filled), { status: 200, body: { word: 'hi' } })
  ran.length = 0
  const missing = { status: 400, body: { error: { code: 'MISSING_REQUIRED_PARAMETER', details: [{ code: 'required' }] } } }
  t.match(await call(app, 'GET', '/Tools/say'), missing)
  t.match(await call(app, 'GET', '/Tools/plain', undefined, filled), missing)
  t.match(await call(app, 'POST', '/Tools/body'), missing)
  t.match(await call(app, 'POST', '/Tools/form', {}), { status: 422, body: { error: { details: [{ info: { missingProperty: 'word' } }] } } })
  t.match(await call(app, 'POST', '/Tools/form', { word: 1 }, filled), { status: 422 }, 'types are asked before')
  t.strictSame(ran, [], 'the method was not reached')
})

t.test('filters in brackets are read as deep as filters may be', async t => {
  const app = await makeApp(t, {
    definitions: [
      { name: 'Shop', relations: { shelves: { type: 'hasMany', model: 'Shelf' } } },
      { name: 'Shelf', relations: { boxes: { type: 'hasMany', model: 'Box' } } },
      { name: 'Box', relations: { things: { type: 'hasMany', model: 'Thing' } } },
      { name: 'Thing', properties: { name: 'string' } }
    ],
    async prepare ({ Shop }) {
      const shop: any = await (Shop as any).create({})
      const shelf = await shop.shelves.create({})
      const box = await shelf.boxes.create({})
      await box.things.create({ name: 'pen' })
    }
  })
  const deep = '[scope][include][0]'
  const query = `filter[include][0][relation]=shelves&filter[include][0]${deep}[relation]=boxes` +
    `&filter[include][0]${deep}${deep}[relation]=things`
  t.match(await call(app, 'GET', `/Shops?${query}`), {
    status: 200, body: [{ shelves: [{ boxes: [{ things: [{ name: 'pen' }] }] }] }]
  })
  const tooDeep = `filter[where]${'[and][0]'.repeat(20)}[id]=1`
  t.equal((await call(app, 'GET', `/Shops?${tooDeep}`)).status, 400, 'who parses filters says when it is enough')
})

t.test('objects of a stream on another server', async t => {
  const source = (): Stream => {
    const stream = new Stream()
    setImmediate(() => {
      for (const each of [{ n: 1 }, null, 'a\n\nb', 0]) stream.emit('data', each)
      stream.emit('end')
    })
    return stream
  }
  const streaming = { returns: { arg: 'data', type: 'ReadableStream', json: true }, http: { verb: 'get' } }
  class Tools {}
  const shared = new SharedClass('Tools', Tools)
  const define = (name: string, fn: Method, options: object = {}): void => {
    Object.assign(Tools, { [name]: fn })
    shared.defineMethod(name, { isStatic: true, ...streaming, ...options })
  }
  define('all', (done: Method) => done(null, source()))
  define('none', async () => { throw Object.assign(new Error('gone'), { statusCode: 410 }) })
  define('fails', (done: Method) => done(null, new Readable({ objectMode: true, read () { this.destroy(new Error('secret')) } })))
  define('endless', (done: Method) => done(null, new Readable({ objectMode: true, read () { setTimeout(() => this.push(1), 5) } })))
  const remotes = new RemoteObjects({ errorHandler: { log: false } })
  remotes.addClass(shared)
  const server = http.createServer(remotes.handler('rest')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  remotes.connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, 'rest')
  const invoke = (name: string): Promise<any> => new Promise((resolve, reject) => {
    remotes.invoke(name, [], (error: Error | null, stream: unknown) => {
      if (error === null) resolve(stream)
      else reject(error)
    })
  })
  const objects: unknown[] = []
  const stream = await invoke('Tools.all')
  stream.on('data', (object: unknown) => { objects.push(object) })
  await once(stream, 'end')
  t.strictSame(objects, [{ n: 1 }, null, 'a\n\nb', 0])
  await t.rejects(invoke('Tools.none'), { statusCode: 410 } as never)
  const failing = (await invoke('Tools.fails')).on('data', () => {})
  t.match(await once(failing, 'error'), [{ message: 'The stream failed' }])
  const endless = await invoke('Tools.endless')
  await new Promise<void>(resolve => endless.on('data', () => { endless.pause(); endless.resume(); endless.destroy(); resolve() }))
})
