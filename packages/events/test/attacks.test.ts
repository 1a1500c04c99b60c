/** What somebody tries who wants more of webhooks than is theirs: each line is an attack, and how it ends. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { Outgoing } from '@fastback/core/outgoing'
import { webhookAddress } from '../src/webhooks/address.js'
import { post } from '../src/webhooks/sender.js'
import { makeApp, type App } from './webhooks/app.js'
import { Receiver } from './webhooks/receiver.js'

type Loose = any

const definitions = [
  {
    name: 'Order',
    events: true,
    hidden: ['pin'],
    properties: { title: 'string', status: 'string', userId: 'number', pin: 'string', cost: 'number', shopId: 'number' },
    relations: { shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopId' } },
    acls: [
      { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
      {
        principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: { userId: '$user.id' },
        fields: { read: ['*', '-cost'] }
      }
    ]
  },
  { name: 'Shop', properties: { name: 'string', safe: 'string' } }
]

const badAddresses: ReadonlyArray<readonly [string, unknown]> = [
  ['loopback', 'https://127.0.0.1/'], ['in short', 'https://127.1/'], ['as one number', 'https://2130706433/'],
  ['in hex', 'https://0x7f000001/'], ['in octal', 'https://0177.0.0.1/'], ['zero', 'https://0/'],
  ['with a dot behind', 'https://127.0.0.1./'], ['in other digits', 'https://①②⑦.⓪.⓪.①/'], ['encoded', 'https://%31%32%37.0.0.1/'],
  ['private 10', 'https://10.0.0.1/'], ['private 172', 'https://172.16.0.1/'], ['private 192', 'https://192.168.1.1/'],
  ['metadata of a cloud', 'https://169.254.169.254/latest/meta-data'], ['of a provider', 'https://100.64.0.1/'],
  ['multicast', 'https://224.0.0.1/'], ['broadcast', 'https://255.255.255.255/'],
  ['IPv6 loopback', 'https://[::1]/'], ['IPv6 of nobody', 'https://[::]/'], ['mapped', 'https://[::ffff:127.0.0.1]/'],
  ['mapped in hex', 'https://[::ffff:7f00:1]/'], ['compatible', 'https://[::7f00:1]/'], ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['6to4', 'https://[2002:7f00:1::]/'], ['Teredo', 'https://[2001:0:7f00:1::]/'], ['link-local', 'https://[fe80::1]/'],
  ['unique local', 'https://[fc00::1]/'], ['http', 'http://example.com/'], ['ftp', 'ftp://example.com/'],
  ['a file', 'file:///etc/passwd'], ['a script', 'javascript:alert(1)'], ['data', 'data:text/plain,a'],
  ['a password', 'https://a:b@example.com/'], ['a user', 'https://a@example.com/'],
  ['lines', 'https://example.com/\r\nX-Admin: 1'], ['lines in the host', 'https://exa\nmple.com/'], ['a tab', 'https://exam\tple.com/'],
  ['a zero', 'https://example.com/\0'], ['blanks', ' https://example.com/'], ['a backslash', 'https://example.com\\@127.0.0.1/'],
  ['a fragment', 'https://example.com/#a'], ['nothing absolute', '//example.com/'], ['no text', { href: 'https://example.com/' }],
  ['a list', ['https://example.com/']], ['too long', `https://example.com/${'a'.repeat(2048)}`]
]

t.test('S-130 addresses', async t => {
  const outgoing = new Outgoing()
  for (const [name, url] of badAddresses) t.ok('fault' in webhookAddress(url, outgoing, false), name)
  t.strictSame(webhookAddress('https://Hooks.Example.com:8443/a?b=c', outgoing, false), { url: 'https://hooks.example.com:8443/a?b=c' })
})

async function listening (t: Test, server: Server): Promise<number> {
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const patience = { timeout: 300, signal: new AbortController().signal }
const message = (url: string): Loose => ({ url, headers: { 'webhook-id': 'a' }, body: '{}' })

t.test('S-130 where names lead to', async t => {
  let calls = 0
  const port = await listening(t, createServer((_, response) => { calls++; response.end() }))
  const answers = [['93.184.215.14'], ['127.0.0.1']]
  const rebinding = new Outgoing({
    resolve: (_, __, callback) => {
      callback(null, (answers.shift() ?? ['127.0.0.1']).map(address => ({ address, family: 4 })))
    }
  })
  answers.shift()
  t.strictSame(await post(rebinding, message(`http://rebind.example:${port}/`), patience), { error: 'HOST_NOT_FOUND' })
  t.strictSame(await post(new Outgoing(), message(`http://localhost:${port}/`), patience), { error: 'HOST_NOT_FOUND' })
  t.strictSame(await post(new Outgoing(), message(`http://127.0.0.1:${port}/`), patience), { error: 'HOST_NOT_FOUND' })
  t.strictSame(await post(new Outgoing(), message(`http://[::ffff:127.0.0.1]:${port}/`), patience), { error: 'HOST_NOT_FOUND' })
  t.equal(calls, 0)
})

t.test('S-130 what receivers do', async t => {
  const outgoing = new Outgoing({ allow: ['127.0.0.0/8'] })
  let secondCalls = 0
  const second = await listening(t, createServer((_, response) => { secondCalls++; response.end() }))
  const kinds: Record<string, (response: Loose, socket: Loose) => void> = {
    redirects: response => { response.writeHead(307, { location: `http://127.0.0.1:${second}/` }); response.end() },
    silent: () => {},
    endless: response => {
      response.writeHead(200)
      const write = (): void => { if (!response.destroyed) response.write('a'.repeat(65_536), write) }
      write()
    },
    'slow headers': (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => { socket.write('x-a: b\r\n') }, 50)
      socket.once('close', () => { clearInterval(timer) })
    },
    'huge headers': (_, socket) => { socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`) },
    'no http': (_, socket) => { socket.end('SSH-2.0-OpenSSH\r\n') },
    'hangs up': (_, socket) => { socket.destroy() }
  }
  const port = await listening(t, createServer((request, response) => {
    kinds[decodeURIComponent(String(request.url).slice(1))]?.(response, request.socket)
  }))
  const to = async (kind: string): Promise<Loose> =>
    await post(outgoing, message(`http://127.0.0.1:${port}/${encodeURIComponent(kind)}`), patience)
  t.strictSame(await to('redirects'), { status: 307 })
  t.equal(secondCalls, 0, 'no redirect is followed')
  t.strictSame(await to('silent'), { error: 'TIMEOUT' })
  t.strictSame(await to('endless'), { status: 200 }, 'a status is enough')
  t.strictSame(await to('slow headers'), { error: 'TIMEOUT' })
  t.strictSame(await to('huge headers'), { error: 'REQUEST_FAILED' })
  t.strictSame(await to('no http'), { error: 'REQUEST_FAILED' })
  t.strictSame(await to('hangs up'), { error: 'CONNECTION_LOST' })
})

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const ok = { url: 'https://hooks.example.com/', events: ['Order.*'] }
const evil = '((a+)+)+$'

/** By ben, about what is ann's; `ID` and `DELIVERY` are hers. */
const calls: ReadonlyArray<readonly [string, string, string, Loose, number | readonly number[]]> = [
  ['reads', 'GET', '/WebhookSubscriptions/ID', undefined, 404],
  ['patches', 'PATCH', '/WebhookSubscriptions/ID', { url: 'https://evil.example/' }, 404],
  ['deletes', 'DELETE', '/WebhookSubscriptions/ID', undefined, [200, 404]],
  ['rotates', 'POST', '/WebhookSubscriptions/ID/rotate-secret', undefined, 404],
  ['tests', 'POST', '/WebhookSubscriptions/ID/test', undefined, 404],
  ['lists deliveries', 'GET', '/WebhookSubscriptions/ID/deliveries', undefined, 404],
  ['replays', 'POST', '/WebhookDeliveries/DELIVERY/replay', undefined, 404],
  ['replays nothing', 'POST', '/WebhookDeliveries/__proto__/replay', undefined, 404],
  ['reads a delivery', 'GET', '/WebhookDeliveries/DELIVERY', undefined, 404],
  ['lists all deliveries', 'GET', '/WebhookDeliveries', undefined, 404],
  ['replaces', 'PUT', '/WebhookSubscriptions/ID', ok, 404],
  ['upserts', 'PATCH', '/WebhookSubscriptions', { id: 'ID', ...ok }, 404],
  ['updates all', 'POST', '/WebhookSubscriptions/update', { active: false }, 404],
  ['writes many', 'PATCH', '/WebhookSubscriptions/bulk', [{ id: 'ID' }], [400, 404]],
  ['follows changes', 'GET', '/WebhookSubscriptions/change-stream', undefined, 404],
  ['follows a query', 'GET', '/WebhookSubscriptions/live', undefined, 404],
  ['adds up', 'GET', '/WebhookSubscriptions/aggregate', undefined, 404],
  ['asks by the secret', 'GET', `/WebhookSubscriptions?filter=${json({ where: { secret: { like: 'whsec_a%' } } })}`, undefined, 400],
  ['asks by the owner', 'GET', `/WebhookSubscriptions?filter=${json({ where: { userKey: { neq: null } } })}`, undefined, 400],
  ['asks by or', 'GET', `/WebhookSubscriptions?filter=${json({ where: { or: [{ id: 'x' }, { previousSecret: 'x' }] } })}`, undefined, 400],
  ['sorts by the secret', 'GET', `/WebhookSubscriptions?filter=${json({ order: 'secret' })}`, undefined, 400],
  ['sorts by the slot', 'GET', `/WebhookSubscriptions?filter=${json({ order: 'slot' })}`, undefined, 400],
  ['includes', 'GET', `/WebhookSubscriptions?filter=${json({ include: 'user' })}`, undefined, 400],
  ['counts by the secret', 'GET', `/WebhookSubscriptions/count?where=${json({ secret: { gt: 'a' } })}`, undefined, 400],
  ['names the owner', 'POST', '/WebhookSubscriptions', { ...ok, userKey: '["","1"]' }, 422],
  ['names a secret', 'POST', '/WebhookSubscriptions', { ...ok, secret: 'whsec_YQ==' }, 422],
  ['names an old secret', 'POST', '/WebhookSubscriptions', { ...ok, previousSecret: 'whsec_YQ==' }, 422],
  ['names a slot', 'POST', '/WebhookSubscriptions', { ...ok, slot: -1 }, 422],
  ['names a note', 'POST', '/WebhookSubscriptions', { ...ok, note: 'x' }, 422],
  ['names what is not there', 'POST', '/WebhookSubscriptions', { ...ok, isAdmin: true }, 422],
  ['patches the owner', 'PATCH', '/WebhookSubscriptions/OWN', { userKey: '["","1"]' }, 422],
  ['patches the secret', 'PATCH', '/WebhookSubscriptions/OWN', { secret: 'whsec_YQ==' }, 422],
  ['patches to a private address', 'PATCH', '/WebhookSubscriptions/OWN', { url: 'https://10.0.0.1/' }, 422],
  ['patches the condition', 'PATCH', '/WebhookSubscriptions/OWN', { where: { pin: '1' } }, 400],
  ['subscribes to users', 'POST', '/WebhookSubscriptions', { ...ok, events: ['User.*'] }, 422],
  ['subscribes to tokens', 'POST', '/WebhookSubscriptions', { ...ok, events: ['AccessToken.created'] }, 422],
  ['subscribes to everything', 'POST', '/WebhookSubscriptions', { ...ok, events: ['*.*'] }, 422],
  ['subscribes to a prototype', 'POST', '/WebhookSubscriptions', { ...ok, events: ['__proto__.created'] }, 422],
  ['subscribes to a constructor', 'POST', '/WebhookSubscriptions', { ...ok, events: ['constructor.*'] }, 422],
  ['subscribes to nothing', 'POST', '/WebhookSubscriptions', { ...ok, events: [] }, 422],
  ['subscribes to much', 'POST', '/WebhookSubscriptions', { ...ok, events: Array.from({ length: 51 }, () => 'Order.*') }, 422],
  ['subscribes to no text', 'POST', '/WebhookSubscriptions', { ...ok, events: [{ model: 'Order' }] }, 422],
  ['subscribes to lines', 'POST', '/WebhookSubscriptions', { ...ok, events: ['Order.created\r\n'] }, 422],
  ['conditions on what is hidden', 'POST', '/WebhookSubscriptions', { ...ok, where: { pin: { like: '1%' } } }, 400],
  ['conditions on what is hidden, within', 'POST', '/WebhookSubscriptions', { ...ok, where: { and: [{ or: [{ pin: '1' }] }] } }, 400],
  ['conditions on related rows', 'POST', '/WebhookSubscriptions', { ...ok, where: { shop: { some: { safe: '1' } } } }, [400, 422]],
  ['conditions on related paths', 'POST', '/WebhookSubscriptions', { ...ok, where: { 'shop.safe': '1' } }, [400, 422]],
  ['conditions of a giant', 'POST', '/WebhookSubscriptions', { ...ok, where: { title: 'a'.repeat(5000) } }, 422],
  ['conditions of a list', 'POST', '/WebhookSubscriptions', { ...ok, where: [{ title: 'a' }] }, 422],
  ['conditions without end', 'POST', '/WebhookSubscriptions', { ...ok, where: { title: { regexp: evil } } }, [200, 400]],
  ['conditions too deep', 'POST', '/WebhookSubscriptions', { ...ok, where: Array.from({ length: 60 }).reduce<object>(where => ({ and: [where] }), { title: 'a' }) }, [400, 422]],
  ['lists without end', 'GET', '/WebhookSubscriptions/OWN/deliveries?limit=1000000000', undefined, 400],
  ['lists less than nothing', 'GET', '/WebhookSubscriptions/OWN/deliveries?limit=-1', undefined, 400],
  ['lists what nobody has judged', 'GET', '/WebhookSubscriptions/OWN/deliveries?state=new', undefined, 400]
]

