/** Who sees the studio: attacks on it (security.md, S-129). */
import t from 'tap'
import { application } from './helpers/application.js'

const reads = [
  'callers.json', 'rights.json', 'rights/why.json?model=Note&method=find', 'definitions.json', 'database.json?model=Note',
  'counts.json', 'activity.json', 'activity/requests.json', 'activity/requests/1.json'
]
const writes: ReadonlyArray<readonly [string, object]> = [
  ['rights/what-if', { model: 'Note', rules: [] }], ['activity/pause', {}], ['activity/resume', {}]
]
const developing: ReadonlyArray<readonly [string, object]> = [
  ['login-as', { model: 'User', id: 1 }], ['models/propose', { kind: 'model', name: 'Tea' }],
  ['models/apply', { token: 'x' }], ['models/undo', {}]
]

/** The files of the page, and what the admin page has as well: it says what the caller may see of the API. */
const open = ['/studio/', '/studio/:file', '/studio/ui.json', '/studio/openapi.json', '/studio/models.json', '/studio/readable.json']

const { app, get, post, ann, root, routes } = await application(t)

const strangers: ReadonlyArray<readonly [string, Record<string, string>]> = [
  ['a name that leads here (DNS rebinding)', { host: 'rebound.example:3000' }],
  ['a name that begins alike', { host: 'localhost.example' }],
  ['a proxy', { 'x-forwarded-for': '127.0.0.1' }],
  ['a proxy that says so by RFC 7239', { forwarded: 'for=127.0.0.1' }],
  ['a proxy that names itself', { via: '1.1 proxy' }],
  ['another site in the same browser', { 'sec-fetch-site': 'cross-site' }],
  ['a subdomain', { 'sec-fetch-site': 'same-site' }],
  ['another origin', { origin: 'https://other.example' }],
  ['another port of this machine', { origin: 'http://localhost:4000' }],
  ['a page in a sandbox', { origin: 'null' }]
]

t.test('a browser on the machine of the server sees it all', async t => {
  for (const path of reads.slice(0, -1)) t.equal((await get(`/studio/${path}`)).status, 200, path)
  for (const [path, body] of writes) t.equal((await post(`/studio/${path}`, body)).status, 200, path)
  const { body } = await get('/studio/ui.json')
  t.same(body, { views: ['data', 'api', 'models', 'rights', 'activity'], development: true, changes: false })
  for (const host of ['127.0.0.1:3000', '[::1]:3000', 'localhost']) {
    t.equal((await get('/studio/rights.json', { host })).status, 200, host)
  }
})

t.test('strangers get to no route that there is, whichever part of the studio brings it', async t => {
  const headers = { host: 'rebound.example:3000' }
  const guarded = routes.filter(({ path }) => !open.includes(path) && !path.includes('*'))
  for (const { method, path } of guarded) {
    const { status } = method === 'GET' ? await get(path, headers) : await post(path, {}, headers)
    t.match(status, /^40[13]$/, `${method} ${path}`)
  }
  t.ok(guarded.length > reads.length + writes.length, `${guarded.length} routes`)
})

t.test('nothing of it is kept by caches', async t => {
  for (const path of [...reads, 'ui.json', 'users.json']) {
    const { headers } = await app.inject({ url: `/studio/${path}`, headers: { host: 'localhost' } })
    t.equal(headers['cache-control'], 'no-store', path)
  }
})

t.test('strangers and pages of others see nothing', async t => {
  for (const [who, headers] of strangers) {
    for (const path of reads) {
      const { status, body } = await get(`/studio/${path}`, headers)
      t.match({ status, body }, { status: 401, body: { error: { code: 'AUTHORIZATION_REQUIRED' } } }, `${who}: ${path}`)
    }
    for (const [path, payload] of writes) {
      t.match((await post(`/studio/${path}`, payload, headers)).status, /^40[13]$/, `${who}: ${path}`)
    }
    for (const [path, payload] of developing) {
      t.match(await post(`/studio/${path}`, payload, headers), { status: 403, body: { error: { code: 'STUDIO_DEVELOPMENT_ONLY' } } }, `${who}: ${path}`)
    }
    t.equal((await get('/studio/users.json', headers)).status, 403, who)
    t.equal((await get('/studio/ui.json', headers)).body.development, false, who)
  }
})

t.test('forms of other sites write nothing, whatever they call their body', async t => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    for (const [path, body] of [...writes, ...developing]) {
      const { statusCode } = await app.inject({
        method: 'POST', url: `/studio/${path}`, payload: JSON.stringify(body), headers: { host: 'localhost', 'content-type': type }
      })
      t.ok([401, 403, 415].includes(statusCode), `${path} as ${type}: ${statusCode}`)
    }
  }
})

t.test('users: those in a role see, and none of them develops', async t => {
  const headers = { host: 'example.com' }
  for (const path of reads) {
    const asAnn = await get(`/studio/${path}`, { ...headers, authorization: ann.token })
    t.match(asAnn, { status: 403, body: { error: { code: 'ACCESS_DENIED' } } }, path)
    const asRoot = await get(`/studio/${path}`, { ...headers, authorization: root.token })
    t.equal(asRoot.status, path.endsWith('1.json') ? 404 : 200, path)
  }
  for (const [path, body] of developing) {
    t.equal((await post(`/studio/${path}`, body, { ...headers, authorization: root.token })).status, 403, path)
  }
  t.equal((await get('/studio/users.json', { ...headers, authorization: root.token })).status, 403)
})

