/** Providers against services that check what they get. */
import t, { type Test } from 'tap'
import { createECDH } from 'node:crypto'
import { ApnsProvider, FcmProvider, makeWebPushKeys, StubProvider, WebProvider, type Message } from '@fastback/push'
import { providerCases } from '@fastback/push/provider-cases'
import { encrypt } from '../src/web/encrypt.js'
import { apnsService, fcmService, webService, type Answer } from './services.js'

const token = 'a1'.repeat(32)
const keys = makeWebPushKeys()
const web = { subject: 'mailto:push@shop.example', ...keys }

async function apns (t: Test, more: object = {}) {
  const service = await apnsService()
  const provider = new ApnsProvider({ apns: { ...service.settings, ...more } })
  t.teardown(async () => {
    provider.close()
    await service.close()
  })
  return { service, provider, send: async (message: Message) => await provider.deliver(message, token) }
}
async function fcm (t: Test, more: object = {}) {
  const service = await fcmService()
  const provider = new FcmProvider({ fcm: { ...service.settings, ...more } })
  t.teardown(async () => {
    provider.close()
    await service.close()
  })
  return { service, provider, send: async (message: Message) => await provider.deliver(message, token) }
}
async function browser (t: Test) {
  const service = await webService(keys.publicKey)
  const provider = new WebProvider({ web })
  t.teardown(async () => {
    provider.close()
    await service.close()
  })
  return { service, provider, send: async (message: Message) => await provider.deliver(message, service.subscription) }
}

t.test('PU-50, PU-51, PU-53, PU-54, PU-85: what APNs gets', async t => {
  const { service, send } = await apns(t)
  const before = Math.floor(Date.now() / 1000)
  t.match(await send({
    alert: 'On its way', title: 'Shop', badge: 3, sound: 'ping', category: 'order', urlArgs: ['7'], mutableContent: true,
    threadId: 't', interruptionLevel: 'passive', orderId: 7, collapseKey: 'k'.repeat(70), expirationInterval: 60,
    deviceToken: token, deviceType: 'ios', id: 1, created: new Date()
  }), { status: 'sent', providerId: /^[\w-]{36}$/ })
  const [{ path, headers, body, jwt }] = service.received as [any]
  t.equal(path, `/3/device/${token}`)
  t.strictSame(body, {
    orderId: 7,
    aps: {
      alert: { title: 'Shop', body: 'On its way' }, badge: 3, sound: 'ping', category: 'order', 'url-args': ['7'],
      'mutable-content': 1, 'thread-id': 't', 'interruption-level': 'passive'
    }
  })
  t.match(headers, {
    ':method': 'POST', 'apns-topic': 'com.example.shop', 'apns-push-type': 'alert', 'apns-priority': '10', 'apns-collapse-id': 'k'.repeat(64)
  })
  t.ok(Math.abs(Number(headers['apns-expiration']) - before - 60) < 30)
  t.strictSame(jwt.header, { alg: 'ES256', kid: 'KEYID12345' })
  t.match(jwt.payload, { iss: 'TEAMID1234' })
  t.ok(Math.abs(jwt.payload.iat - before) < 30)
  await send({ contentAvailable: true, note: 1, topic: 'com.example.other' })
  const silent = service.received[1] as any
  t.strictSame(silent.body, { note: 1, aps: { 'content-available': 1 } })
  t.match(silent.headers, { 'apns-push-type': 'background', 'apns-priority': '5', 'apns-topic': 'com.example.other' })
  t.notOk('apns-expiration' in silent.headers)
  t.equal(silent.headers.authorization, headers.authorization, 'one token for many messages')
  await send({ alert: 'x', compatPayload: true, deviceToken: token, deviceType: 'ios' })
  t.match(service.received[2]?.body, { alert: 'x', deviceType: 'ios', aps: { alert: 'x' } })
  t.notOk('deviceToken' in service.received[2]?.body)
})