interface Prepared { readonly app: App, readonly receiver: Receiver, readonly ids: Record<string, string> }

async function prepared (t: Test, more: object = {}): Promise<Prepared> {
  const receiver = await Receiver.open(t)
  const app = await makeApp(t, { definitions, webhooks: { retryDelays: [], ...more }, rest: { } })
  const subscribe = async (who: string, path: string): Promise<string> => {
    const { body } = await app.send(who, 'POST', '/WebhookSubscriptions', { ...ok, url: receiver.url(path) })
    receiver.secrets.set(path, body.secret)
    return body.id
  }
  const ids: Record<string, string> = { ID: await subscribe('ann', '/ann'), OWN: await subscribe('ben', '/ben') }
  receiver.respond = () => 500
  await app.models.Order.create({ title: 'a', userId: 1, pin: '1234', cost: 7 })
  for (let i = 0; i < 200 && ids.DELIVERY === undefined; i++) {
    await new Promise(resolve => { setTimeout(resolve, 10) })
    const { body } = await app.send('ann', 'GET', `/WebhookSubscriptions/${ids.ID}/deliveries?state=dead`)
    ids.DELIVERY = body[0]?.id
  }
  receiver.respond = () => 200
  return { app, receiver, ids }
}

t.test('S-130 calls about what others have, and data that the server sets', async t => {
  const { app, receiver, ids } = await prepared(t)
  const put = (text: string): string => text.replace(/\b(?:ID|OWN|DELIVERY)\b/g, name => String(ids[name]))
  for (const [name, method, url, payload, expected] of calls) {
    const sent = payload === undefined ? undefined : JSON.parse(put(JSON.stringify(payload))) as object
    const { status, text } = await app.send('ben', method, put(url), sent)
    t.ok([expected].flat().includes(status), `${name}: ${String(status)} ${String(text).slice(0, 200)}`)
    t.notMatch(text, /whsec_[A-Za-z0-9+/]{40}.*"(?:previousSecret|userKey)"|at .*\.js:\d+|SELECT /, `${name}: nothing inside is shown`)
  }
  const { body: mine } = await app.send('ann', 'GET', '/WebhookSubscriptions')
  t.match(mine, [{ id: ids.ID, active: true, url: receiver.url('/ann') }], 'hers is as it was')
  const { body: his } = await app.send('ben', 'GET', `/WebhookSubscriptions?filter=${json({ fields: ['id', 'secret', 'userKey', 'slot'] })}`)
  t.ok(his.every((row: Loose) => row.id !== ids.ID && row.secret === undefined && row.userKey === undefined))
  t.equal((await app.send('ben', 'GET', '/WebhookSubscriptions/count')).body.count, his.length, 'only his are counted')
  t.strictSame((await app.send('ben', 'GET', `/WebhookSubscriptions/${ids.OWN}/deliveries`)).body, [],
    'of rows that are not his he does not even hear that they are there')
})