t.test('where nobody says that it is being developed, no address makes anybody a developer', async t => {
  // As behind a proxy that adds no header, and names the server by its own address.
  const { NODE_ENV } = process.env
  delete process.env.NODE_ENV
  t.teardown(() => { process.env.NODE_ENV = NODE_ENV })
  const served = await application(t)
  for (const path of reads.slice(0, -1)) t.equal((await served.get(`/studio/${path}`)).status, 401, path)
  for (const [path, body] of developing) t.equal((await served.post(`/studio/${path}`, body)).status, 403, path)
  t.match((await served.get('/studio/rights.json')).body.error.message, 'NODE_ENV=development')
  t.match((await served.get('/studio/ui.json')).body, { development: false, changes: false })
})

t.test('in production it is not there; enabled, it is for users in the roles alone', async t => {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  t.teardown(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  })
  const off = await application(t)
  for (const path of [...reads, 'ui.json', '']) t.equal((await off.get(`/studio/${path}`)).status, 404, path)
  const on = await application(t, { enabled: true, roles: ['operator', 'admin'] })
  for (const path of reads.slice(0, -1)) {
    t.equal((await on.get(`/studio/${path}`)).status, 401, `${path}, on the machine itself`)
    t.equal((await on.get(`/studio/${path}`, { authorization: on.ann.token })).status, 403, path)
    t.equal((await on.get(`/studio/${path}`, { authorization: on.root.token })).status, 200, path)
  }
  t.match((await on.get('/studio/rights.json', { authorization: on.ann.token })).body.error.message, 'operator, admin')
  for (const [path, body] of developing) {
    t.equal((await on.post(`/studio/${path}`, body, { authorization: on.root.token })).status, 403, path)
  }
  t.match((await on.get('/studio/ui.json')).body, { development: false, changes: false })
})

t.test('parts that are not wanted are not there', async t => {
  const some = await application(t, { parts: { activity: false, rights: false, models: false } })
  for (const path of ['rights.json', 'definitions.json', 'activity.json', 'activity/requests.json']) {
    t.equal((await some.get(`/studio/${path}`)).status, 404, path)
  }
  t.equal((await some.post('/studio/models/undo', {})).status, 404)
  t.same((await some.get('/studio/ui.json')).body.views, ['data', 'api'])
})

t.test('log in as anybody, while developing', async t => {
  const events: any[] = []
  app.registry.on('audit', event => { events.push(event) })
  const { body } = await get('/studio/users.json')
  t.match(body, { more: false, users: [{ model: 'User', username: 'root', roles: ['admin'] }, { username: 'ann', roles: [] }] })
  t.notMatch(JSON.stringify(body), 'password')
  t.match((await get('/studio/users.json?q=an')).body.users, [{ username: 'ann', email: 'ann@example.com' }])
  for (const q of ['%25', '_', 'zz']) t.same((await get(`/studio/users.json?q=${q}`)).body.users, [], q)
  t.match((await get('/studio/users.json?limit=1')).body, { more: true, users: { length: 1 } })
  for (const query of ['limit=0', 'limit=x', 'limit=1000', 'q=a&q=b']) {
    t.equal((await get(`/studio/users.json?${query}`)).status, 400, query)
  }
  const login = await post('/studio/login-as', { model: 'User', id: ann.id as number })
  t.match(login, { status: 200, body: { ttl: 3600, userId: ann.id, model: 'User' } })
  const notes = await app.inject({ url: '/api/Notes', headers: { authorization: login.body.id } })
  t.equal((notes.json() as unknown[]).length, 4, 'rows of that user alone')
  t.match(events, [{ event: 'login as', model: 'User', userId: ann.id }])
  for (const payload of [{ model: 'User', id: 99 }, { model: 'Note', id: 1 }, { model: '__proto__', id: 1 }, { model: 'User', id: '{"gt":0}' }]) {
    t.equal((await post('/studio/login-as', payload)).status, 404, JSON.stringify(payload))
  }
  for (const payload of [{}, { model: 'User' }, { model: 'User', id: { gt: 0 } }, { model: 'User', id: 1, ttl: 1 }]) {
    t.equal((await post('/studio/login-as', payload)).status, 400, JSON.stringify(payload))
  }
})

t.test('the address of the server leads browsers to it, and other clients nowhere', async t => {
  const home = await application(t, { home: true })
  const browser = { accept: 'text/html,application/xhtml+xml' }
  const sent = await home.app.inject({ url: '/', headers: browser })
  t.match(sent, { statusCode: 302, headers: { location: './studio/' } })
  t.equal((await home.app.inject({ url: '/', headers: { accept: 'application/json' } })).statusCode, 404)
  t.equal((await app.inject({ url: '/', headers: browser })).statusCode, 404, 'not without the option')
  const below = await application(t, { home: true, prefix: '/tools', path: '/see' })
  t.equal((await below.app.inject({ url: '/', headers: browser })).headers.location, './tools/see/')
  t.equal((await below.get('/tools/see/rights.json')).status, 200)
})