t.test('PU-55, PU-52: APNs is not asked in vain, and an expired token is made anew once', async t => {
  const { service, send, provider } = await apns(t)
  t.strictSame(await send({ alert: 'x'.repeat(4097) }), { status: 'failed', reason: 'PayloadTooLarge' })
  t.strictSame(await provider.deliver({ alert: 'x' }, '../../x'), { status: 'gone', reason: 'BadDeviceToken' })
  t.equal(service.received.length, 0)
  service.answers = [{ status: 403, body: { reason: 'ExpiredProviderToken' } }]
  t.match(await send({ alert: 'x' }), { status: 'sent' })
  t.equal(service.received.length, 2)
  service.answers = Array(5).fill({ status: 403, body: { reason: 'ExpiredProviderToken' } })
  t.strictSame(await send({ alert: 'x' }), { status: 'failed', reason: 'ExpiredProviderToken' })
  t.equal(service.received.length, 4)
})

t.test('PU-50: what a session that ends has not begun with is sent over the next', async t => {
  const { service, send } = await apns(t)
  t.match(await send({ alert: '1' }), { status: 'sent' })
  service.answers = [{ status: 0, goaway: true }]
  t.match(await send({ alert: '2' }), { status: 'sent' })
  t.strictSame(service.received.map(({ body }) => body.aps.alert), ['1', '2'])
})

t.test('PU-56, PU-18: certificates in the place of a token; what is missing is named', async t => {
  const service = await apnsService({ requestCert: true })
  const { tls, settings } = service as any
  const provider = new ApnsProvider({
    apns: { ...settings, token: undefined, certData: tls.cert, keyData: tls.key }
  })
  t.teardown(async () => {
    provider.close()
    await service.close()
  })
  t.match(await provider.deliver({ alert: 'x' }, token), { status: 'sent' })
  t.notOk('authorization' in (service.received[0]?.headers as object))
  t.throws(() => new ApnsProvider({ apns: { bundle: 'x' } }), { code: 'FBK_PUSH_SETTINGS' })
  t.throws(() => new ApnsProvider({ apns: { ...settings, bundle: undefined } }), { code: 'FBK_PUSH_SETTINGS', message: /bundle/ })
  t.throws(() => new ApnsProvider({ apns: { ...settings, token: { ...settings.token, key: 'no-file.p8' } } }), { code: 'FBK_PUSH_SETTINGS' })
})

t.test('PU-60, PU-62, PU-63, PU-64, PU-86: what FCM gets', async t => {
  const { service, send } = await fcm(t)
  t.strictSame(await send({
    alert: 'On its way', messageFrom: 'Shop', icon: 'truck', channelId: 'orders', badge: 2, orderId: 7, nested: { a: 1 },
    from: 'x', 'google.a': 'x', collapseKey: 'order', expirationInterval: 60, delayWhileIdle: true, deviceToken: token, deviceType: 'android'
  }), { status: 'sent', providerId: 'projects/shop/messages/0' })
  const [{ path, headers, body }] = service.received as [any]
  t.equal(path, '/v1/projects/shop/messages:send')
  t.equal(headers.authorization, 'Bearer access-1')
  t.strictSame(body, {
    message: {
      token,
      notification: { title: 'Shop', body: 'On its way' },
      data: { alert: 'On its way', badge: '2', orderId: '7', nested: '{"a":1}' },
      android: { priority: 'HIGH', collapse_key: 'order', ttl: '60s', notification: { icon: 'truck', channel_id: 'orders' } }
    }
  })
  const [assertion] = service.assertions as [any]
  t.match(assertion, {
    iss: 'push@shop.example', scope: 'https://www.googleapis.com/auth/firebase.messaging', grant: 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  })
  t.equal(assertion.exp - assertion.iat, 3600)
  await send({ alert: 'x', title: 'T', dataOnly: true, expirationInterval: 9e9 })
  t.strictSame(service.received[1]?.body.message, {
    token, data: { title: 'T', body: 'x', alert: 'x' }, android: { priority: 'NORMAL', ttl: '2419200s' }
  })
  t.equal(service.tokens, 1, 'one access token for many messages')
  service.answers = [{ status: 401, body: { error: { status: 'UNAUTHENTICATED' } } }]
  t.match(await send({ alert: 'x' }), { status: 'sent' })
  t.equal(service.tokens, 2, 'a refused one is made anew')
})