t.test('S-130 without a token', async t => {
  const { app, ids } = await prepared(t)
  for (const [method, url] of [
    ['GET', '/WebhookSubscriptions'], ['POST', '/WebhookSubscriptions'], ['GET', `/WebhookSubscriptions/${ids.ID}`],
    ['POST', `/WebhookSubscriptions/${ids.ID}/rotate-secret`], ['POST', `/WebhookDeliveries/${ids.DELIVERY}/replay`]
  ] as const) t.equal((await app.send(undefined, method, url, method === 'POST' ? ok : undefined)).status, 401, `${method} ${url}`)
})

t.test('S-130 a chosen id, prototypes, and batches', async t => {
  const { app, ids } = await prepared(t)
  const { body } = await app.send('ben', 'POST', '/WebhookSubscriptions', { ...ok, id: ids.ID })
  t.not(body.id, ids.ID)
  const response = await app.inject({
    method: 'POST', url: '/api/WebhookSubscriptions', headers: { authorization: app.tokens.ben as string, 'content-type': 'application/json' },
    payload: '{"url":"https://a.example/","events":["Order.*"],"__proto__":{"userKey":"[\\"\\",\\"1\\"]"}}'
  })
  t.ok([400, 422, 200].includes(response.statusCode))
  t.equal((await app.send('ann', 'GET', '/WebhookSubscriptions')).body.length, 1)
  const batch = await app.send('ben', 'POST', '/batch', {
    operations: [
      { method: 'GET', path: `/WebhookSubscriptions/${ids.ID}` },
      { method: 'POST', path: `/WebhookSubscriptions/${ids.ID}/rotate-secret` }
    ]
  })
  t.notMatch(batch.text, /whsec_/)
})

