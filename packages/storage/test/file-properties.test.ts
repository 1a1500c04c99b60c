/** Properties of the type `file`: rows with references, files in a storage. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import core, { type ConnectorFactory, type ModelDefinitionInput } from '@fastback/core'
import rest from '@fastback/rest'
import { FileProperty, storageConnector, type StorageConnector } from '@fastback/storage'

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200, 7)])

interface Called { status: number, body: any, headers: Record<string, unknown>, raw: Buffer }

interface Served {
  readonly app: FastifyInstance
  readonly Photo: any
  readonly connector: StorageConnector
  /** Names of the files that are stored. */
  files (container?: string): Promise<string[]>
  call (verb: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Called>
}

async function serve (t: Test, rows: { connector: ConnectorFactory, url?: string }): Promise<Served> {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-files-'))
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await rm(root, { recursive: true, force: true })
  })
  await app.register(core, {
    dataSources: { db: rows, photos: { connector: storageConnector, root, presign: true } },
    definitions: [
      {
        name: 'Photo',
        properties: {
          title: { type: 'string', required: true },
          stars: 'number',
          image: { type: 'file', storage: 'photos', accept: ['image/*'], maxSize: '1kb' },
          papers: { type: ['file'], storage: 'photos', container: 'papers' }
        },
        relations: { album: { type: 'belongsTo', model: 'Album' } }
      },
      { name: 'Album', properties: { name: 'string' }, relations: { photos: { type: 'hasMany', model: 'Photo', foreignKey: 'albumId' } } }
    ],
    models: { Photo: { dataSource: 'db', public: true }, Album: { dataSource: 'db', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const files = async (container = 'photos'): Promise<string[]> => {
    try {
      return await readdir(path.join(root, container))
    } catch {
      return []
    }
  }
  return {
    app,
    Photo: app.models.Photo,
    connector: app.registry.dataSources.photos?.connector as unknown as StorageConnector,
    files,
    async call (verb, url, body, headers = {}) {
      const request = body instanceof FormData ? new Request('http://x', { method: 'POST', body }) : undefined
      const payload = request === undefined
        ? body
        : Buffer.from(await request.arrayBuffer())
      const answer = await app.inject({
        method: verb as 'GET',
        url,
        headers: { ...(request === undefined ? {} : { 'content-type': request.headers.get('content-type') as string }), ...headers },
        ...(payload === undefined ? {} : { payload: payload as Buffer })
      })
      let parsed: unknown
      try { parsed = answer.json() } catch {}
      return { status: answer.statusCode, body: parsed, headers: answer.headers, raw: answer.rawPayload }
    }
  }
}

const form = (fields: Record<string, string | Blob | Array<string | Blob>>): FormData => {
  const data = new FormData()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) {
      if (typeof value === 'string') data.append(name, value)
      else data.append(name, value, value instanceof File ? value.name : 'blob')
    }
  }
  return data
}
const image = (name = 'me.png', bytes: Buffer = png, type = 'image/png'): File => new File([bytes], name, { type })
const paper = (name: string, text: string): File => new File([text], name, { type: 'text/plain' })

for (const [name, rows] of [
  ['memory', { connector: memoryConnector }],
  ['SQLite', { connector: sqlConnector, url: 'sqlite::memory:' }]
] as Array<[string, { connector: ConnectorFactory, url?: string }]>) {
  t.test(`a row with files, ${name}`, async t => {
    const { call, files, Photo, connector } = await serve(t, rows)
    const created = await call('POST', '/api/Photos', form({ title: 'Sea', stars: '4', image: image('Größe "1".PNG'), papers: [paper('a.txt', 'a'), paper('b.txt', 'bb')] }))
    t.equal(created.status, 200, JSON.stringify(created.body))
    t.match(created.body, { id: 1, title: 'Sea', stars: 4, image: { name: 'Größe "1".PNG', type: 'image/png', size: png.length }, papers: [{ name: 'a.txt', size: 1 }, { size: 2 }] })
    const { image: reference, papers } = created.body
    t.strictSame((await call('GET', '/api/Photos/1')).body.image, reference)
    t.equal((await files()).length, 1)
    t.notOk((await files())[0]?.includes(reference.id), 'clients do not learn of names in the store')

    const got = await call('GET', '/api/Photos/1/image', undefined, { range: 'bytes=1-3' })
    t.equal(got.status, 206)
    t.equal(got.raw.toString(), 'PNG')
    t.match(got.headers, { 'content-type': 'image/png', 'x-content-type-options': 'nosniff', 'content-disposition': /filename\*=UTF-8''Gr%C3%B6%C3%9Fe/ })
    t.equal((await call('GET', `/api/Photos/1/papers/${papers[1].id}`)).raw.toString(), 'bb')
    t.equal((await call('GET', '/api/Photos/1/papers/other')).status, 404)
    t.equal((await call('GET', '/api/Photos/2/image')).status, 404)

    // Sent back as it came, the row keeps its files; so does a change of something else.
    t.strictSame((await call('PUT', '/api/Photos/1', created.body)).body.image, reference)
    t.equal((await call('PATCH', '/api/Photos/1', { title: 'Lake' })).body.image.id, reference.id)
    const replaced = await call('PATCH', '/api/Photos/1', form({ image: image('new.png') }))
    t.match(replaced.body, { title: 'Lake', image: { name: 'new.png' } })
    t.equal((await files()).length, 1, 'what was replaced is gone')
    t.equal((await call('GET', '/api/Photos/1/image')).raw.length, png.length)
    const fewer = await call('PATCH', '/api/Photos/1', form({ data: JSON.stringify({ papers: [papers[1]] }), papers: paper('c.txt', 'ccc') }))
    t.strictSame(fewer.body.papers.map((each: any) => each.name), ['b.txt', 'c.txt'], JSON.stringify(fewer.body))
    t.equal((await files('papers')).length, 2)
    t.equal((await call('PATCH', '/api/Photos/1', { image: null })).body.image, null)
    t.strictSame(await files(), [])
    t.equal((await call('GET', '/api/Photos/1/image')).status, 404)

    t.equal((await call('DELETE', '/api/Photos/1')).status, 200)
    t.strictSame(await files('papers'), [])

    // In the process.
    const row = await Photo.create({ title: 'Code', image: image() })
    t.match(row.image, { name: 'me.png', size: png.length })
    row.image = image('other.png')
    await row.save()
    t.equal(row.image.name, 'other.png')
    await Photo.create([{ title: 'x', image: image() }, { title: 'y', image: image() }])
    t.equal((await files()).length, 3)
    await Photo.updateAll({ title: 'x' }, { image: null })
    t.equal((await files()).length, 2)
    await t.rejects(Photo.updateAll({ title: 'x' }, { image: image() }), /it cannot be set on all that match/)
    const [, isNew] = await Photo.findOrCreate({ where: { title: 'y' } }, { title: 'y', image: image() })
    t.equal(isNew, false)
    await Photo.upsert({ id: row.id, image: image('upsert.png') })
    t.equal((await files()).length, 2)
    await Photo.deleteAll({ title: 'y' })
    await Photo.destroyById(row.id)
    t.strictSame(await files(), [])

    // Through a relation, as a form.
    const album = (await call('POST', '/api/Albums', { name: 'Summer' })).body
    t.equal((await call('POST', `/api/Albums/${album.id}/photos`, form({ title: 'Sun', image: image() }))).status, 200)
    t.match((await call('GET', '/api/Albums?filter={"include":"photos"}')).body, [{ photos: [{ image: { name: 'me.png' } }] }])
    await call('DELETE', `/api/Albums/${album.id}/photos`)
    t.strictSame(await files(), [])
    t.equal((await connector.sweepFiles({ olderThan: 0 })).removed, 0)
  })
}

t.test('what is refused leaves nothing', async t => {
  const { call, files, Photo } = await serve(t, { connector: memoryConnector })
  const { image: mine } = await Photo.create({ title: 'mine', image: image() })
  const [stored] = await files()
  const refused = async (status: number, code: string, body: unknown, verb = 'POST', url = '/api/Photos'): Promise<void> => {
    const answer = await call(verb, url, body)
    t.equal(answer.status, status, `${JSON.stringify(answer.body)}`)
    t.equal(answer.body.error.code, code)
    t.strictSame(await files(), [stored])
    t.equal(await Photo.count(), 1)
  }
  await refused(413, 'FILE_TOO_LARGE', form({ title: 'x', image: image('x.png', Buffer.concat([png, randomBytes(1000)])) }))
  await refused(415, 'CONTENT_TYPE_NOT_ALLOWED', form({ title: 'x', image: image('x.png', png, 'text/html') }))
  await refused(415, 'CONTENT_MISMATCH', form({ title: 'x', image: image('x.png', Buffer.from('<svg/>')) }))
  await refused(422, 'VALIDATION_FAILED', form({ image: image() }))
  await refused(400, 'INVALID_FORM', form({ title: 'x', other: image() }))
  await refused(413, 'TOO_MANY_PARTS', form({ title: 'x', image: [image(), image()] }))
  await refused(400, 'INVALID_NAME', form({ title: 'x', image: image('.hidden.png') }))
  await refused(400, 'INVALID_FORM', form({ title: 'x', data: '{}' }))
  // A reference is that of its row, and of no other one.
  for (const value of [mine, { id: mine.id }, { upload: mine.id }, { id: '../x', name: 'x' }, {}, { container: 'photos', name: stored }]) {
    await refused(422, 'VALIDATION_FAILED', { title: 'thief', image: value })
    await refused(422, 'VALIDATION_FAILED', { title: 'thief', papers: [value] })
  }
  await refused(422, 'VALIDATION_FAILED', { title: 'thief', image: 'text' })
  // A store that fails, after the file is there.
  const { connector } = Photo.dataSource
  connector.create = async () => { throw new Error('no room') }
  t.equal((await call('POST', '/api/Photos', form({ title: 'x', image: image() }))).status, 500)
  delete connector.create
  connector.updateById = async () => { throw new Error('no room') }
  t.equal((await call('PATCH', '/api/Photos/1', form({ image: image() }))).status, 500)
  delete connector.updateById
  t.strictSame(await files(), [stored])
  t.equal((await call('GET', '/api/Photos/1/image')).status, 200)
})

t.test('transactions: files go when they end', async t => {
  const { files, Photo } = await serve(t, { connector: sqlConnector, url: 'sqlite::memory:' })
  /** Files are removed when the transaction has ended, by nobody who waits for it. */
  const becomes = async (count: number): Promise<void> => {
    const limit = AbortSignal.timeout(20_000)
    while ((await files()).length !== count) await wait(10, undefined, { signal: limit })
  }
  const first = await Photo.create({ title: 'a', image: image() })
  const back = await Photo.beginTransaction()
  await Photo.deleteAll({}, { transaction: back })
  await Photo.create({ title: 'b', image: image() }, { transaction: back })
  t.equal((await files()).length, 2)
  await back.rollback()
  await t.resolves(becomes(1))
  t.equal((await Photo.findById(first.id)).image.id, first.image.id)
  const tx = await Photo.beginTransaction()
  await Photo.deleteAll({}, { transaction: tx })
  t.equal((await files()).length, 1)
  await tx.commit()
  await t.resolves(becomes(0))
  // An observer that fails takes the row back, and its file.
  const fail = async (): Promise<void> => { throw new Error('no') }
  Photo.observe('after save', fail)
  await t.rejects(Photo.create({ title: 'c', image: image() }))
  t.equal(await Photo.count(), 0)
  await t.resolves(becomes(0))
})

t.test('a file that was sent to a signed address', async t => {
  const { call, files, Photo, connector } = await serve(t, { connector: memoryConnector })
  const asked = await call('POST', '/api/Photos/uploads/image', { name: 'me.png', type: 'image/png' })
  t.equal(asked.status, 200, JSON.stringify(asked.body))
  const { url, method, headers, upload } = asked.body
  t.equal((await call('POST', '/api/Photos', { title: 'early', image: { upload } })).status, 422)
  t.equal((await call(method, url, png, { 'content-type': 'image/gif' })).status, 403)
  t.equal((await call(method, url, Buffer.alloc(2000), headers)).status, 413)
  t.equal((await call(method, url, png, headers)).status, 200)
  t.equal((await call('POST', '/api/Photos', { image: { upload } })).status, 422, 'the row is not valid')
  const created = await call('POST', '/api/Photos', { title: 'sent', image: { upload } })
  t.match(created.body, { image: { name: 'me.png', size: png.length } }, JSON.stringify(created.body))
  t.equal((await files()).length, 1)
  t.equal((await call('POST', '/api/Photos', { title: 'again', image: { upload } })).status, 422, 'it is one file')
  t.equal((await call('PATCH', '/api/Photos/1', { papers: [{ upload }] })).status, 422, 'of one property')
  // What comes to the address later does not change the row.
  t.equal((await call(method, url, Buffer.concat([png, Buffer.from('later')]), headers)).status, 200)
  t.equal((await call('GET', '/api/Photos/1/image')).raw.length, png.length)
  t.equal((await files()).length, 2)
  t.strictSame(await connector.sweepFiles(), { removed: 0 })
  t.strictSame(await connector.sweepFiles({ olderThan: 0 }), { removed: 1 })
  t.equal((await call('GET', '/api/Photos/1/image')).status, 200)

  const token = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.tuple(fc.nat(upload.length - 1), fc.constantFrom(...'ABCxyz019-_.=')).map(([at, to]) => upload.slice(0, at) + to + upload.slice(at + 1)),
    fc.nat(upload.length - 1).map(length => upload.slice(0, length)),
    fc.tuple(fc.string(), fc.string(), fc.string(), fc.integer()).map(parts => `${Buffer.from(JSON.stringify(parts)).toString('base64url')}.${upload.split('.')[1] as string}`)
  )
  const reference = fc.oneof(
    token.filter(text => text !== upload).map(text => ({ upload: text })),
    fc.record({ id: fc.oneof(fc.string(), fc.uuid(), fc.constant('__proto__')), name: fc.constantFrom('me.png', '../x', '/etc/passwd'), container: fc.string() }),
    fc.dictionary(fc.string().filter(key => key !== '__proto__'), fc.jsonValue({ maxDepth: 1 }))
  )
  const before = (await files()).length
  await fc.assert(fc.asyncProperty(reference, async value => {
    try {
      await Photo.create({ title: 'forged', image: value })
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 422) return
      throw error
    }
    throw new Error('it passed')
  }), { numRuns: 1_000 })
  t.equal(await Photo.count(), 1)
  t.equal((await files()).length, before)
})