t.test('PU-61, PU-66: settings of the old service say what to do; messages too large', async t => {
  t.throws(() => new FcmProvider({ gcm: { serverApiKey: 'x' } }), { code: 'FBK_PUSH_GCM_GONE', message: /projectId.*clientEmail.*privateKey/ })
  const { send, service } = await fcm(t)
  t.strictSame(await send({ alert: 'x'.repeat(4097) }), { status: 'failed', reason: 'PayloadTooLarge' })
  t.equal(service.received.length, 0)
  const account = { project_id: 'shop', client_email: 'a@b', private_key: service.settings.privateKey, token_uri: service.settings.tokenUrl }
  t.doesNotThrow(() => { new FcmProvider({ gcm: {}, fcm: { serviceAccount: account } }).close() })
  t.throws(() => new FcmProvider({ fcm: { ...service.settings, host: 'http://10.0.0.1' } }), { code: 'FBK_PUSH_SETTINGS' })
})

t.test('PU-67, PU-68, PU-87: what a browser gets', async t => {
  const { service, send } = await browser(t)
  const before = Math.floor(Date.now() / 1000)
  t.match(await send({ alert: 'On its way', title: 'Shop', icon: '/i.png', tag: 'o', orderId: 7, priority: 'high', collapseKey: 'order', expirationInterval: 60 }), { status: 'sent' })
  const [{ headers, body, jwt, raw }] = service.received as [any]
  t.strictSame(body, { title: 'Shop', body: 'On its way', icon: '/i.png', tag: 'o', data: { orderId: 7 } })
  t.match(headers, { ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm', topic: /^[\w-]{32}$/ })
  t.strictSame(jwt.header, { typ: 'JWT', alg: 'ES256' })
  t.match(jwt.payload, { aud: service.url, sub: 'mailto:push@shop.example' })
  t.ok(jwt.payload.exp > before && jwt.payload.exp <= before + 24 * 3600)
  t.ok(raw.length < 4096)
  await send({ alert: 'x' })
  t.equal(service.received[1]?.headers.ttl, '2419200')
  t.strictSame(await send({ alert: 'x'.repeat(4000) }), { status: 'failed', reason: 'PayloadTooLarge' })
})

t.test('PU-67: the example of RFC 8291, section 5', async t => {
  const made = encrypt(Buffer.from('When I grow up, I want to be a watermelon'), {
    endpoint: 'https://push.example.net/push',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg'
    }
  }, {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url')
  })
  t.equal(made.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg' +
    'Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN')
})

t.test('PU-69: a subscription leads to the public internet alone, and no redirect is followed', async t => {
  const { p256dh, auth } = JSON.parse((await webService(keys.publicKey).then(async service => {
    t.teardown(service.close)
    return service.subscription
  }))).keys
  const provider = new WebProvider({ web }, { baseDir: '.', allowLoopback: false, warn () {} })
  t.teardown(() => { provider.close() })
  const to = (endpoint: string): string => JSON.stringify({ endpoint, keys: { p256dh, auth } })
  for (const endpoint of ['https://127.0.0.1/x', 'https://169.254.169.254/latest', 'https://[::1]/', 'https://10.1.2.3/', 'https://localhost:1/']) {
    t.strictSame(await provider.deliver({ alert: 'x' }, to(endpoint)), { status: 'failed', reason: 'ForbiddenAddress' }, endpoint)
  }
  for (const endpoint of ['http://push.example/x', 'ftp://push.example/', 'javascript:1', '/x', '']) {
    t.match(await provider.deliver({ alert: 'x' }, to(endpoint)), { status: 'gone', reason: 'BadSubscription' }, endpoint)
  }
  const other = createECDH('prime256v1').generateKeys().fill(1).toString('base64url')
  t.match(await provider.deliver({ alert: 'x' }, JSON.stringify({ endpoint: 'https://x.example', keys: { p256dh: other, auth } })), { status: 'gone' })
  const { service, send } = await browser(t)
  service.answers = [{ status: 307, headers: { location: 'http://127.0.0.1:1/' } }]
  t.strictSame(await send({ alert: 'x' }), { status: 'failed', reason: '307' })
})

/** The table of the README: what each response of each service comes to. */
const fcmError = (status: string, errorCode?: string, field?: string) => ({
  error: {
    status,
    details: [
      ...(errorCode === undefined ? [] : [{ errorCode }]),
      ...(field === undefined ? [] : [{ fieldViolations: [{ field }] }])
    ]
  }
})
const table: Array<[service: 'apns' | 'fcm' | 'web', answer: Answer, outcome: object]> = [
  ['apns', { status: 400, body: { reason: 'BadDeviceToken' } }, { status: 'gone', reason: 'BadDeviceToken' }],
  ['apns', { status: 400, body: { reason: 'DeviceTokenNotForTopic' } }, { status: 'gone', reason: 'DeviceTokenNotForTopic' }],
  ['apns', { status: 400, body: { reason: 'BadTopic' } }, { status: 'failed', reason: 'BadTopic' }],
  ['apns', { status: 401 }, { status: 'failed', reason: '401' }],
  ['apns', { status: 403, body: { reason: 'InvalidProviderToken' } }, { status: 'failed', reason: 'InvalidProviderToken' }],
  ['apns', { status: 404, body: { reason: 'BadPath' } }, { status: 'failed', reason: 'BadPath' }],
  ['apns', { status: 410, body: { reason: 'Unregistered', timestamp: 1700000000000 } }, { status: 'gone', reason: 'Unregistered', since: new Date(1700000000000) }],
  ['apns', { status: 413, body: { reason: 'PayloadTooLarge' } }, { status: 'failed', reason: 'PayloadTooLarge' }],
  ['apns', { status: 429, body: { reason: 'TooManyRequests' } }, { status: 'retry', reason: 'TooManyRequests' }],
  ['apns', { status: 500, body: { reason: 'InternalServerError' } }, { status: 'retry', reason: 'InternalServerError' }],
  ['apns', { status: 503, body: { reason: 'Shutdown' }, headers: { 'retry-after': '7' } }, { status: 'retry', reason: 'Shutdown', after: 7000 }],
  ['apns', { status: 400, body: { reason: `echo ${token}` } }, { status: 'failed', reason: '400' }],
  ['fcm', { status: 400, body: fcmError('INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.token') }, { status: 'gone', reason: 'INVALID_ARGUMENT' }],
  ['fcm', { status: 400, body: fcmError('INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'message.data') }, { status: 'failed', reason: 'INVALID_ARGUMENT' }],
  ['fcm', { status: 403, body: fcmError('PERMISSION_DENIED', 'SENDER_ID_MISMATCH') }, { status: 'gone', reason: 'SENDER_ID_MISMATCH' }],
  ['fcm', { status: 403, body: fcmError('PERMISSION_DENIED') }, { status: 'failed', reason: 'PERMISSION_DENIED' }],
  ['fcm', { status: 404, body: fcmError('NOT_FOUND', 'UNREGISTERED') }, { status: 'gone', reason: 'UNREGISTERED' }],
  ['fcm', { status: 404, body: fcmError('NOT_FOUND') }, { status: 'failed', reason: 'NOT_FOUND' }],
  ['fcm', { status: 410 }, { status: 'failed', reason: '410' }],
  ['fcm', { status: 413 }, { status: 'failed', reason: '413' }],
  ['fcm', { status: 429, body: fcmError('RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'), headers: { 'retry-after': '60' } }, { status: 'retry', reason: 'QUOTA_EXCEEDED', after: 60_000 }],
  ['fcm', { status: 500, body: fcmError('INTERNAL', 'INTERNAL') }, { status: 'retry', reason: 'INTERNAL' }],
  ['fcm', { status: 503, body: fcmError('UNAVAILABLE', 'UNAVAILABLE') }, { status: 'retry', reason: 'UNAVAILABLE' }],
  ['web', { status: 202 }, { status: 'sent' }],
  ['web', { status: 400 }, { status: 'failed', reason: '400' }],
  ['web', { status: 401 }, { status: 'failed', reason: '401' }],
  ['web', { status: 403 }, { status: 'failed', reason: '403' }],
  ['web', { status: 404 }, { status: 'gone', reason: '404' }],
  ['web', { status: 410 }, { status: 'gone', reason: '410' }],
  ['web', { status: 413 }, { status: 'failed', reason: '413' }],
  ['web', { status: 429, headers: { 'retry-after': '3' } }, { status: 'retry', reason: '429', after: 3000 }],
  ['web', { status: 500 }, { status: 'retry', reason: '500' }],
  ['web', { status: 503 }, { status: 'retry', reason: '503' }]
]

t.test('PU-52, PU-65, PU-69, PU-78: what answers come to; reasons are codes', async t => {
  const services = { apns: await apns(t), fcm: await fcm(t), web: await browser(t) }
  for (const [name, answer, outcome] of table) {
    const { service, send } = services[name]
    service.answers = [answer]
    const { after, providerId, ...came } = await send({ alert: 'x' }) as any
    const { after: wanted, ...rest } = outcome as any
    t.strictSame(came, rest, `${name} ${JSON.stringify(answer)}`)
    t.equal(after, wanted)
  }
})

t.test('PU-06: the cases of all providers', async t => {
  const a = await apns(t)
  const f = await fcm(t)
  const w = await browser(t)
  const next = (service: { answers: Answer[] }, answer: Answer) => () => { service.answers = [answer] }
  const message = { alert: 'Hello' }
  const subjects = {
    apns: {
      make: () => new ApnsProvider({ apns: a.service.settings }), message, token,
      answers: {
        sent: next(a.service, { status: 200 }),
        failed: next(a.service, { status: 400 }),
        gone: next(a.service, { status: 410 }),
        retry: next(a.service, { status: 503 })
      }
    },
    fcm: {
      make: () => new FcmProvider({ fcm: f.service.settings }), message, token,
      answers: { sent: () => {}, failed: next(f.service, { status: 400 }), gone: next(f.service, { status: 404, body: fcmError('NOT_FOUND', 'UNREGISTERED') }), retry: next(f.service, { status: 503 }) }
    },
    web: {
      make: () => new WebProvider({ web }), message, token: w.service.subscription,
      answers: {
        sent: () => {},
        failed: next(w.service, { status: 400 }),
        gone: next(w.service, { status: 410 }),
        retry: next(w.service, { status: 500 })
      }
    },
    stub: { make: () => new StubProvider(), message, token, answers: { sent: () => {} } }
  }
  for (const [name, subject] of Object.entries(subjects)) {
    for (const { name: what, run } of providerCases(subject)) await t.test(`${name}: ${what}`, run)
  }
})

t.test('PU-88: the stub keeps what the real one would send', async t => {
  const stub = new StubProvider({ stub: { as: 'apns' } })
  await stub.deliver({ alert: 'x', orderId: 7 }, 'token')
  t.match(stub.sent, [{ token: 'token', payload: { orderId: 7, aps: { alert: 'x' } }, headers: { 'apns-topic': 'stub' } }])
})