t.test('S-130 as many as one may have, also at the same time', async t => {
  const { app } = await prepared(t, { subscriptionsPerUser: 5 })
  await Promise.all(Array.from({ length: 30 }, async () => await app.send('ben', 'POST', '/WebhookSubscriptions', ok)))
  let last: Loose
  for (let i = 0; i < 10; i++) last = await app.send('ben', 'POST', '/WebhookSubscriptions', ok)
  t.match(last, { status: 429, body: { error: { code: 'TOO_MANY_SUBSCRIPTIONS' } } })
  t.equal((await app.send('ben', 'GET', '/WebhookSubscriptions/count')).body.count, 5)
})

t.test('S-130 a condition tells nothing of what the user may not read', async t => {
  const { app, receiver } = await prepared(t)
  const { status } = await app.send('ann', 'POST', '/WebhookSubscriptions', { ...ok, url: receiver.url('/cost'), where: { cost: { gt: 5 } } })
  t.equal(status, 200)
  await app.models.Order.create({ title: 'dear', userId: 1, cost: 9 })
  t.ok(await receiver.until(() => receiver.received.some(({ data, path }) => data.title === 'dear' && path === '/ann')))
  await new Promise(resolve => { setTimeout(resolve, 100) })
  t.notOk(receiver.received.some(({ path }) => path === '/cost'))
  t.ok(receiver.received.every(({ data }) => !('cost' in data) && !('pin' in data)), 'nor is it sent')
})

