/** Calls of described operations in JavaScript (service-connectors.md, section 9). */
import { Readable } from 'node:stream'
import t from 'tap'
import { description, serve, use, type Answer } from './service.js'

type Loose = any

t.test('arguments by name, in their places', async t => {
  const url = await serve(t)
  const { Model, source } = await use(t, { spec: description(), url: `${url}/v1/` })
  const asked = await Model.listPets({ tags: ['a&b', 'c'], limit: 5, 'X-Tenant': 'north', session: 'x;y' })
  t.match(asked, {
    method: 'GET',
    url: '/v1/pets?tags=a%26b&tags=c&limit=5',
    headers: { 'x-tenant': 'north', cookie: 'session=x%3By', accept: 'application/json' }
  })
  t.equal((await source.listPets({})).url, '/v1/pets')
  t.equal((await source.listPets()).url, '/v1/pets')
  t.equal((await Model.getPet({ id: 'a/b?c#d ü' })).url, '/v1/pets/a%2Fb%3Fc%23d%20%C3%BC')
  t.match(await Model.createPet({ requestBody: { name: 'Rex' } }), { body: '{"name":"Rex"}', headers: { 'content-type': 'application/json' } })
})

t.test('callbacks, and arguments one after the other', async t => {
  const url = await serve(t)
  const { Model } = await use(t, { spec: description(), url, positional: true })
  t.equal((await Model.listPets(['a'], 3)).url, '/pets?tags=a&limit=3')
  t.match(await Model.putForm('7', 'q', { a: 'x y', b: [1, 2] }), {
    url: '/pets/7?id=q', body: 'a=x%20y&b=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  const given = await new Promise<Loose[]>(resolve => {
    t.equal(Model.getPet('7', (...args: unknown[]) => { resolve(args) }), undefined)
  })
  t.match(given, [null, { url: '/pets/7' }, { statusCode: 200, headers: { 'content-type': 'application/json' } }])
})

t.test('bodies of other types, and answers that are bytes', async t => {
  const url = await serve(t, (asked, response) => {
    if (asked.method === 'GET') response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([255, 0]))
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(asked))
  })
  const { Model } = await use(t, { spec: description(), url })
  const parts = await Model.upload({ requestBody: { file: Buffer.from('bytes'), note: 'n', list: [1, 2] } })
  t.match(parts.headers['content-type'], /^multipart\/form-data; boundary=/)
  t.match(parts.body, /name="file"; filename="file"[\s\S]*bytes[\s\S]*name="note"\r\n\r\nn\r\n[\s\S]*name="list"\r\n\r\n1\r\n/)
  t.match(await Model.raw({ requestBody: Readable.from(['a', 'b']) }), { body: 'ab', headers: { 'content-type': 'application/pdf' } })
  t.match(await Model.raw({ requestBody: Buffer.from('x') }), { body: 'x' })
  await t.rejects(Model.raw({ requestBody: 1 }), { code: 'INVALID_ARGUMENT' })
  const chunks: Buffer[] = []
  for await (const chunk of await Model.photo()) chunks.push(chunk as Buffer)
  t.strictSame(Buffer.concat(chunks), Buffer.from([255, 0]))
})

t.test('validate: arguments are checked before anything is sent', async t => {
  const url = await serve(t, () => { t.fail('it is asked') })
  const { Model } = await use(t, { spec: description(), url })
  const refused = { statusCode: 422, code: 'VALIDATION_FAILED' }
  await t.rejects(Model.listPets({ limit: 101 }), refused)
  await t.rejects(Model.createPet({}), refused)
  await t.rejects(Model.createPet({ requestBody: { name: 1 } }), refused)
  await t.rejects(Model.createPet({ requestBody: { name: 'a', parent: {} } }), refused)
  for (const id of ['', '.', '..']) {
    await t.rejects(Model.getPet({ id }), { statusCode: 400, code: 'INVALID_PATH_VALUE' }, `SC-S2: "${id}"`)
  }
  const free = await use(t, { spec: description(), url: await serve(t), validate: false })
  t.equal((await free.Model.listPets({ limit: 101 })).url, '/pets?limit=101')
  await t.rejects(free.Model.getPet({}), { code: 'INVALID_ARGUMENT' })
  await t.rejects(free.Model.listPets({ 'X-Tenant': 'a\r\nb: c' }), { code: 'INVALID_HEADER_VALUE' })
})

