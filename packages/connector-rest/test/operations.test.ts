import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { json, rest, service } from './service.js'

t.test('functions call the service, with positional parameters and defaults (SC-M1, SC-M2)', async t => {
  const { base, seen } = await service(t)
  const { call, dataSource, registry } = await rest(t, {
    headers: { 'X-Tenant': 'north', 'x-kept': '1' },
    operations: [{
      template: {
        method: 'post',
        url: `${base}/{place}`,
        query: { q: '{q=a b}', n: '{n:number}', where: { min: '{min}' }, ids: '{ids:array}' },
        headers: { 'x-tenant': 'south', 'X-Note': '{note}' },
        body: { data: '{data:object}', text: 'for {q}' }
      },
      functions: { send: ['place', 'q', 'n', 'data', 'ids'], home: ['place=here', { name: 'note', source: 'header' }] }
    }]
  })
  const echo = await call.send?.('x y', undefined, '5', { a: null }, [1, 2])
  t.match(echo, {
    method: 'POST',
    url: '/x%20y?n=5&where%5Bmin%5D=&ids%5B0%5D=1&ids%5B1%5D=2',
    headers: { 'x-tenant': 'south', 'x-kept': '1', accept: 'application/json', 'content-type': 'application/json' },
    body: '{"data":{"a":null},"text":"for "}'
  }, 'q is used twice, and its last place has no default (SC-T6)')
  t.notOk('x-note' in echo.headers)
  t.match(await call.home?.(undefined, 'hello'), { url: /^\/here\?/, headers: { 'x-note': 'hello' } })
  t.match(await call.home?.('there', 'hello'), { url: /^\/there\?/ })
  const Forecast = registry.attach(registry.defineModel({ name: 'Forecast', base: 'Model' }), dataSource)
  t.match(await (Forecast as any).send('of a model'), { url: /^\/of%20a%20model/ })
  t.match(await (Forecast as any).invoke({ place: 'named', q: 'x' }), { url: /^\/named\?q=x&where/ })
  t.equal(seen.length, 5)
})

t.test('callbacks get body and response; what is required throws at once (SC-M3, SC-T8)', async t => {
  const { base } = await service(t, ({ url }, req, res) => { json(res, url === '/bad' ? 422 : 200, { url }) })
  const { call } = await rest(t, { operations: [{ template: { url: `${base}/{!a}` }, functions: { get: ['a'] } }] })
  const called = (...args: unknown[]) => new Promise<unknown[]>(resolve => {
    const returned = call.get?.(...args, (...given: unknown[]) => { resolve(given) })
    t.equal(returned, undefined)
  })
  t.match(await called('x'), [null, { url: '/x' }, { statusCode: 200, headers: { 'content-type': 'application/json' } }])
  const [error, body, response] = await called('bad') as [Error, unknown, object]
  t.match({ ...error }, { statusCode: 422, message: '{"url":"/bad"}' })
  t.match([body, response], [{ url: '/bad' }, { statusCode: 422 }])
  t.throws(() => call.get?.(), { message: 'Required variable a has no value' })
  t.throws(() => call.get?.(() => { t.fail('not called') }), { message: 'Required variable a has no value' })
})

