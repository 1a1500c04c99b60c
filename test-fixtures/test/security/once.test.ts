/** Keys give nobody the responses of others (S-111), and batches are no way around what holds for a request (S-112). */
import { randomUUID } from 'node:crypto'
import tap, { type Test } from 'tap'
import { join } from './clients.js'
import { appWith } from './folders.js'
import { attack, storeNames, type Answer, type Attacked, type Sent } from './harness.js'

type Loose = any

const everyone = (permission: string, more: object = {}): object =>
  ({ principalType: 'ROLE', principalId: '$everyone', permission, ...more })
const served = appWith({
  Diary: {
    plural: 'Diaries',
    properties: { text: 'string', hush: 'string' },
    hidden: ['hush'],
    relations: { user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } },
    ownerFromToken: true,
    acls: [
      everyone('DENY'),
      { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: ['create', 'find'] },
      { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW' }
    ]
  },
  Ticket: {
    properties: { text: 'string' },
    acls: [everyone('DENY'), { principalType: 'ROLE', principalId: 'clerk', permission: 'ALLOW' }]
  },
  Open: { plural: 'Opens', properties: { text: 'string' } }
})
const config = {
  ownerFromToken: true, unsupportedHeaders: 'refuse',
  remoting: { rest: { idempotency: true, batch: true, handleErrors: false }, json: { limit: '100kb' } }
}

async function everywhere (tests: (t: Test, server: Attacked) => Promise<void>): Promise<void> {
  for (const store of storeNames) {
    await tap.test(store, async t => { await tests(t, await attack(t, served(t, config), store)) })
  }
}

const keyed = (key: string, sent: Sent = {}): Sent => ({ ...sent, headers: { ...sent.headers, 'idempotency-key': key } })
const replayed = ({ headers }: Answer): boolean => headers['idempotency-replayed'] === 'true'