t.test('files in a store that speaks S3, of a model in TypeBox', async t => {
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
    run (): Promise<{ port: number }>
    close (): Promise<void>
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'fastback-s3-'))
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory })
  const { port } = await server.run()
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await server.close()
    await rm(directory, { recursive: true, force: true })
  })
  const s3 = {
    connector: storageConnector, provider: 'amazon', key: 'S3RVER', keyId: 'S3RVER', endpoint: `http://127.0.0.1:${port}`, forcePathBucket: true, presign: true
  }
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector }, s3 },
    definitions: [{
      name: 'Paper',
      properties: Type.Object({
        title: Type.String(),
        scan: Type.Optional(FileProperty({ storage: 's3', maxSize: 500 })),
        more: Type.Optional(Type.Array(FileProperty(), { storage: 's3' }))
      })
    }],
    models: { Paper: { dataSource: 'db', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const Paper = app.models.Paper as any
  const row = await Paper.create({ title: 'a', scan: paper('a.txt', 'text'), more: [paper('b.txt', 'b')] })
  t.match(row.toJSON(), { scan: { name: 'a.txt', size: 4 }, more: [{ name: 'b.txt' }] })
  const connector = app.registry.dataSources.s3?.connector as unknown as StorageConnector
  const names = async (): Promise<number> => (await connector.getFiles('papers')).length
  t.equal(await names(), 2)
  t.equal((await app.inject('/api/Papers/1/scan')).body, 'text')
  const { url, method, headers, upload } = (await app.inject({ method: 'POST', url: '/api/Papers/uploads/scan', payload: { name: 'c.txt', type: 'text/plain', size: 6 } })).json()
  // s3rver does not look at what is signed.
  t.equal((await fetch(url, { method, headers, body: 'x'.repeat(501) })).status, 200)
  for (const [size, status] of [[undefined, 400], ['6', 400], [501, 413]] as const) {
    const payload = { name: 'c.txt', type: 'text/plain', size }
    t.equal((await app.inject({ method: 'POST', url: '/api/Papers/uploads/scan', payload })).statusCode, status)
  }
  const patch = async (): Promise<number> =>
    (await app.inject({ method: 'PATCH', url: '/api/Papers/1', payload: { scan: { upload } } })).statusCode
  t.equal(await patch(), 413, 'who signs does not count: the row does')
  await fetch(url, { method, headers, body: 'signed' })
  t.equal(await patch(), 200)
  t.equal((await app.inject('/api/Papers/1/scan')).body, 'signed')
  t.equal(await names(), 2)
  t.equal((await app.inject({ method: 'PUT', url: `/api/Papers/uploads/scan?signature=${upload}`, payload: 'x' })).statusCode, 404)
  t.equal((await app.inject({ method: 'PATCH', url: '/api/Papers/1', payload: { scan: null } })).statusCode, 200)
  await Paper.destroyById(1)
  t.equal(await names(), 0)
})