t.test('S-130 values cannot become headers, and what is too large is not sent', async t => {
  const { app, receiver, ids } = await prepared(t, { largestBody: 1000 })
  await app.models.Order.create({ title: 'a\r\nwebhook-id: evil\r\n\r\n', userId: 1 })
  await app.models.Order.create({ title: 'b'.repeat(2000), userId: 1 })
  t.ok(await receiver.until(() => receiver.received.length >= 2))
  t.match(receiver.received.at(-1)?.id, /^msg_/)
  let dead: Loose
  for (let i = 0; i < 100 && dead === undefined; i++) {
    await new Promise(resolve => { setTimeout(resolve, 10) })
    const { body } = await app.send('ann', 'GET', `/WebhookSubscriptions/${ids.ID}/deliveries?state=dead`)
    dead = body.find((each: Loose) => each.error === 'TOO_LARGE')
  }
  t.ok(dead)
  t.strictSame(receiver.faults, [])
})

t.test('S-130 secrets are in no log, and at rest only sealed', async t => {
  let log = ''
  const stream = new Writable({ write (chunk, _, done) { log += String(chunk); done() } })
  const receiver = await Receiver.open(t)
  const app = await makeApp(t, { definitions, webhooks: { retryDelays: [] }, log: { level: 'trace', stream } })
  const { body } = await app.send('ann', 'POST', '/WebhookSubscriptions', { ...ok, url: receiver.url('/hook?key=very-secret') })
  receiver.respond = () => 500
  await app.models.Order.create({ title: 'a', userId: 1 })
  t.ok(await receiver.until(() => log.includes('A webhook has failed for good.')))
  await app.send('ann', 'POST', `/WebhookSubscriptions/${body.id as string}/rotate-secret`)
  t.notMatch(log, /whsec_/)
  t.notMatch(log, /very-secret/)
  const { compiled, dataSource } = app.models.WebhookSubscription
  const stored = JSON.stringify(await dataSource.store.find(compiled, {
    where: undefined, order: [], limit: undefined, skip: 0, select: compiled.selectStored, include: []
  }, {}))
  t.match(stored, /fb1\./)
  t.notMatch(stored, /whsec_/)
})
