/** The studio, against pages of others, names that lead here, proxies and users without the role: S-129. */
import { request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { application } from '../../../packages/studio/test/helpers/application.js'

interface Received { readonly status: number, readonly headers: IncomingHttpHeaders, readonly body: string }

const { app, ann, root } = await application(t)
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

/** As a client sends it that may say anything. */
const send = async (path: string, headers: Record<string, string> = {}, body?: string): Promise<Received> =>
  await new Promise((resolve, reject) => {
    const sent = request({
      port, host: '127.0.0.1', path, method: body === undefined ? 'GET' : 'POST', headers: { host: `localhost:${port}`, ...headers }
    }, response => {
      let text = ''
      response.on('data', chunk => { text += String(chunk) })
      response.on('end', () => { resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }) })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const json = { 'content-type': 'application/json' }
const reads = ['rights.json', 'definitions.json', 'activity.json', 'activity/requests.json', 'users.json', 'callers.json']
const writes: ReadonlyArray<readonly [string, object]> = [
  ['rights/what-if', { model: 'Note', rules: [] }], ['login-as', { model: 'User', id: root.id }],
  ['models/propose', { kind: 'model', name: 'Tea' }], ['models/undo', {}]
]

t.test('S-129 only a page of the server itself, on the machine itself, is taken for a developer', async t => {
  // Seen to fail: access.ts without isLoopbackHost; without the headers of proxies; without isOwnPage
  for (const path of reads) t.equal((await send(`/studio/${path}`)).status, 200, path)
  for (const headers of [
    { host: 'rebound.example' }, { host: `localhost.rebound.example:${port}` }, { host: '127.0.0.1.rebound.example' },
    { host: '0.0.0.0' }, { host: `192.168.0.1:${port}` },
    { 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { 'x-real-ip': '127.0.0.1' }, { via: '1.1 x' },
    { 'x-forwarded-host': 'localhost' },
    { origin: 'https://evil.example' }, { origin: 'null' }, { origin: `http://localhost:${port + 1}` },
    { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }
  ] as ReadonlyArray<Record<string, string>>) {
    for (const path of reads) {
      const { status, body } = await send(`/studio/${path}`, headers)
      t.ok([401, 403].includes(status), `${path} ${JSON.stringify(headers)}: ${status}`)
      t.notMatch(body, /Note|@example|principalId/, 'nothing is told')
    }
    for (const [path, body] of writes) {
      const { status } = await send(`/studio/${path}`, { ...json, ...headers }, JSON.stringify(body))
      t.ok([401, 403].includes(status), `${path} ${JSON.stringify(headers)}: ${status}`)
    }
  }
})

t.test('S-129 a form that a page of others sends writes nothing, and logs in as nobody', async t => {
  // Seen to fail: access.ts without isOwnPage; where mustDevelop lets everybody
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    for (const [path, body] of writes) {
      const { status, body: text } = await send(
        `/studio/${path}`, type === '' ? {} : { 'content-type': type }, JSON.stringify(body))
      t.ok([401, 403, 415].includes(status), `${path} as "${type}": ${status}`)
      t.notMatch(text, '"ttl"')
    }
  }
})

t.test('S-129 a user sees it by a role alone, and develops nothing', async t => {
  // Seen to fail: access.ts where mustDevelop lets everybody; where mustSee takes any token
  const outside = { host: 'example.com' }
  for (const path of reads.filter(each => each !== 'users.json')) {
    t.equal((await send(`/studio/${path}`, { ...outside, authorization: ann.token })).status, 403, path)
    t.equal((await send(`/studio/${path}`, { ...outside, authorization: root.token })).status, 200, path)
  }
  t.equal((await send('/studio/users.json', { ...outside, authorization: root.token })).status, 403)
  for (const [path, body] of writes.slice(1)) {
    const { status } = await send(`/studio/${path}`, { ...json, ...outside, authorization: root.token }, JSON.stringify(body))
    t.equal(status, 403, path)
  }
  const whatIf = await send('/studio/rights/what-if', { ...json, ...outside, authorization: root.token }, JSON.stringify(writes[0]?.[1]))
  t.equal(whatIf.status, 200)
  t.notOk('rows' in JSON.parse(whatIf.body), 'no rows past the own rights')
})

t.test('S-129 what clients send is in no list of requests', async t => {
  // Seen to fail: record.ts with request.url in place of the route; recorder.ts with the values of statements
  const secret = 'a-secret-of-mine'
  await send(`/api/Notes?filter=${encodeURIComponent(`{"where":{"title":"${secret}"}}`)}&x=${secret}`, {
    authorization: root.token, cookie: `s=${secret}`, 'x-mine': secret, 'user-agent': secret
  })
  await send(`/${secret}`)
  await send('/api/Users/login', json, JSON.stringify({ email: `${secret}@example.com`, password: secret }))
  await send('/api/Notes', { ...json, authorization: root.token }, JSON.stringify({ title: secret, secret }))
  const list = (await send('/studio/activity/requests.json')).body
  const { requests } = JSON.parse(list) as { requests: Array<{ id: string }> }
  const details = await Promise.all(requests.map(async ({ id }) => (await send(`/studio/activity/requests/${id}.json?plan=true`)).body))
  const all = [list, ...details].join('\n')
  t.match(all, 'INSERT')
  t.notOk(all.includes(secret))
  t.notOk(all.includes(root.token))
})

t.test('S-150 a token that is good for one thing alone opens no part that a role opens', async t => {
  // Seen to fail: acl/src/plugin.ts whose isInRole asks for the user's roles alone
  const { registry } = app
  const user = await (registry.getModel('User').findById as (id: unknown) => Promise<any>)(root.id)
  const tokenOf = async (data: object): Promise<string> => String((await user.createAccessToken(data)).id)
  const limited = await tokenOf({ ttl: 900, scopes: ['reset-password'] })
  const full = await tokenOf({ ttl: 900, scopes: ['DEFAULT'] })
  for (const path of reads.filter(each => each !== 'users.json')) {
    t.equal((await send(`/studio/${path}`, { host: 'example.com', authorization: limited })).status, 403, path)
    t.equal((await send(`/studio/${path}`, { host: 'example.com', authorization: full })).status, 200, path)
  }
})