t.test('definitions that cannot be', async t => {
  const start = async (image: object, more: ModelDefinitionInput[] = []): Promise<unknown> => {
    const app = Fastify()
    t.teardown(async () => { await app.close() })
    await app.register(core, {
      dataSources: { db: { connector: memoryConnector }, files: { connector: storageConnector, root } },
      definitions: [{ name: 'Photo', properties: { image } }, ...more],
      models: { Photo: { dataSource: 'db' } }
    })
    return await app.ready()
  }
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-files-'))
  t.teardown(async () => { await rm(root, { recursive: true, force: true }) })
  const file = { type: 'file', storage: 'files' }
  await t.rejects(start(file, [{ name: 'Album', properties: { photos: ['Photo'] } }]), { message: /nests rows of "Photo", which has files/ })
  await t.rejects(start({ a: file }), { message: /is a file within an object/ })
  await t.rejects(start({ type: 'file', storage: 'photo' }), { code: 'FBK_CORE_INVALID_DEFINITION', message: /"photo" is no data source/ })
  await t.rejects(start({ type: 'file', storage: 'db' }), { code: 'FBK_CORE_INVALID_DEFINITION', message: /keeps no files/ })
  await t.rejects(start({ type: 'file', accept: ['image/*'] }), { code: 'FBK_CORE_INVALID_DEFINITION', message: /no "storage"/ })
})
