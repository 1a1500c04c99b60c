import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { call, makeApp } from './app.js'

const definition = { name: 'Tool', base: 'Model', plural: 'tools' }

async function makeTool (t: Parameters<typeof makeApp>[0], options = {}) {
  return await makeApp(t, {
    definitions: [definition],
    options,
    prepare ({ Tool }) {
      const model = Tool as any
      model.whole = async (data: unknown) => ({ data })
      model.remoteMethod('whole', {
        accepts: { arg: 'data', type: 'object', required: true, http: { source: 'body' } },
        returns: { arg: 'out', root: true },
        http: { verb: 'post', path: '/whole' }
      })
      model.anything = async (data: unknown) => ({ data, type: typeof data })
      model.remoteMethod('anything', {
        accepts: { arg: 'data', type: 'any', http: { source: 'body' } },
        returns: { arg: 'out', root: true },
        http: { verb: 'post', path: '/anything' }
      })
      model.none = async () => 'ok'
      model.remoteMethod('none', { returns: { arg: 'out' }, http: { verb: 'post', path: '/none' } })
    }
  })
}

const json = { 'content-type': 'application/json' }

t.test('media types', async t => {
  const app = await makeTool(t)
  const status = async (type: string, url = '/tools/whole', payload = '{"a":1}') =>
    (await call(app, 'POST', url, payload, { 'content-type': type })).status
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;charset="UTF-8"',
    'application/x-www-form-urlencoded'
  ]) { t.equal(await status(type), 200, type) }
  for (const type of [
    'text/plain',
    'application/xml',
    'application/vnd.api+json',
    'application/jsonp',
    'application/json-seq',
    'json',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1'
  ]) { t.equal(await status(type), 415, type) }
  t.match((await call(app, 'POST', '/tools/whole', 'x', { 'content-type': 'text/plain' })).body, {
    error: { name: 'UnsupportedMediaTypeError', code: 'UNSUPPORTED_MEDIA_TYPE' }
  })
  t.equal(await status('text/plain', '/tools/none'), 200, 'a method without a body does not care')
  const extended = await makeTool(t, { remoting: { json: { type: ['application/vnd.api+json'] } } })
  t.match(await call(extended, 'POST', '/tools/whole', '{"a":1}', { 'content-type': 'application/vnd.api+json' }), {
    status: 200,
    body: { data: { a: 1 } }
  })
})

t.test('JSON of every kind, and what is none', async t => {
  const app = await makeTool(t)
  for (const text of ['5', '"x"', 'false', '0', '[]', '{}', 'null', '\ufeff{"a":1}']) {
    t.equal((await call(app, 'POST', '/tools/anything', text, json)).status, 200, text)
  }
  t.match((await call(app, 'POST', '/tools/anything', '', json)).body, { type: 'undefined' })
  for (const text of [
    '{',
    '{"a":1,}',
    'NaN',
    ' ',
    '\n',
    '{"__proto__":{}}',
    '{"a":{"\\u005f\\u005fproto__":1}}',
    '{"constructor":{"prototype":{}}}',
    '['.repeat(65) + ']'.repeat(65)
  ]) {
    t.match(
      await call(app, 'POST', '/tools/anything', text, json),
      { status: 400, body: { error: { statusCode: 400, name: 'SyntaxError' } } },
      JSON.stringify(text.slice(0, 40))
    )
  }
  t.match(await call(app, 'POST', '/tools/whole', 'null', json), {
    status: 400,
    body: { error: { code: 'MISSING_REQUIRED_PARAMETER' } }
  })
  t.equal((await call(app, 'POST', '/tools/none', '{', json)).status, 400, 'broken JSON is told whoever it is for')
  t.notOk('polluted' in {})
})

t.test('compressed bodies, and limits that count what comes out', async t => {
  const app = await makeTool(t, { bodyLimit: '1kb' })
  const send = async (payload: Buffer, encoding: string) =>
    (await call(app, 'POST', '/tools/whole', payload, { ...json, 'content-encoding': encoding })).status
  const small = Buffer.from('{"a":"ü"}')
  t.equal(await send(gzipSync(small), 'gzip'), 200)
  t.equal(await send(gzipSync(small), 'GZIP'), 200)
  t.equal(await send(deflateSync(small), 'deflate'), 200)
  t.equal(await send(brotliCompressSync(small), 'br'), 200)
  t.equal(await send(small, 'identity'), 200)
  t.equal(await send(small, 'compress'), 415)
  t.equal(await send(small, 'gzip'), 400)
  t.equal(await send(gzipSync(small).subarray(0, 12), 'gzip'), 400)
  const bomb = Buffer.from(JSON.stringify({ a: 'x'.repeat(5_000_000) }))
  t.equal(await send(gzipSync(bomb), 'gzip'), 413)
  t.equal(await send(brotliCompressSync(bomb), 'br'), 413)
  t.match(await call(app, 'POST', '/tools/whole', JSON.stringify({ a: 'x'.repeat(2000) }), json), {
    status: 413,
    body: { error: { statusCode: 413, name: 'PayloadTooLargeError', message: 'request entity too large' } }
  })
  t.equal(
    (
      await call(app, 'POST', '/tools/whole', `a=${'x'.repeat(2000)}`, {
        'content-type': 'application/x-www-form-urlencoded'
      })
    ).status,
    413
  )
  const exact = JSON.stringify({ a: 'x'.repeat(1024 - 8) })
  t.equal((await call(app, 'POST', '/tools/whole', exact, json)).status, 200)
  t.equal((await call(app, 'POST', '/tools/whole', `${exact} `, json)).status, 413)
})

