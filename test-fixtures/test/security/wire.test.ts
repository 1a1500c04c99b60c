// FASTBACK_TEST_FULL: requests byte by byte, on servers of their own.
/** The wire: S-50 to S-59. */
import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import tap, { type Test } from 'tap'
import { createServer } from '@fastback/boot'
import { join, listen, person } from './clients.js'
import { temporaryApp } from './folders.js'
import { attack, filterText, onEveryStore, type Attacked, type Model, type Row } from './harness.js'

interface Reply { readonly status: number, readonly headers: Readonly<Record<string, string>>, readonly body: string }

/** One request exactly as written, on a connection of its own, and the first response. */
async function plainly (
  { raw }: Attacked,
  verb: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = ''
): Promise<Reply> {
  const lines = Object.entries({
    host: 'x',
    connection: 'close',
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers
  })
  return replyOf(
    await raw(
      `${verb} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
    )
  )
}

function replyOf (text: string): Reply {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  )
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') }
}

/** How many answers a connection carried. */
const answersIn = (text: string): number => text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0

const wait = async (time: number): Promise<void> => { await new Promise(resolve => setTimeout(resolve, time)) }

await onEveryStore('wire', async (t, server) => {
  const { send, raw, rows, models } = server
  const ann = await join(server, 'ann')
  const ben = await join(server, 'ben')
  await models.Vault?.create({ text: 'the gold of ann', code: 'hidden-code', userId: ann.id })
  await models.Shelf?.create({ text: 'the books' })
  await models.Note?.create({ text: 'a note', secret: 'hidden-secret' })

  t.test('S-50 P-20 every spelling of a path reaches the same route or none', async t => {
    // Seen to fail: acl/guard/guard.ts letting through what `request.raw.url` does not begin with `/api/Vaults` (a
    // check on the address in place of the route)
    const spellings = [
      '/api/Vaults/1',
      '/api/vaults/1',
      '/API/VAULTS/1',
      '/api/Vaults/1/',
      '//api/Vaults/1',
      '/api//Vaults/1',
      '/api/Vaults//1',
      '/./api/Vaults/1',
      '/api/./Vaults/1',
      '/api/x/../Vaults/1',
      '/files/../api/Vaults/1',
      '/api/%56aults/1',
      '/%61pi/Vaults/1',
      '/api%2fVaults%2f1',
      '/api/Vaults%2F1',
      '/api/Vaults/%31',
      '/api/Vaults/1;x=y',
      '/api/Vaults;x=y/1',
      '/api;/Vaults/1',
      '/api/Vaults/1%00',
      '/api/Vaults/1%20',
      '/api/Vaults/%201',
      '/api/Vaults/1?',
      '/api/Vaults/1#x',
      '/api/Vaults/1%3fx',
      '/api/Vaults/1%23',
      '\\api\\Vaults\\1',
      '/api\\Vaults\\1',
      'http://other.test/api/Vaults/1',
      '/api/Vaults/1/../1',
      '/api/Vaults/%2e%2e/Vaults/1',
      '/api/%2e/Vaults/1',
      '/api/..;/api/Vaults/1',
      '/api/Vaults/%C0%AF1',
      '/api/Vaults/\uff11',
      '/api/Vaults/1.json',
      '/api/Vaults/+1',
      '/api/Vaults/01',
      '/api/Vaults/1e0',
      '/api/Vaults/findOne',
      '/api/Vaults?id=1',
      '/api/Vaults/1/exists',
      '/api/Vaults/count?id=1',
      '/explorer/../api/Vaults/1',
      '/files/%2e%2e/api/Vaults/1',
      '/status/../api/Vaults/1',
      '/api/Users/..%2fVaults/1',
      '*'
    ]
    for (const target of spellings) {
      for (const token of [undefined, ben.token]) {
        const { status, body } = await plainly(
          server,
          'GET',
          target,
          token === undefined ? {} : { authorization: token }
        )
        const open = token !== undefined && /^\/api\/Vaults\?id=1$/.test(target)
        if (!open && !target.startsWith('/status/')) t.ok(status >= 400 && status < 500, `${target}: ${status}`)
        if (!open) t.notMatch(body, 'the gold of ann', target)
      }
      const own = await plainly(server, 'GET', target, { authorization: ann.token })
      t.ok(own.status === 200 || (own.status >= 400 && own.status < 500), `${target}, its owner: ${own.status}`)
    }
  })

  t.test('S-50 HEAD by id is exists, other HEADs are their GET, verbs are those that there are', async t => {
    // Seen to fail: rest/routes/register.ts without exposeHeadRoute
    const head = async (target: string, token?: string): Promise<number> =>
      (await plainly(server, 'HEAD', `/api${target}`, token === undefined ? {} : { authorization: token })).status
    t.same(
      [
        await head('/Vaults/1'),
        await head('/Vaults/1', ann.token),
        (await send('GET', '/Vaults/1', { token: ann.token })).status
      ],
      [401, 401, 200],
      'who may read may not ask whether'
    )
    t.same(
      [await head('/Shelves/1'), await head('/Shelves/9'), (await send('GET', '/Shelves/1')).status],
      [200, 404, 401],
      'and the other way round'
    )
    t.same(
      [
        await head('/Vaults'),
        await head('/Vaults', ben.token),
        await head('/Vaults/count', ben.token),
        await head('/Shelves')
      ],
      [401, 200, 401, 401],
      'as GET'
    )
    t.equal((await plainly(server, 'HEAD', '/api/Notes/1')).body, '', 'no body')
    const before = await rows('Note', 'Vault')
    for (const verb of [
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'SEARCH',
      'LINK',
      'PURGE',
      'MKCOL',
      'COPY',
      'FOO',
      'get',
      'GETX',
      'G\u00e9T',
      'POST\t',
      ''
    ]) {
      const { status, body } = await plainly(server, verb, '/api/Notes/1', { 'x-token': 'echoed-header' })
      t.ok(status === 0 || (status >= 400 && status < 500), `${verb}: ${status}`)
      t.notMatch(body, /echoed-header|a note/, `${verb} echoes nothing`)
    }
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      for (const [verb, target] of [
        ['POST', '/api/Notes/1'],
        ['GET', '/api/Notes/1'],
        ['POST', '/api/Notes/1?_method=DELETE'],
        ['POST', '/api/Notes']
      ] as const) {
        await plainly(
          server,
          verb,
          target,
          { [name]: 'DELETE' },
          verb === 'POST' && target === '/api/Notes' ? '[]' : ''
        )
      }
    }
    await send('POST', '/Notes/1', { payload: '_method=DELETE', type: 'application/x-www-form-urlencoded' })
    await send('POST', '/Notes/1', { json: { _method: 'DELETE' } })
    t.equal(await rows('Note', 'Vault'), before, 'no verb was another')
  })

  t.test('S-50 requests are where they end: no smuggling, and pipelined ones have their own rights', async t => {
    // Seen to fail: the server's option insecureHTTPParser; request.accessToken kept on the socket instead of the
    // request
    const inner =
      'POST /api/Notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 19\r\n\r\n{"text":"smuggled"}'
    const head = 'POST /api/Notes/count HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    const chunked = `0\r\n\r\n${inner}`
    const lengths = [
      'transfer-encoding: chunked\r\ncontent-length: 4',
      `content-length: ${chunked.length}\r\ntransfer-encoding: chunked`,
      'content-length: 0\r\ncontent-length: 5',
      'content-length: 5, 5',
      'content-length: +5',
      'content-length: 0x5',
      'content-length: -1',
      'content-length: 5 5',
      'content-length : 5',
      'transfer-encoding : chunked\r\ncontent-length: 5',
      'transfer-encoding: xchunked',
      'transfer-encoding: chunked, identity',
      'transfer-encoding: identity, chunked, x',
      'transfer-encoding:\r\n chunked',
      'transfer-encoding: chunked\r\ntransfer-encoding: x',
      ' transfer-encoding: chunked',
      'x: y\ntransfer-encoding: chunked',
      'x\u0000y: z',
      'transfer-encoding: "chunked"'
    ]
    for (const length of lengths) {
      const text = await raw(`${head}${length}\r\n\r\n${chunked}`)
      t.ok(answersIn(text) <= 1, `${JSON.stringify(length)}: ${answersIn(text)} answers`)
    }
    for (const text of [
      'GET /api/Notes HTTP/1.1\nhost: x\n\n',
      'GET /api/Notes HTTP/9.9\r\nhost: x\r\n\r\n',
      'GET  /api/Notes HTTP/1.1\r\nhost: x\r\n\r\n',
      '\u0000GET /api/Notes HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET /api/Notes HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
      'GET /api/Notes HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc\r\n0\r\n\r\n',
      'GET /api/Notes HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n'
    ]) {
      t.notMatch(await raw(text), / 5\d\d /, JSON.stringify(text.slice(0, 40)))
    }
    t.equal(await models.Note?.count({ text: 'smuggled' }), 0)
    const get = (target: string, token?: string, last = false): string =>
      `GET ${target} HTTP/1.1\r\nhost: x\r\n${token === undefined ? '' : `authorization: ${token}\r\n`}${last ? 'connection: close\r\n' : ''}\r\n`
    const piped = await raw(
      get('/own/who', ann.token) +
        get('/own/who') +
        get('/api/Vaults/1', ann.token) +
        get('/api/Vaults/1') +
        get('/own/who', ben.token) +
        get('/own/who', undefined, true)
    )
    t.same(
      piped.match(/"userId":(?:\d+|null)(?=[,}])|HTTP\/1\.1 \d+/g),
      [
        'HTTP/1.1 200',
        `"userId":${ann.id}`,
        'HTTP/1.1 200',
        '"userId":null',
        'HTTP/1.1 200',
        `"userId":${ann.id}`,
        'HTTP/1.1 401',
        'HTTP/1.1 200',
        `"userId":${ben.id}`,
        'HTTP/1.1 200',
        '"userId":null'
      ],
      'each with its own token'
    )
  })

  t.test('S-51 input in a header is checked: no split answer', async t => {
    // Seen to fail: setHeader of rest/handlers/send.ts without `forbidden`, and statusOf of rest/errors/error-body.ts
    // without ERR_INVALID_CHAR
    for (const text of [
      'a\r\nset-cookie: stolen=1',
      'a\nset-cookie: stolen=1',
      'a\rb',
      'a\u0000b',
      'a\u007fb',
      'a\u0001',
      'a\u2028b',
      '\u0100',
      'a\u010ab',
      '\r\n\r\n<script>',
      'a\u000d\u000aContent-Length: 0'
    ]) {
      for (const method of ['named', 'typed', 'raw']) {
        const { status, headers, body } = await plainly(
          server,
          'GET',
          `/api/Tools/${method}?text=${encodeURIComponent(text)}`
        )
        t.match(
          { status, cookie: headers['set-cookie'], name: headers['x-name'] },
          { status: 400, cookie: undefined, name: undefined },
          `${method}: ${encodeURIComponent(text)}`
        )
        t.notMatch(body, '<script>')
      }
    }
    t.equal((await send('GET', '/Tools/named?text=fine')).headers['x-name'], 'fine')
    const { headers: { 'x-request-id': id, ...headers } } = await send('GET', '/Notes/9', {
      headers: { 'x-request-id': 'chosen', 'request-id': 'chosen' }
    })
    t.equal(id, 'chosen', 'the id of a request is what a proxy in front calls it')
    t.notMatch(JSON.stringify(headers), 'chosen', 'nothing else of a request comes back in headers by itself')
    for (const hostile of ['<script>', 'a b', 'x'.repeat(129), 'a;b']) {
      const answer = await send('GET', '/Notes/9', { headers: { 'x-request-id': hostile } })
      t.notMatch(JSON.stringify(answer.headers), hostile, 'and no id that could be anything but one')
    }
  })

  t.test('S-52 what caches may keep: nothing of who is known, no token, and access comes before 304', async t => {
    // Seen to fail: readToken of auth/plugin.ts without its header; markTokensUncacheable not called; the error handler
    // without Vary
    const cache = async (verb: string, target: string, token?: string, json?: unknown): Promise<string | undefined> =>
      (
        await plainly(
          server,
          verb,
          target,
          { ...(token === undefined ? {} : { 'x-access-token': token }) },
          json === undefined ? '' : JSON.stringify(json)
        )
      ).headers['cache-control']
    for (const target of [
      '/api/Notes',
      '/api/Notes/1',
      '/api/Notes/count',
      '/api/Vaults',
      '/api/Vaults/1',
      '/api/Vaults/99',
      '/api/Nowhere',
      '/nowhere',
      '/own',
      '/own/who',
      '/express',
      '/express/by-hand',
      '/express/fails',
      '/own/fails',
      '/api/Users/me',
      '/status',
      '/api/Tools/file',
      '/api/Tools/fail?status=400'
    ]) {
      t.equal(await cache('GET', target, ann.token), 'private, no-cache', target)
      t.equal(await cache('GET', target, 'unknown-token'), 'private, no-cache', `${target}, with a token that is none`)
    }
    t.equal(await cache('HEAD', '/api/Notes/1', ann.token), 'private, no-cache')
    t.equal(await cache('POST', '/api/Notes', ann.token, { text: 'x' }), 'private, no-cache')
    t.equal(await cache('GET', '/api/Notes'), undefined)
    t.equal(
      await cache('GET', '/api/Tools/page?text=x', ann.token),
      'public, max-age=60',
      'unless the method says otherwise'
    )
    t.equal(
      await cache('POST', '/api/Users/login', undefined, { username: 'ann', password: 'ann-secret' }),
      'no-store',
      'a login'
    )
    t.equal(
      await cache('POST', `/api/Users/${ann.id}/accessTokens`, ann.token, { ttl: 100 }),
      'no-store',
      'a token made by the relation'
    )
    const conditions: Array<Record<string, string>> = [
      { 'if-none-match': '*' },
      { 'if-none-match': 'W/"1"' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { 'if-match': '"x"' }
    ]
    for (const condition of conditions) {
      t.equal(
        (await plainly(server, 'GET', '/api/Vaults/1', condition)).status,
        401,
        `${JSON.stringify(condition)} before access`
      )
      t.equal((await plainly(server, 'GET', '/api/Vaults/1', { ...condition, authorization: ben.token })).status, 401)
    }
    for (const target of ['/api/Notes/99', '/api/Vaults/1', '/nowhere', '/express/fails', '/own/fails']) {
      t.match(
        (await plainly(server, 'GET', target, { accept: 'text/html' })).headers.vary,
        /\baccept\b/i,
        `${target} depends on Accept`
      )
    }
  })

  t.test('S-53 every answer says nosniff, whoever gives it', async t => {
    // Seen to fail: core/plugin.ts without its onRequest hook (own routes, files, explorer); createErrorHandler without
    // the header (an address that is none)
    const targets: Array<[string, string, Record<string, string>?, string?]> = [
      ['GET', '/api/Notes'],
      ['GET', '/api/Notes/1'],
      ['HEAD', '/api/Notes/1'],
      ['HEAD', '/api/Notes'],
      ['GET', '/api/Notes/99'],
      ['GET', '/api/Vaults'],
      ['GET', '/api/nowhere'],
      ['GET', '/nowhere'],
      ['OPTIONS', '/api/Notes'],
      ['DELETE', '/nowhere'],
      ['GET', '/own'],
      ['GET', '/own/fails'],
      ['HEAD', '/own'],
      ['GET', '/express'],
      ['GET', '/express/by-hand'],
      ['GET', '/express/fails'],
      ['HEAD', '/express'],
      ['GET', '/status'],
      ['GET', '/files/page.html'],
      ['GET', '/files/nothing.html'],
      ['GET', '/files'],
      ['GET', '/files/sub'],
      ['GET', '/explorer'],
      ['GET', '/explorer/'],
      ['GET', '/explorer/openapi.json'],
      ['GET', '/explorer/nothing'],
      ['GET', '/api/Tools/typed?text=text/html'],
      ['GET', '/api/Tools/raw?text=x'],
      ['GET', '/api/Tools/file'],
      ['GET', '/api/Tools/fail'],
      ['GET', '/api/Notes', { accept: 'image/png' }],
      ['POST', '/api/Notes', {}, '{'],
      ['POST', '/api/Notes', {}, JSON.stringify({ text: 'x'.repeat(200_000) })],
      ['POST', '/api/Notes', { 'content-type': 'text/plain' }, 'x'],
      ['GET', '/%zz'],
      ['GET', '/api/Notes/%zz'],
      ['GET', `/api/Notes?x=${'y'.repeat(20_000)}`],
      ['FOO', '/'],
      ['GET', '/api/Notes/1', { authorization: 'x'.repeat(2000) }],
      ['GET', '/api/Notes', { 'content-length': 'x' }],
      ['GET', '/own', { expect: 'miracles' }]
    ]
    for (const [verb, target, headers, body] of targets) {
      const reply = await plainly(server, verb, target, headers, body)
      t.ok(reply.status > 0, `${verb} ${target.slice(0, 40)} is answered`)
      t.equal(reply.headers['x-content-type-options'], 'nosniff', `${verb} ${target.slice(0, 40)}: ${reply.status}`)
    }
    const page = await plainly(server, 'GET', '/explorer/openapi.json')
    t.equal(
      (await plainly(server, 'GET', '/explorer/openapi.json', { 'if-none-match': page.headers.etag as string }))
        .headers['x-content-type-options'],
      'nosniff',
      '304'
    )
    const stream = await listen(t, server, '/Notes/change-stream')
    t.equal(stream.headers['x-content-type-options'], 'nosniff', 'a stream')
    stream.close()
  })

  t.test('S-53 no JSONP, no unescaped error page, no XML that was not asked for', async t => {
    // Seen to fail: escapeHtml of rest/errors/render.ts giving the text as it is; offeredTypes of
    // rest/handlers/format.ts with XML although the setting is off
    for (const name of ['callback', 'jsonp', 'cb', '_callback']) {
      const { headers, body } = await plainly(server, 'GET', `/api/Notes?${name}=alert`)
      t.match(headers['content-type'], 'application/json')
      t.notMatch(body, 'alert')
    }
    const script = '<script>alert(1)</script>'
    for (const target of [
      `/${script}`,
      `/api/${script}`,
      `/api/Notes/${script}`,
      `/api/Notes/${encodeURIComponent(script)}`,
      `/api/Tools/fail?status=400&text=${encodeURIComponent(script)}`,
      `/api/Notes?${filterText({ where: { [script]: script } })}`,
      `/api/Notes?${filterText({ include: script })}`,
      `/api/Notes?filter=${encodeURIComponent(script)}`,
      `/api/Notes?_format=${encodeURIComponent(script)}`,
      `/api/Users/confirm?uid=${encodeURIComponent(script)}&token=${encodeURIComponent(script)}`
    ]) {
      for (const accept of ['text/html', 'text/html,application/xhtml+xml', 'application/xml']) {
        const { status, headers, body } = await plainly(server, 'GET', target, { accept })
        t.ok(status >= 400 && status < 500, `${target}: ${status}`)
        if (headers['content-type']?.includes('json') !== true) {
          t.notMatch(body, script, `${target} as ${headers['content-type']}`)
        }
      }
    }
    for (const [target, accept] of [
      ['/api/Notes', 'application/xml'],
      ['/api/Notes', 'text/xml'],
      ['/api/Notes?_format=xml', '*/*'],
      ['/api/Notes?_format=application/xml', 'application/json'],
      ['/api/Notes/1?_format=xml', 'application/xml']
    ] as const) {
      t.equal((await plainly(server, 'GET', target, { accept })).status, 406, `${target} as ${accept}`)
    }
  })

  t.test('S-54 a response that nobody takes is refused before the method runs', async t => {
    // Seen to fail: handle of rest/handlers/remote-route.ts taking JSON for every request (a row was there)
    const calls = (models.Tool as unknown as { calls: { counted: number } }).calls
    const before = await rows('Note')
    const counted = calls.counted
    for (const [query, accept] of [
      ['', 'image/png'],
      ['', 'application/json;q=0'],
      ['', 'text/html'],
      ['', '*/*;q=0'],
      ['?_format=yaml', '*/*'],
      ['?_format=', 'image/png'],
      ['?_format=event-stream', '*/*'],
      ['?_format=html', 'application/json'],
      ['?_format[]=json', 'image/png'],
      ['?_format=__proto__', '*/*'],
      ['?_format=constructor', '*/*']
    ] as const) {
      const note = await plainly(server, 'POST', `/api/Notes${query}`, { accept }, '{"text":"made"}')
      t.equal(note.status, 406, `${query} ${accept}`)
      t.equal((await plainly(server, 'POST', `/api/Tools/count${query}`, { accept })).status, 406)
      t.equal((await plainly(server, 'DELETE', `/api/Notes/1${query}`, { accept })).status, 406)
    }
    t.equal(calls.counted, counted, 'no method ran')
    t.equal(await rows('Note'), before, 'no row changed')
  })

  t.test('S-55 P-22 a cookie counts when it is signed; a token in a body never does', async t => {
    // Seen to fail: fromCookies of auth/tokens/find-token.ts taking `cookies` without unsigning
    const signed = (value: string, secret = 'a secret of the wire'): string =>
      encodeURIComponent(`s:${value}.${createHmac('sha256', secret).update(value).digest('base64').replace(/=+$/, '')}`)
    const who = async (cookie: string): Promise<unknown> =>
      (JSON.parse((await plainly(server, 'GET', '/own/who', { cookie })).body) as Row).userId
    t.equal(await who(`access_token=${signed(ann.token)}`), ann.id)
    for (const cookie of [
      `access_token=${ann.token}`,
      `authorization=${ann.token}`,
      `access_token=s:${ann.token}`,
      `access_token=s%3A${ann.token}.`,
      `access_token=${signed(ann.token, 'another secret')}`,
      `access_token=${signed(ann.token).slice(0, -1)}`,
      `access_token=${signed(ben.token).replace(ben.token, ann.token)}`,
      `x=1; access_token=${ann.token}; access_token=${ann.token}`,
      `__proto__=${signed(ann.token)}`,
      `access_token=${encodeURIComponent(`j:${JSON.stringify(ann.token)}`)}`
    ]) {
      t.equal(await who(cookie), null, cookie.slice(0, 40))
    }
    const change = { oldPassword: 'wrong', newPassword: 'y', access_token: ann.token, authorization: ann.token }
    t.equal((await send('POST', '/Users/change-password', { json: change })).status, 401, 'in JSON')
    t.equal(
      (
        await send('POST', '/Users/change-password', {
          payload: new URLSearchParams(change).toString(),
          type: 'application/x-www-form-urlencoded'
        })
      ).status,
      401,
      'in a form'
    )
    t.equal(
      (
        await send('POST', '/Vaults', {
          payload: `access_token=${ann.token}&text=x`,
          type: 'application/x-www-form-urlencoded'
        })
      ).status,
      401
    )
    t.equal(
      (await send('POST', '/Users/change-password', { json: change, token: ann.token })).status,
      400,
      'in its header'
    )
  })

  t.test('S-57 files and explorer serve what they have, and nothing above', async t => {
    // Seen to fail: staticStep of boot/middleware/native/static.ts with dotfiles "allow"
    t.match((await plainly(server, 'GET', '/files/page.html')).body, 'a page')
    for (const up of [
      '../server/config.json',
      '%2e%2e/server/config.json',
      '..%2fserver%2fconfig.json',
      '%2e%2e%2fserver%2fconfig.json',
      '..%5cserver%5cconfig.json',
      '..\\server\\config.json',
      'sub/../../server/config.json',
      'sub/%2e%2e/%2e%2e/server/config.json',
      '....//server/config.json',
      '..;/server/config.json',
      '%252e%252e%252fserver/config.json',
      '//etc/passwd',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      '..%00/server/config.json',
      'page.html%00.txt',
      '%c0%ae%c0%ae/server/config.json',
      '.hidden',
      '%2ehidden',
      'sub/../.hidden',
      'sub/',
      '',
      'sub/..',
      'page.html/',
      '~root',
      'C:\\boot.ini',
      'file:///etc/passwd'
    ]) {
      for (const base of ['/files/', '/explorer/', '/FILES/', '/explorer/openapi.json/']) {
        const { status, body } = await plainly(server, 'GET', `${base}${up}`)
        t.notMatch(body, /restApiRoot|root:|hidden file|"dataSource"/, `${base}${up}: ${status}`)
        t.ok(status < 500, `${base}${up}: ${status}`)
        if (base === '/files/' && up !== '') t.ok(status >= 300, `${base}${up}: ${status}`)
      }
    }
    const { body } = await plainly(server, 'GET', '/explorer/openapi.json')
    const description = JSON.parse(body) as {
      paths: Record<string, Record<string, { responses: unknown }>>
      components?: { schemas?: Record<string, unknown> }
    }
    t.notMatch(
      body,
      /Ghost|hauntedProperty|concealed|switched-off|switchedOff/,
      'no unpublished model, no hidden method'
    )
    t.ok('/Vaults/{id}' in description.paths || '/api/Vaults/{id}' in description.paths)
    const seen = new Set<string>()
    const namesIn = (schema: unknown): string[] => {
      if (schema === null || typeof schema !== 'object') return []
      const { $ref, properties, ...others } = schema as { $ref?: string, properties?: Record<string, unknown> }
      const name = $ref?.split('/').at(-1)
      if (name !== undefined && seen.has(name)) return []
      if (name !== undefined) seen.add(name)
      return [
        ...Object.keys(properties ?? {}),
        ...[
          name === undefined ? undefined : description.components?.schemas?.[name],
          ...Object.values(properties ?? {}),
          ...Object.values(others)
        ].flatMap(namesIn)
      ]
    }
    const answers = namesIn(
      Object.values(description.paths).flatMap(verbs => Object.values(verbs).map(({ responses }) => responses))
    )
    t.ok(answers.includes('text'))
    for (const hidden of ['code', 'secret', 'password', 'verificationToken']) {
      t.notOk(
        answers.filter(name => name !== 'code' || !answers.includes('statusCode')).includes(hidden),
        `${hidden} is in no response`
      )
    }
    const swagger = (await plainly(server, 'GET', '/explorer/swagger.json')).body
    t.notMatch(swagger, /Ghost|hauntedProperty|concealed|switched-off/)
  })

  t.test('S-58 P-23 an error tells no stack, path, SQL, driver or row, and a 5xx nothing but its phrase', async t => {
    // Seen to fail: errorBody of rest/errors/error-body.ts with debug true; the same showing `message` at 500
    const leaks =
      /SELECT|\/srv\/|\.js:|\.ts:|node_modules|at [A-Za-z.]+ \(|SQLITE|errno|"stack"|ann@x\.test|data\.db|node:internal/
    const debugging = [
      '',
      '&debug=true',
      '&debug=1',
      '&_debug=1&verbose=1&stack=true&trace=1',
      '&error[debug]=true',
      '&options[debug]=true'
    ]
    for (const [i, more] of debugging.entries()) {
      for (const accept of ['application/json', 'text/html', 'application/xml']) {
        for (const target of [
          `/api/Tools/fail?text=x${more}`,
          `/api/Tools/failWith?text=object${more}`,
          `/api/Tools/failWith?text=list${more}`,
          `/api/Tools/failWith?text=word${more}`,
          `/express/fails?x=1${more}`,
          `/own/fails?x=1${more}`
        ]) {
          const { status, headers, body } = await plainly(server, 'GET', target, {
            accept,
            'x-debug': 'true',
            ...(i === 1 ? { debug: '1', 'x-forwarded-for': '127.0.0.1' } : {})
          })
          t.ok(status >= 400, `${target}: ${status}`)
          t.notMatch(body, leaks, `${target} as ${accept}`)
          if (status >= 500 && accept === 'application/json' && !target.includes('text=list')) {
            t.same(JSON.parse(body), { error: { statusCode: 500, message: 'Internal Server Error' } }, target)
          }
          if (status >= 500) t.ok(headers['x-request-id'], 'the id of the request')
        }
      }
    }
    const refused = (await send('GET', '/Tools/fail?text=x&status=400')).body as { error: object }
    t.same(
      Object.keys(refused.error).sort(),
      ['message', 'name', 'statusCode'],
      'of an error of the application only what it says'
    )
    const broken: Array<[string, string, unknown?]> = [
      ['POST', '/Notes', { text: 'x\u0000y' }],
      ['POST', '/Notes', { id: 1 }],
      ['GET', '/Notes/9007199254740993'],
      ['GET', `/Notes?${filterText({ where: { id: 'x' } })}`],
      ['GET', `/Notes?${filterText({ order: 'nope; DROP TABLE Note' })}`],
      ['GET', `/Notes?${filterText({ fields: ['nope'] })}`],
      ['GET', `/Notes?${filterText({ limit: 1e20 })}`],
      ['GET', `/Notes?${filterText({ where: { text: { regexp: '(' } } })}`],
      ['POST', '/Users', person('ann')],
      ['POST', '/Users', { email: 'ann@x.test', password: 'x' }],
      ['PATCH', '/Notes/1', { id: 'x' }],
      ['POST', '/Notes', '{'],
      ['GET', '/Notes?filter={'],
      ['POST', '/Users/login', null],
      ['GET', '/Users/confirm?uid=1&token=x'],
      ['GET', `/Notes?${filterText({ include: 'nope' })}`],
      ['GET', `/Vaults?${filterText({ where: { code: 'x' } })}`]
    ]
    for (const [verb, url, json] of broken) {
      const { status, text } = await send(verb, url, json === undefined ? {} : { json })
      t.ok(status < 500, `${verb} ${url}: ${status}`)
      t.notMatch(
        text,
        /SELECT|INSERT|\/srv\/|\/work\/|\/packages\/|\.js:|\.ts:|node_modules|at [A-Za-z.]+ \(|SQLITE|errno|"stack"|hidden-code|hidden-secret/,
        `${verb} ${url}`
      )
    }
  })
})

tap.test('S-53 S-54 XML with its setting: also by _format, escaped', async t => {
  // Seen to fail: xmlText of rest/errors/xml.ts without its escapes
  const server = await attack(t, 'wire', 'memory', { env: 'xml' })
  await server.models.Note?.create({ text: '<x>&"]]>' })
  for (const [target, accept] of [['/api/Notes', 'application/xml'], ['/api/Notes?_format=xml', '*/*']] as const) {
    const { status, headers, body } = await plainly(server, 'GET', target, { accept })
    t.match(
      { status, type: headers['content-type'], vary: headers.vary },
      { status: 200, type: 'application/xml; charset=utf-8', vary: /accept/i }
    )
    t.notMatch(body, '<x>')
  }
  t.equal((await plainly(server, 'GET', '/api/Notes?_format=yaml')).status, 406)
})

tap.test('S-55 cookies that we set: HttpOnly, SameSite=Lax, Secure under TLS', async t => {
  // Seen to fail: #send of oauth2/session/sessions.ts without httpOnly, without sameSite, and with secure: false;
  // forget without its attributes
  for (const issuer of ['https://op.test', 'http://127.0.0.1']) {
    const server = await attack(
      t,
      temporaryApp(t, {
        'server/component-config.json': { '@fastback/oauth2': { dataSource: 'db', issuer } },
        'server/model-config.json': {
          _meta: { sources: ['loopback/common/models', './models'] },
          Note: { dataSource: 'db', public: true },
          User: { dataSource: 'db', public: true },
          ...Object.fromEntries(
            ['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])
          )
        },
        'server/boot/auth.js': 'export default app => { app.enableAuth() }'
      }),
      'memory'
    )
    await (server.models.User as Model).create(person('ada'))
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: issuer }
    const asked = [
      await plainly(server, 'GET', '/login'),
      await plainly(server, 'POST', '/login', form, 'username=ada&password=ada-secret'),
      await plainly(server, 'POST', '/logout', form, 'x=1')
    ]
    for (const { status, headers } of asked) {
      const cookie = headers['set-cookie'] ?? ''
      t.match(cookie, /^fastback\.oauth2=/, `${issuer}: ${status} ${cookie}`)
      t.match(cookie, /; HttpOnly(?:;|$)/)
      t.match(cookie, /; SameSite=Lax(?:;|$)/)
      t.match(cookie, /; Path=\/(?:;|$)/)
      t.equal(/; Secure(?:;|$)/.test(cookie), issuer.startsWith('https:'), cookie)
    }
  }
})

/** A server for a folder with CORS as given (JSON), or without any. */
async function withCors (t: Test, params: unknown, script?: string): Promise<Attacked> {
  return await attack(
    t,
    temporaryApp(t, {
      'server/middleware.json': {
        initial: params === undefined ? {} : { cors: { params: script === undefined ? params : null } },
        routes: { 'loopback#rest': { paths: ['/api'] } }
      },
      ...(script === undefined
        ? {}
        : { 'server/middleware.local.js': `export default { initial: { cors: { params: ${script} } } }` })
    }),
    'memory'
  )
}

tap.test('S-56 P-21 CORS is off; never every origin together with credentials', async t => {
  // Seen to fail: withoutOpenCredentials of boot/middleware/native/cors.ts giving the options back
  const asked = async (
    server: Attacked,
    origin = 'https://evil.example'
  ): Promise<{ allowed: string | undefined; credentials: string | undefined }> => {
    const plain = await plainly(server, 'GET', '/api/Notes', { origin })
    const preflight = await plainly(server, 'OPTIONS', '/api/Notes', {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-access-token'
    })
    t.equal(
      preflight.headers['access-control-allow-origin'],
      plain.headers['access-control-allow-origin'],
      'preflight and request agree'
    )
    t.equal(preflight.headers['access-control-allow-credentials'], plain.headers['access-control-allow-credentials'])
    return {
      allowed: plain.headers['access-control-allow-origin'],
      credentials: plain.headers['access-control-allow-credentials']
    }
  }
  t.same(await asked(await withCors(t, undefined)), { allowed: undefined, credentials: undefined }, 'off')
  const open: Array<[unknown, string?]> = [
    [{ origin: true, credentials: true, maxAge: 86400 }],
    [{ origin: '*', credentials: true }],
    [{ credentials: true }],
    [{ origin: ['https://app.example', '*'], credentials: true }],
    [{ origin: ['https://app.example', true], credentials: true }],
    [{}, '{ origin: /./, credentials: true }'],
    [{}, '{ origin: [/^https:/], credentials: true }'],
    [{}, "{ origin: (origin, done) => { done(null, '*') }, credentials: true }"],
    [{}, '(request, done) => { done(null, { origin: true, credentials: true }) }'],
    [{}, "async () => ({ origin: '*', credentials: true })"]
  ]
  for (const [params, script] of open) {
    const answer = await asked(await withCors(t, params, script))
    t.match(
      answer,
      { allowed: /^(?:\*|https:\/\/evil\.example)$/, credentials: undefined },
      `every origin, without credentials: ${script ?? JSON.stringify(params)}`
    )
  }
  const named: Array<[unknown, string?]> = [
    [{ origin: 'https://app.example', credentials: true }],
    [{ origin: ['https://app.example', 'https://b.example'], credentials: true }],
    [{}, '{ origin: /^https:\\/\\/app\\.example$/, credentials: true }'],
    [{}, "{ origin: (origin, done) => { done(null, origin === 'https://app.example') }, credentials: true }"],
    [{}, "{ origin: async origin => origin === 'https://app.example', credentials: true }"]
  ]
  for (const [params, script] of named) {
    const server = await withCors(t, params, script)
    t.match(
      await asked(server, 'https://app.example'),
      { allowed: 'https://app.example', credentials: 'true' },
      `a named one: ${script ?? JSON.stringify(params)}`
    )
    for (const origin of [
      'https://evil.example',
      'https://app.example.evil.example',
      'https://evil.example#https://app.example',
      'null',
      'HTTPS://APP.EXAMPLE.'
    ]) { t.not((await asked(server, origin)).allowed, origin, origin) }
  }
  t.match(
    await asked(await withCors(t, { origin: ['https://app.example', 'null'], credentials: true }), 'null'),
    { allowed: 'null', credentials: undefined },
    'a frame on any page has the origin null'
  )
  const spec = await plainly(
    await withCors(t, { origin: true, credentials: true, maxAge: 86400 }),
    'OPTIONS',
    '/api/Notes',
    { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
  )
  t.match(
    spec,
    {
      status: 204,
      headers: {
        'access-control-allow-origin': 'https://app.example',
        'access-control-max-age': '86400',
        vary: /origin/i
      }
    },
    'the configuration of the specification works, without cookies'
  )
})

tap.test('S-59 P-30 slow, half-open and too many clients are let go', { timeout: 250_000 }, async t => {
  // Seen to fail: boot/server.ts with a headersTimeout of a minute; without maxConnections
  const defaults = await createServer(new URL('../../apps/wire', import.meta.url).pathname, { env: 'test', log: false })
  t.match({ ...defaults.fastify.server }, { headersTimeout: 10_000, requestTimeout: 60_000 }, 'defaults')
  await defaults.stop()
  const server = await attack(t, 'wire', 'memory', { env: 'short' })
  await server.send('GET', '/Notes')
  const open = (...first: string[]): { socket: Socket, text: () => string, closed: Promise<number> } => {
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    const begun = Date.now()
    socket.on('data', chunk => { text += String(chunk) }).on('error', () => {})
    t.teardown(() => { socket.destroy() })
    for (const part of first) socket.write(part)
    return {
      socket,
      text: () => text,
      closed: new Promise(resolve => {
        socket.once('close', () => {
          resolve(Date.now() - begun)
        })
      })
    }
  }
  const drip = (client: { socket: Socket }, part: string): NodeJS.Timeout =>
    setInterval(() => {
      if (client.socket.writable) client.socket.write(part)
    }, 50)
  const clients: Array<[string, ReturnType<typeof open>, string]> = [
    ['nothing at all', open(), ''],
    ['half a request line', open('GET /api/No'), ''],
    ['headers without end', open('GET /api/Notes HTTP/1.1\r\nhost: x\r\n'), 'x: y\r\n'],
    [
      'a body that does not come',
      open('POST /api/Notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'),
      ''
    ],
    [
      'a body byte by byte',
      open('POST /api/Notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'),
      ' '
    ],
    [
      'chunks byte by byte',
      open(
        'POST /api/Notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
      ),
      '1\r\n \r\n'
    ],
    ['idle after an answer', open('GET /api/Notes HTTP/1.1\r\nhost: x\r\n\r\n'), '']
  ]
  const timers = clients.map(([, client, part]) => part === '' ? undefined : drip(client, part))
  for (const [what, { closed, text }] of clients) {
    const time = await Promise.race([closed, sleep(30_000, Infinity, { ref: false })])
    t.ok(time < 30_000, `${what}: closed after ${time} ms`)
    t.notMatch(text(), ' 500 ')
  }
  timers.forEach(timer => { clearInterval(timer) })
  t.equal((await server.send('GET', '/Notes')).status, 200, 'others are served')
  t.equal(await server.models.Note?.count(), 0, 'half a body is no row')

  const many = Array.from({ length: 20 }, () => open('GET /api/Notes HTTP/1.1\r\nhost: x\r\n\r\n'))
  const over = new Set<number>()
  many.forEach(({ closed }, i) => { closed.then(() => over.add(i)) })
  const isDecided = (): boolean => many.every(({ text }, i) => over.has(i) || text().includes('200 OK'))
  for (let looks = 0; looks < 1000 && !isDecided(); looks++) await wait(20)
  const answered = many.filter(({ text }) => text().includes('200 OK')).length
  t.ok(answered <= 8, `${answered} of 20 connections are taken`)
  t.ok(answered > 0)
})

tap.test('S-59 P-28 a client that does not read holds nothing up', { timeout: 150_000 }, async t => {
  // Seen to fail: createChangeStream of core without its check of how far its reader is behind: the stream went on
  const server = await attack(t, 'wire', 'memory')
  const stream = await listen(t, server, '/Notes/change-stream')
  await stream.until(/:ok/)
  const socket = connect(server.port, '127.0.0.1')
  t.teardown(() => { socket.destroy() })
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET /api/Notes/change-stream HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const big = connect(server.port, '127.0.0.1')
  t.teardown(() => { big.destroy() })
  big.on('error', () => {})
  big.pause()
  big.write('GET /api/Tools/rows?length=5000 HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20))
  await wait(200)
  const { Note } = server.models
  // Twelve million characters: more than sockets hold, and the million that is kept for readers who are behind.
  for (let i = 0; i < 600; i++) {
    await Note?.create({ text: `${i} `.padEnd(20_000, '.') })
    if (i % 10 === 0) await stream.next(new RegExp(`"text":"${i} `))
  }
  t.equal((await server.send('GET', '/Notes/count')).status, 200)
  let text = ''
  const over = new Promise<void>(resolve => { socket.once('close', () => { resolve() }) })
  socket.on('data', chunk => { text += String(chunk) }).resume()
  await over
  t.match(text, 'event: error', 'the reader that stopped is told, and let go')
  t.notMatch(text, '"text":"599 ')
  t.match(stream.text(), '"text":"590 ', 'the one that reads has everything')
})