await everywhere(async (t, server) => {
  const { send, models, store } = server
  const [ann, bob] = [await join(server, 'ann'), await join(server, 'bob')]
  // The stores of memory have no transactions: each operation is by itself there.
  const atomic = store !== 'memory'
  const batch = async (operations: object[], sent: Sent = {}, more: object = {}): Promise<Answer> =>
    await send('POST', '/batch', { ...sent, json: { operations, atomic, ...more } })
  const one = async (operation: object, sent: Sent = {}): Promise<{ status: number, code: unknown, text: string }> => {
    const { status, body, code, text } = await batch([operation], sent)
    const [result] = (body as Loose)?.results ?? []
    return { status: result?.status ?? status, code: result?.error?.code ?? code, text }
  }

  await t.test('S-111: the key of somebody else is another key', async t => {
    // Seen to fail: without the caller in `storedId` Bob got the response that Ann's request had.
    const key = randomUUID()
    const json = { text: 'mine', hush: 'secret words' }
    const first = await send('POST', '/Diaries', keyed(key, { json, token: ann.token }))
    t.equal(first.status, 200)
    const others = await send('POST', '/Diaries', keyed(key, { json, token: bob.token }))
    t.strictSame([others.status, replayed(others), (others.body as Loose).userId], [200, false, bob.id])
    t.equal((await send('POST', '/Diaries', keyed(key, { json }))).status, 401, 'nobody')
    t.equal((await send('POST', '/Diaries', keyed(key, { json, token: 'x'.repeat(64) }))).status, 401, 'a token that is none')
    const again = await send('POST', '/Diaries', keyed(key, { json, token: ann.token }))
    t.strictSame([replayed(again), again.body], [true, first.body])
    t.notMatch(await server.rows('IdempotencyKey'), /secret words|mine-secret/)
    t.notMatch(server.logged(), key)
    t.match(again.headers['cache-control'], /private/)
  })

  await t.test('S-111: a right that was taken away', async t => {
    // Seen to fail: without access control on the route Ann got the stored response.
    const role = await models.Role?.create({ name: 'clerk' }) as Loose
    const mapping = await models.RoleMapping?.create({ principalType: 'USER', principalId: String(ann.id), roleId: role.id }) as Loose
    const ask = async (): Promise<Answer> => await send('POST', '/Tickets', keyed('t1', { json: { text: 'a' }, token: ann.token }))
    t.equal((await ask()).status, 200)
    t.ok(replayed(await ask()))
    await (models.RoleMapping as Loose).destroyById(mapping.id)
    const refused = await ask()
    t.ok([401, 403].includes(refused.status))
    t.notOk(replayed(refused))
  })

  await t.test('S-111: no token is stored', async t => {
    // Seen to fail: with keys on every method the response of a login was stored.
    const login = await send('POST', '/Users/login', keyed('l', { json: { username: 'ann', password: 'ann-secret' } }))
    t.match(login, { status: 400, code: 'UNSUPPORTED_HEADER' })
    t.equal((await send('POST', `/Users/${ann.id}/accessTokens`, keyed('l', { json: {}, token: ann.token }))).status >= 400, true)
    t.notMatch(await server.rows('IdempotencyKey'), ann.token)
  })

  await t.test('S-111: what a header cannot be', async t => {
    // Seen to fail: without the limits on its length keys of any form were taken.
    const raw = async (line: string): Promise<string> => await server.raw(
      `POST /api/Opens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n${line}\r\n\r\n{}`)
    for (const line of [
      'Idempotency-Key: "a', 'Idempotency-Key: a b', 'Idempotency-Key: a,b', 'Idempotency-Key: a\r\nIdempotency-Key: b', 'Idempotency-Key: ',
      'Idempotency-Key: \x01', `Idempotency-Key: ${'x'.repeat(300)}`
    ]) t.match(await raw(line), /^HTTP\/1\.1 400/, JSON.stringify(line))
    t.equal(await models.Open?.count(), 0)
    const bytes = await raw('Idempotency-Key: "a\\"\\\\b"')
    t.match(bytes, /^HTTP\/1\.1 200/)
    t.notMatch(bytes, /idempotency-key/i, 'it is not repeated')
    await models.Open?.destroyAll()
  })

  await t.test('S-112: rules hold for each operation, and its caller is that of the batch', async t => {
    // Seen to fail: without the comparison in `OperationCalls` an operation ran as the caller of a token in its query.
    const diary = await send('POST', '/Diaries', { json: { text: 'a', hush: 'h' }, token: ann.token })
    const { id } = diary.body as { id: unknown }
    const get = { method: 'GET', path: `/Diaries/${String(id)}` }
    t.equal((await one(get, { token: ann.token })).status, 200)
    for (const sent of [{}, { token: bob.token }]) t.ok([401, 403, 404].includes((await one(get, sent)).status))
    t.notMatch((await one(get, { token: ann.token })).text, '"h"')
    const stolen = { ...get, path: `${get.path}?access_token=${ann.token}` }
    t.ok((await one(stolen, { token: bob.token })).status >= 400, 'a token in the query of an operation')
    t.ok((await one(stolen)).status >= 400)
    for (const headers of [{ authorization: ann.token }, { 'x-access-token': ann.token }, { cookie: `access_token=${ann.token}` }]) {
      t.equal((await batch([{ ...get, headers }], { token: bob.token })).status, 400)
    }
    const made = await batch([{ method: 'POST', path: '/Diaries', body: { text: 'b', userId: ann.id } }], { token: bob.token })
    t.notMatch(made.text, `"userId":${String(ann.id)}`, 'the owner is the caller')
    t.equal((await batch([{ method: 'PATCH', path: get.path, body: { text: 'x' } }], { token: bob.token })).status >= 400 || !atomic, true)
    t.equal((await models.Diary?.findById(id) as Loose).text, 'a')
  })

  await t.test('S-112: nothing but routes of models, in one spelling', async t => {
    // Seen to fail: without `pathFault` and `givesToken` odd paths and logins were operations.
    for (const [method, path] of [
      ['POST', '/batch'], ['POST', '/%62atch'], ['POST', '/BATCH/'], ['GET', '/../explorer'], ['GET', '/..%2f..%2fexplorer'], ['GET', '//127.0.0.1/x'],
      ['GET', 'http://127.0.0.1/api/Opens'], ['GET', '/%2e%2e/explorer'], ['GET', '/Opens/change-stream'], ['GET', '/Opens/%00'],
      ['POST', '/Users/login'], ['OPTIONS', '/Opens'], ['HEAD', '/Opens'], ['TRACE', '/Opens'], ['POST', '/Opens\r\nx: y']
    ]) {
      t.equal((await batch([{ method, path, body: method === 'POST' ? {} : undefined }])).status, 400, `${method} ${path}`)
    }
  })

  await t.test('S-112: references reach nothing but own members of responses', async t => {
    // Seen to fail: with inherited members `a.__proto__` and `a.constructor` were values.
    const before = await models.Open?.count()
    for (const reference of ['a.__proto__', 'a.constructor', 'a.constructor.prototype', '__proto__.x', 'constructor', 'a.hush', 'a.text.length', 'b.id']) {
      const { body, status, text } = await batch([
        { id: 'a', method: 'POST', path: '/Diaries', body: { text: 'x', hush: 'secret words' } },
        { method: 'POST', path: '/Opens', body: { text: { $ref: reference } } }
      ], { token: ann.token })
      t.equal((body as Loose).results?.[1].status ?? status, 400, reference)
      t.notMatch(text, 'secret words')
    }
    const polluting = '{"operations":[{"id":"a","method":"POST","path":"/Opens","body":{"__proto__":{"x":1}}}]}'
    t.equal((await send('POST', '/batch', { payload: polluting })).status, 400)
    t.equal(({} as Loose).x, undefined)
    t.equal(await models.Open?.count(), before)
  })

  await t.test('S-112: limits', async t => {
    // Seen to fail: without `maxOperations` 101 operations ran.
    const get = { method: 'GET', path: '/Opens' }
    t.equal((await batch(Array.from({ length: 101 }, () => get))).status, 400)
    t.equal((await send('POST', '/batch', { payload: `{"operations":[${'['.repeat(90)}${']'.repeat(90)}]}` })).status, 400)
    t.equal((await batch([{ method: 'POST', path: '/Opens', body: { text: 'x'.repeat(2_000_000) } }])).status, 413)
    t.equal((await one({ method: 'POST', path: '/Opens', body: { text: 'x'.repeat(200_000) } })).status, 413)
    t.equal((await send('POST', '/batch', { payload: 'operations[0][path]=/Opens', type: 'application/x-www-form-urlencoded' })).status, 415)
    t.equal((await send('POST', '/batch', { payload: '{"operations":[]}', type: 'text/plain' })).status, 415)
    t.equal((await send('GET', '/batch')).status, 404)
    const wrong = await one({ method: 'GET', path: '/Opens?filter={"where":{"text":{"regexp":"(a+)+$"},"' })
    t.equal(wrong.status, 400)
  })

  if (atomic) {
    await t.test('S-112: a refusal rolls back what came before it', async t => {
      // Seen to fail: without the error for a failed operation the row before it stayed.
      const before = await server.rows('Open', 'Diary')
      const { status, body } = await batch([
        { method: 'POST', path: '/Opens', body: { text: 'a' } }, { method: 'POST', path: '/Tickets', body: { text: 'b' } }
      ], { token: bob.token })
      t.ok([401, 403].includes(status))
      t.equal((body as Loose).error.operation, 1)
      t.equal(await server.rows('Open', 'Diary'), before)
    })
  }
})