t.test('validateResponses: answers are checked', async t => {
  let body = '{"name":1}'
  const url = await serve(t, (_, response) => { response.writeHead(200, { 'content-type': 'application/json' }).end(body) })
  const checked = await use(t, { spec: description(), url, validateResponses: true })
  await t.rejects(checked.Model.getPet({ id: '1' }), { statusCode: 502, code: 'BAD_GATEWAY', cause: { message: /name/ } })
  t.strictSame(await (await use(t, { spec: description(), url })).Model.getPet({ id: '1' }), { name: 1 })
  body = '{"name":"Rex"}'
  t.strictSame(await checked.Model.getPet({ id: '1' }), { name: 'Rex' })
})

t.test('names: operationId, camel case, behind tags, else of verb and path', async t => {
  const { source, connector, Model } = await use(t, { spec: description(), url: 'http://127.0.0.1:1' })
  t.type(source.createPet, 'function')
  t.equal(Model.listPets, Model.petStore_listPets)
  t.type(Model.deletePetsId, 'function')
  t.strictSame(Object.keys(connector.apis).sort(), ['Pet store', 'default'])
  t.equal(connector.apis['Pet store'].listPets, Model.listPets)
})

t.test('credentials, by scheme and place', async t => {
  const url = await serve(t)
  const call = async (security: unknown, credentials: object): Promise<Loose> => {
    const { Model } = await use(t, { spec: description({ security }), url, credentials })
    return await Model.listPets({})
  }
  t.equal((await call([{ key: [] }], { key: 'k&y' })).url, '/pets?api_key=k%26y')
  const basic = `Basic ${Buffer.from('ann:pw').toString('base64')}`
  t.equal((await call([{ basic: [] }], { basic: { username: 'ann', password: 'pw' } })).headers.authorization, basic)
  t.equal((await call([{ basic: [] }, { token: [] }], { token: 'tok' })).headers.authorization, 'Bearer tok', 'what there is')
  t.match(await call([{ key: [], token: [] }], { key: 'k', token: { token: 'tok' } }), { url: /api_key=k/, headers: { authorization: 'Bearer tok' } })
  t.equal((await call([], { token: 'tok' })).headers.authorization, undefined, 'only where it is wanted')
  const { warnings } = await use(t, { spec: description({ security: [{ key: [] }] }), url })
  t.match(warnings, [/8 operations need "credentials".*key/])
  const wrong = (credentials: object): Promise<unknown> => use(t, { spec: description(), url, credentials })
  await t.rejects(wrong({ other: 'x' }), { code: 'FBK_OPENAPI_CREDENTIALS', message: /it has: key, basic, token/ })
  await t.rejects(wrong({ basic: 'x' }), { code: 'FBK_OPENAPI_CREDENTIALS', message: /credentials\.basic/ })
})

t.test('SC-E1, SC-E3: errors of the service, and of the way to it', async t => {
  const answer: Answer = (_, response) => { response.writeHead(409, { 'content-type': 'application/json' }).end('{"why":"taken"}') }
  const url = await serve(t, answer)
  await t.rejects((await use(t, { spec: description(), url })).Model.listPets({}), { statusCode: 409, message: '{"why":"taken"}' })
  await t.rejects((await use(t, { spec: description(), url, exposeErrors: false })).Model.listPets({}), { statusCode: 409, message: 'Conflict' })
  await t.rejects((await use(t, { spec: description(), url: 'http://127.0.0.1:1' })).Model.listPets({}), { statusCode: 502, code: 'BAD_GATEWAY' })
  const slow = await use(t, { spec: description(), url: await serve(t, () => {}), timeout: 100 })
  await t.rejects(slow.Model.listPets({}), { statusCode: 504, code: 'GATEWAY_TIMEOUT' })
})

t.test('SC-H1: observers see requests and answers', async t => {
  const url = await serve(t)
  const { Model, connector } = await use(t, { spec: description(), url })
  connector.observe('before execute', (ctx: Loose, next: () => void) => {
    ctx.req.headers['x-own'] = 'yes'
    next()
  })
  t.equal((await Model.listPets({})).headers['x-own'], 'yes')
})
