/** Forms of which one file fails, and what is refused before an address is signed (storage.md, SS-08, SS-17). */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import { storageConnector, StorageService, type StorageDriver } from '@fastback/storage'

/** A model over a driver, published. */
async function served (t: Test, provider: StorageDriver, settings: object = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, {
    dataSources: { files: { connector: storageConnector, provider, ...settings } },
    definitions: [{ name: 'Box', base: 'Model', plural: 'Boxes' }],
    models: { Box: { dataSource: 'files', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  await app.inject({ method: 'POST', url: '/api/Boxes', payload: { name: 'box' } })
  return app
}

async function folderDriver (t: Test): Promise<{ driver: StorageDriver, root: string }> {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-storage-'))
  t.teardown(async () => { await rm(root, { recursive: true, force: true }) })
  const service = StorageService({ root })
  await service.connect()
  return { driver: service.client as StorageDriver, root }
}

/** The driver with other functions. */
const changed = (driver: StorageDriver, functions: Partial<StorageDriver>): StorageDriver =>
  new Proxy(driver, {
    get: (target, name) => {
      const member = (functions as Record<string | symbol, unknown>)[name] ?? Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    }
  })

t.test('SS-08: where the second of two files cannot take its place, the first one goes', async t => {
  const { driver, root } = await folderDriver(t)
  const failing = changed(driver, {
    async stage (container, file, options) {
      const staged = await driver.stage(container, file, options)
      if (file === 'b.txt') staged.commit = async () => { throw new Error('the disk is gone') }
      return staged
    }
  })
  const app = await served(t, failing)
  const send = async (...names: string[]): Promise<number> => {
    const form = new FormData()
    for (const name of names) form.append('file', new File(['new'], name))
    const request = new Request('http://x', { method: 'POST', body: form })
    return (await app.inject({
      method: 'POST',
      url: '/api/Boxes/box/upload',
      headers: { 'content-type': request.headers.get('content-type') as string },
      payload: Buffer.from(await request.arrayBuffer())
    })).statusCode
  }
  t.equal(await send('a.txt', 'b.txt'), 500)
  t.strictSame(await readdir(path.join(root, 'box')), [])
  t.strictSame(await readdir(path.join(root, '.uploads')), [])

  t.equal(await send('a.txt'), 200)
  t.equal(await send('a.txt', 'b.txt'), 500)
  t.strictSame(await readdir(path.join(root, 'box')), ['a.txt'], 'one that was there before is not taken away')
})

t.test('SS-17: a provider that is sent the file itself is told of what may be sent alone', async t => {
  const { driver } = await folderDriver(t)
  const signed: unknown[] = []
  const signing = changed(driver, {
    async presign (verb, container, file, ttl, announced) {
      signed.push(announced)
      return { url: `https://store.example/${container}/${file}`, method: verb, headers: {} }
    }
  })
  const app = await served(t, signing, { presign: true, maxFileSize: 100, allowedContentTypes: ['image/*'] })
  const ask = async (payload: object): Promise<unknown> => {
    const answer = await app.inject({ method: 'POST', url: '/api/Boxes/box/presign-upload', payload })
    return answer.statusCode === 200 ? 200 : answer.json().error.code
  }
  const whole = { name: 'a.png', type: 'image/png', size: 100 }
  t.equal(await ask(whole), 200)
  for (const [change, code] of [
    [{ size: undefined }, 'SIZE_REQUIRED'],
    [{ size: '100' }, 'SIZE_REQUIRED'],
    [{ size: -1 }, 'SIZE_REQUIRED'],
    [{ size: 1.5 }, 'SIZE_REQUIRED'],
    [{ size: 101 }, 'FILE_TOO_LARGE'],
    [{ type: 'text/html' }, 'CONTENT_TYPE_NOT_ALLOWED'],
    [{ type: undefined }, 'CONTENT_TYPE_NOT_ALLOWED'],
    [{ name: '../a.png' }, 'INVALID_NAME']
  ] as const) {
    t.equal(await ask({ ...whole, ...change }), code, JSON.stringify(change))
  }
  t.strictSame(signed, [{ type: 'image/png', size: 100 }])
})
