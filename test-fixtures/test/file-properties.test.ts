/** Properties of the type `file` among the other parts: access rules, and the description of the API. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import acl, { installAclModels } from '@fastback/acl'
import auth, { installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry } from '@fastback/core'
import { openApiDocument } from '@fastback/explorer'
import rest from '@fastback/rest'
import { storageConnector } from '@fastback/storage'

t.test('P-37: a file is its row\'s: rules, owner, description', async t => {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-owned-'))
  const registry = new ModelRegistry({})
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineDataSource('photos', { connector: storageConnector, root, presign: true })
  installAuthModels(registry)
  installAclModels(registry)
  const everyone = { principalType: 'ROLE', principalId: '$everyone' }
  registry.defineModels([{
    input: {
      name: 'Photo',
      properties: {
        title: 'string',
        userId: 'number',
        image: { type: 'file', storage: 'photos', accept: ['image/*'], maxSize: '5mb', description: 'What is seen' },
        papers: { type: ['file'], storage: 'photos' },
        secret: { type: 'file', storage: 'photos', hidden: true }
      },
      acls: [
        { ...everyone, permission: 'DENY' },
        { ...everyone, principalId: '$owner', permission: 'ALLOW' },
        { ...everyone, principalId: '$authenticated', permission: 'ALLOW', property: ['create', '__upload__image'] }
      ]
    }
  }])
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Photo']) {
    registry.attach(name, 'db', { public: name === 'Photo' })
  }
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    rmSync(root, { recursive: true, force: true })
  })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const { User, AccessToken } = registry.models as Record<string, any>
  const tokens: Record<string, string> = {}
  for (const name of ['ann', 'ben']) {
    const user = await User.create({ email: `${name}@x.test`, username: name, password: `$2b$04$${'a'.repeat(53)}` })
    tokens[name] = (await AccessToken.create({ ttl: 1000, userId: user.id })).id
  }
  const call = async (who: string | undefined, method: string, url: string, body?: object | FormData) => {
    const request = body instanceof FormData ? new Request('http://x', { method: 'POST', body }) : undefined
    const payload = request === undefined ? body : Buffer.from(await request.arrayBuffer())
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api/Photos${url}`,
      headers: {
        ...(who === undefined ? {} : { authorization: tokens[who] }),
        ...(request === undefined ? {} : { 'content-type': request.headers.get('content-type') as string })
      },
      ...(payload === undefined ? {} : { payload })
    })
    return { status: answer.statusCode, text: answer.body }
  }
  const form = (): FormData => {
    const data = new FormData()
    data.append('title', 'mine')
    data.append('userId', '1')
    data.append('image', new File(['GIF89a'], 'me.gif', { type: 'image/gif' }))
    return data
  }
  t.equal((await call(undefined, 'POST', '', form())).status, 401)
  t.strictSame(readdirSync(root).filter(name => name !== '.uploads'), [], 'nothing is stored of who may not')
  t.equal((await call('ann', 'POST', '', form())).status, 200)
  t.match(await call('ann', 'GET', '/1/image'), { status: 200, text: 'GIF89a' })
  t.equal((await call('ben', 'GET', '/1/image')).status, 401)
  t.equal((await call(undefined, 'GET', '/1/image')).status, 401)
  t.equal((await call('ann', 'GET', '/1/secret')).status, 404)
  t.equal((await call(undefined, 'POST', '/uploads/image', { name: 'a.gif' })).status, 401)
  const asked = await call('ben', 'POST', '/uploads/image', { name: 'a.gif', type: 'image/gif' })
  t.equal(asked.status, 200)
  const { url } = JSON.parse(asked.text) as { url: string }
  const sent = await app.inject({ method: 'PUT', url, payload: 'GIF89a', headers: { 'content-type': 'image/gif' } })
  t.equal(sent.statusCode, 200, 'the address is the access decision')

  const { paths, components } = openApiDocument(app.registry) as any
  const create = paths['/Photos']?.post ?? paths['/api/Photos']?.post
  const { content } = create.requestBody
  t.strictSame(Object.keys(content).sort(), ['application/json', 'multipart/form-data'])
  t.match(content['multipart/form-data'], {
    schema: {
      properties: {
        title: { type: ['string', 'null'] },
        image: { type: 'string', format: 'binary', maxLength: 5 * 1024 * 1024, description: 'What is seen' },
        papers: { type: 'array', items: { type: 'string', format: 'binary' } }
      }
    },
    encoding: { image: { contentType: 'image/*' } }
  })
  t.match(components.schemas.Photo.properties.image, { properties: { id: {}, name: {}, type: {}, size: {} } })
  t.notOk('secret' in components.schemas.Photo.properties)
})

t.test('rules about rows and fields hold for files: a row outside has none, nor has a property that may not be read', async t => {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-ruled-'))
  const registry = new ModelRegistry({})
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineDataSource('photos', { connector: storageConnector, root, presign: true })
  installAuthModels(registry)
  installAclModels(registry)
  const signedIn = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: { ownerId: '$user.id' } }
  const image = { type: 'file', storage: 'photos' }
  registry.defineModels([{
    input: {
      name: 'Photo',
      properties: { ownerId: 'number', image, papers: { ...image, type: ['file'] }, contract: image },
      acls: [
        { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
        { ...signedIn, accessType: 'READ', fields: { read: ['*', '-contract'] } },
        { ...signedIn, accessType: 'WRITE', preset: { ownerId: '$user.id' }, fields: { write: ['image', 'papers'] } }
      ]
    } as never
  }])
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Photo']) {
    registry.attach(name, 'db', { public: name === 'Photo' })
  }
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    rmSync(root, { recursive: true, force: true })
  })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const { User, AccessToken, Photo } = registry.models as Record<string, any>
  const tokens: Record<string, string> = {}
  for (const name of ['ann', 'ben']) {
    const user = await User.create({ email: `${name}@x.test`, username: name, password: `$2b$04$${'a'.repeat(53)}` })
    tokens[name] = (await AccessToken.create({ ttl: 1000, userId: user.id })).id
  }
  const call = async (who: string, method: string, url: string, body?: object): Promise<any> => {
    const { statusCode, body: text } = await app.inject({
      method: method as 'GET', url: `/api/Photos${url}`, headers: { authorization: tokens[who] }, ...(body === undefined ? {} : { payload: body })
    })
    return { status: statusCode, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
  const upload = async (who: string, name: string): Promise<any> => {
    const asked = await call(who, 'POST', `/uploads/${name}`, { name: 'a.txt', type: 'text/plain' })
    if (asked.status !== 200) return asked
    const { url, upload } = asked.body
    await app.inject({ method: 'PUT', url, payload: `${name} of ${who}`, headers: { 'content-type': 'text/plain' } })
    return { status: 200, upload }
  }
  const { upload: sent } = await upload('ann', 'image')
  const { upload: paper } = await upload('ann', 'papers')
  const made = await call('ann', 'POST', '', { image: { upload: sent }, papers: [{ upload: paper }] })
  t.match(made, { status: 200, body: { ownerId: 1, image: { name: 'a.txt' }, papers: [{ name: 'a.txt' }] } })
  t.match(await call('ann', 'GET', '/1/image'), { status: 200, text: 'image of ann' })
  const file = made.body.papers[0].id as string
  t.match(await call('ann', 'GET', `/1/papers/${file}`), { status: 200, text: 'papers of ann' })
  t.equal((await call('ben', 'GET', '/1/image')).status, 404, 'not found, as the row is')
  t.equal((await call('ben', 'GET', `/1/papers/${file}`)).status, 404)
  t.equal((await upload('ann', 'contract')).status, 403, 'no address for a property that may not be set')
  const { upload: foreign } = await upload('ben', 'image')
  t.equal((await call('ben', 'PATCH', '/1', { image: { upload: foreign } })).status, 404)
  t.match(await call('ann', 'PATCH', '/1', { contract: { upload: sent } }), { status: 403, body: { error: { code: 'FIELD_NOT_WRITABLE' } } })
  const { upload: again } = await upload('ann', 'image')
  t.equal((await call('ann', 'PATCH', '/1', { image: { upload: again } })).status, 200)
  await Photo.updateAll({ id: 1 }, {})
  t.notMatch((await call('ann', 'GET', '/1')).text, 'contract')
  t.equal((await call('ann', 'GET', '/1/contract')).status, 404)
})