tap.test(
  'S-59 P-27 requests that one packet brings run one after the other, and others in between',
  { timeout: 120_000 },
  async t => {
    // Seen to fail: isNextOfConnection of boot/pipelining.ts always true
    const server = await attack(t, 'wire', 'memory')
    const calls = server.models.Tool?.calls as { counted: number }
    const sent = async (text: string, enough: (got: string, isClosed: boolean) => boolean): Promise<string> => {
      const socket = connect(server.port, '127.0.0.1')
      t.teardown(() => {
        socket.destroy()
      })
      let got = ''
      let isClosed = false
      socket
        .on('error', () => {})
        .on('close', () => { isClosed = true })
        .on('data', chunk => {
          got += String(chunk)
        })
        .write(text)
      for (let looks = 0; looks < 1000 && !enough(got, isClosed); looks++) await wait(20)
      return got
    }
    const get = (path: string, header = ''): string => `GET /api${path} HTTP/1.1\r\nhost: x\r\n${header}\r\n`

    const all = await sent(get('/Tools/count').repeat(20), got => answersIn(got) === 20)
    t.equal(answersIn(all), 20, 'all are answered')
    t.equal(calls.counted, 20)
    await sent(get('/Notes/change-stream') + get('/Tools/count'), got => got.includes(':ok'))
    await wait(200)
    t.equal(calls.counted, 20, 'what follows an answer without an end does not run')
    const one = await sent(
      get('/Tools/count', 'connection: close\r\n') + get('/Tools/count'),
      (_got, isClosed) => isClosed
    )
    t.equal(answersIn(one), 1)
    t.equal(calls.counted, 21, 'what follows the end of a connection does not run')

    // Nobody reads these.
    const socket = connect(server.port, '127.0.0.1')
    t.teardown(() => {
      socket.destroy()
    })
    socket
      .on('error', () => {})
      .pause()
      .write(get('/Tools/rows?length=10000') + get('/Tools/count').repeat(5))
    await wait(500)
    t.equal(calls.counted, 21, 'nothing is made for a client that does not take the answer before')

    let between = 0
    const many = connect(server.port, '127.0.0.1')
    t.teardown(() => {
      many.destroy()
    })
    many
      .on('error', () => {})
      .on('data', () => {})
      .write(get('/Tools/count').repeat(200))
    while (calls.counted < 221) {
      if (calls.counted > 21) between++
      await new Promise(resolve => {
        setImmediate(resolve)
      })
    }
    t.ok(between > 50, `others had ${between} turns while 200 requests were answered`)
  }
)

tap.test('S-59 half-open clients do not hold up the end of a server', { timeout: 120_000 }, async t => {
  // Seen to fail: closeConnections of boot/connections.ts without its loop: the server never stopped
  const server = await createServer(new URL('../../apps/wire', import.meta.url).pathname, {
    env: 'test',
    log: false,
    port: 0,
    host: '127.0.0.1'
  })
  const port = Number(new URL(await server.start()).port)
  for (const sent of [
    '',
    'GET /api/No',
    'GET /api/Notes HTTP/1.1\r\nhost: x\r\n',
    'GET /api/Notes HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET /api/Notes/change-stream HTTP/1.1\r\nhost: x\r\n\r\n'
  ]) {
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => {
      socket.destroy()
    })
    socket.on('error', () => {}).resume()
    socket.write(sent)
  }
  await wait(200)
  const begun = Date.now()
  await server.stop()
  t.ok(Date.now() - begun < 30_000, `${Date.now() - begun} ms`)
})