t.test('forms with brackets are objects and lists, at any place in them', async t => {
  const app = await makeApp(t, {
    definitions: [
      {
        name: 'Person',
        properties: { name: 'string', age: 'number', tags: ['string'], address: 'object', pets: ['object'] }
      }
    ]
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = async (fields: string): Promise<unknown> => (await call(app, 'POST', '/People', fields, form)).body
  t.match(await send('name=Ann&age=30&tags[]=a&tags[]=b&address[city]=Ulm&address[geo][lat]=48.4'), {
    name: 'Ann',
    age: 30,
    tags: ['a', 'b'],
    address: { city: 'Ulm', geo: { lat: '48.4' } }
  })
  t.match(await send('tags[0]=x&tags[1]=y&pets[0][name]=Rex&pets[0][toys][]=ball&pets[1][name]=Tom'), {
    tags: ['x', 'y'],
    pets: [{ name: 'Rex', toys: ['ball'] }, { name: 'Tom' }]
  })
  t.match(
    await send('name=%C3%BC&address%5Bcity%5D=New+York'),
    { name: 'ü', address: { city: 'New York' } },
    'brackets may be encoded'
  )
  t.match(await send('age=many&tags[x]=1'), { error: { statusCode: 422, details: [{ path: '.age', code: 'type' }] } })
  t.strictSame((await send('name=x&address[__proto__][polluted]=1') as { address?: unknown }).address, {})
  t.notOk('polluted' in {})
})

t.test('a method reads a multipart body from its request, whole and untouched', async t => {
  const app = await makeApp(t, {
    definitions: [definition],
    prepare ({ Tool }) {
      const model = Tool as any
      model.upload = async (req: NodeJS.ReadableStream & { headers: Record<string, string> }) => {
        const chunks: Buffer[] = []
        for await (const chunk of req) chunks.push(Buffer.from(chunk))
        return {
          type: req.headers['content-type'],
          bytes: Buffer.concat(chunks).length,
          text: Buffer.concat(chunks).toString().slice(0, 20)
        }
      }
      model.remoteMethod('upload', {
        accepts: { arg: 'req', type: 'object', http: { source: 'req' } },
        returns: { arg: 'out', root: true },
        http: { verb: 'post', path: '/upload' }
      })
    },
    options: { bodyLimit: '1kb' }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const parts = new FormData()
  parts.set('title', 'holiday')
  parts.set('photo', new Blob(['x'.repeat(100_000)]), 'photo.jpg')
  const answer = await fetch(`${url}/api/tools/upload`, { method: 'POST', body: parts })
  t.equal(answer.status, 200)
  const { type, bytes, text } = await answer.json() as { type: string, bytes: number, text: string }
  t.match(type, /^multipart\/form-data; boundary=/)
  t.ok(bytes > 100_000, 'the limit of JSON and forms is not one of files')
  t.match(text, /^------/)
})

t.test('LoopBack 3\'s object of error details, by its setting', async t => {
  const definitions = [
    { name: 'Note', strict: true, properties: { title: { type: 'string', required: true }, size: 'number' } }
  ]
  const loopback3 = {
    details: { context: 'Note', codes: { title: ['presence'] }, messages: { title: ["can't be blank"] } }
  }
  for (const options of [
    { errorDetails: 'loopback3' },
    { remoting: { rest: { errorDetails: 'loopback3' } } }
  ] as const) {
    const app = await makeApp(t, { definitions, options })
    t.match(await call(app, 'POST', '/Notes', { title: '' }), { status: 422, body: { error: loopback3 } })
    // What the schema of the body finds has LoopBack's names, too.
    for (const body of [{}, { title: null }]) {
      const { status, body: { error } } = await call(app, 'POST', '/Notes', body) as { status: number, body: { error: Record<string, unknown> } }
      t.same([status, error.name, error.code, error.details], [422, 'ValidationError', 'VALIDATION_FAILED', loopback3.details])
    }
    t.match(await call(app, 'POST', '/Notes', { title: 'a', size: 'many', extra: 1 }), {
      status: 422,
      body: { error: { details: { codes: { size: ['type'], extra: ['unknown-property'] } } } }
    })
    t.match(await call(app, 'POST', '/Notes', [{ title: 'a' }, {}]), {
      status: 422,
      body: { error: { details: { codes: { '[1].title': ['presence'] } } } }
    })
  }
  const usual = await makeApp(t, { definitions })
  t.match(await call(usual, 'POST', '/Notes', { title: '' }), {
    status: 422,
    body: { error: { details: [{ path: '.title', code: 'presence' }] } }
  })
})

t.test('limits of LoopBack\'s configuration', async t => {
  const app = await makeTool(t, {
    remoting: { json: { strict: false, limit: '2kb' }, urlencoded: { extended: true, limit: 10 } }
  })
  t.equal((await call(app, 'POST', '/tools/whole', { a: 'x'.repeat(1500) })).status, 200)
  t.equal(
    (await call(app, 'POST', '/tools/whole', 'a=1234567890', { 'content-type': 'application/x-www-form-urlencoded' }))
      .status,
    413
  )
})

t.test('other encodings of Unicode', async t => {
  const app = await makeTool(t)
  t.match(
    await call(app, 'POST', '/tools/whole', Buffer.from('{"a":"ü"}', 'utf16le'), {
      'content-type': 'application/json; charset=utf-16le'
    }),
    { status: 200, body: { data: { a: 'ü' } } }
  )
})