t.test('forms, texts and settings of requests (SC-T10, SC-T11, SC-D6)', async t => {
  const { base } = await service(t)
  const operation = (template: object, name: string) => ({ template: { url: `${base}/`, ...template }, functions: { [name]: ['a'] } })
  const { call } = await rest(t, {
    clientCert: undefined,
    operations: [
      operation({ method: 'POST', form: { a: '{a}', b: ['x', 1] } }, 'form'),
      operation({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'Dear {a}' }, 'text'),
      operation({ query: { a: '{a:array}' }, options: { useQuerystring: true, qs: { ignored: 1 } } }, 'plainQuery'),
      operation({ options: { qs: { added: 1 }, auth: { user: 'ann', pass: '{a=pw}' } } }, 'options'),
      operation({ url: `${base}/?own=1`, query: { a: '{a}' } }, 'both')
    ]
  })
  t.match(await call.form?.('&='), { body: 'a=%26%3D&b%5B0%5D=x&b%5B1%5D=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  const plain = await call.text?.('Ann').then(JSON.parse)
  t.match(plain, { body: 'Dear Ann', headers: { 'content-type': 'text/plain', accept: undefined } }, 'and the answer is text')
  t.match(await call.plainQuery?.(['1', '2']), { url: '/?a=1&a=2' })
  t.match(await call.options?.(), { url: '/?added=1', headers: { authorization: `Basic ${Buffer.from('ann:pw').toString('base64')}` } })
  t.match(await call.both?.('x'), { url: '/?own=1&a=x' })
})

t.test('answers: JSON whatever their type, texts, bytes, nothing (SC-T12)', async t => {
  const answers: Record<string, string> = { '/json': '{"a":1}', '/broken': '{"a": oops', '/null': 'null', '/empty': '' }
  const { base } = await service(t, ({ url }, req, res) => { res.end(answers[url]) })
  const { call } = await rest(t, {
    operations: [
      { template: { url: `${base}/{kind}` }, functions: { get: ['kind'] } },
      { template: { url: `${base}/{kind}`, options: { encoding: null } }, functions: { bytes: ['kind'] } },
      { template: { url: `${base}/{kind}`, fullResponse: true, responsePath: '$.a' }, functions: { full: ['kind'] } }
    ]
  })
  t.strictSame(
    await Promise.all(['json', 'broken', 'null', 'empty'].map(kind => call.get?.(kind))),
    [{ a: 1 }, '{"a": oops', null, undefined]
  )
  t.strictSame(await call.bytes?.('json'), Buffer.from('{"a":1}'))
  t.match(await call.full?.('json'), { statusCode: 200, headers: {}, body: { a: 1 }, request: { method: 'GET' } })
})

t.test('streams go both ways in JavaScript (SC-T14)', async t => {
  const { base } = await service(t, ({ body }, req, res) => { res.end(body.toUpperCase()) })
  const { call } = await rest(t, {
    maxResponseSize: 10,
    operations: [{ stream: true, template: { method: 'PUT', url: base, body: '{data}' }, functions: { send: ['data'] } }]
  })
  const answer = await call.send?.(Readable.from(['some ', 'text that is long']))
  t.equal(await text(answer), 'SOME TEXT THAT IS LONG')
})

t.test('files below a folder are sent in a form (SC-T13)', async t => {
  const { base, seen } = await service(t)
  const folder = t.testdir({ 'secret.txt': 'secret', files: { folder: {}, 'a.txt': 'of a file', link: t.fixture('symlink', '../secret.txt') } })
  const { call } = await rest(t, {
    allowAttachments: true,
    attachmentsRoot: `${folder}/files`,
    operations: [{
      template: { method: 'POST', url: base, form: { note: '{note}' }, attachments: [{ field: 'file', path: '{file}' }] },
      functions: { send: ['file', 'note'] }
    }]
  })
  const echo = await call.send?.('a.txt', 'hello')
  t.match(echo.headers['content-type'], /^multipart\/form-data; boundary=/)
  t.match(echo.body, /name="note"\r\n\r\nhello\r\n/)
  t.match(echo.body, /name="file"; filename="a.txt"\r\n.*\r\n\r\nof a file\r\n/)
  for (const file of ['../secret.txt', 'link', `${folder}/secret.txt`, 'none', 'folder', '', '.', 'a.txt\0']) {
    await t.rejects(async () => call.send?.(file), { statusCode: 400, code: 'INVALID_ATTACHMENT' }, JSON.stringify(file))
  }
  t.equal(seen.length, 1)
})

t.test('what no call can be made of is told at the start', async t => {
  const start = (settings: object) => rest(t, settings)
  const wrong = { code: 'FBK_BOOT_INVALID_CONFIG' }
  await t.rejects(start({ operations: [{ functions: {} }] }), { ...wrong, message: /operation 1: .*template/ })
  await t.rejects(start({ operations: [{ template: { url: 'http://{host}/' }, functions: { get: ['host'] } }] }), { ...wrong, message: /allowHosts/ })
  const named = { template: { url: 'http://h/', headers: { '{name}': '1' } }, functions: { get: [] } }
  await t.rejects(start({ operations: [named] }), { ...wrong, message: /header/ }, 'SC-S3')
  for (const setting of ['oauth', 'aws', 'hawk', 'httpSignature', 'har', 'jar', 'multipart', 'postambleCRLF']) {
    const refused = { code: 'FBK_REST_CONNECTOR_REFUSED_SETTING', message: new RegExp(`"${setting}"`) }
    await t.rejects(start({ options: { [setting]: {} }, crud: true }), refused)
    await t.rejects(start({ operations: [{ template: { url: 'http://h/', options: { [setting]: {} } } }] }), refused)
  }
  const attaching = { template: { url: 'http://h/', attachments: [{ field: 'a', path: 'a.txt' }] } }
  const unsaid = { code: 'FBK_REST_CONNECTOR_REFUSED_SETTING', message: /"allowAttachments": true/ }
  await t.rejects(start({ operations: [attaching] }), unsaid, 'SC-T13')
  await t.rejects(start({ operations: [attaching], allowAttachments: true }), unsaid)
  await t.rejects(start({ baseURL: 'ftp://h/' }), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS' })
})

t.test('an operation that cannot be called does not stop the start', async t => {
  const { call, warnings } = await rest(t, {
    operations: [
      { template: { url: 'nothing {x}' }, functions: { badUrl: ['x'] } },
      { template: { url: 'http://h/', responsePath: '$.a[(@.length-1)]' }, functions: { badPath: [] } }
    ]
  })
  t.throws(() => call.badUrl?.('a'), { code: 'FBK_REST_CONNECTOR_BROKEN_OPERATION', statusCode: 500 })
  t.throws(() => call.badPath?.(), { code: 'FBK_REST_CONNECTOR_BROKEN_OPERATION' }, 'SC-J3')
  t.match(warnings.map(({ details, message }) => [details.operation, message]), [['badUrl', /no address/], ['badPath', /JSONPath/]])
})
