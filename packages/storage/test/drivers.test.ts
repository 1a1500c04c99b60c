// FASTBACK_TEST_FULL: all that drivers have in common, for each of them.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { StorageService, type StorageDriver } from '@fastback/storage'
import { azureDouble } from './doubles/azure.js'
import { googleDouble } from './doubles/google.js'
import { driverCases, put, bytesOf } from './driver-cases.js'

const folder = async (t: Test): Promise<string> => {
  const dir = await mkdtemp(path.join(tmpdir(), 'fastback-storage-'))
  t.teardown(async () => { await rm(dir, { recursive: true, force: true }) })
  return dir
}

async function driverOf (t: Test, settings: Record<string, unknown>): Promise<StorageDriver> {
  const service = StorageService(settings)
  await service.connect()
  t.teardown(async () => { await service.disconnect() })
  return service.client as StorageDriver
}

t.test('a folder', async t => {
  const root = await folder(t)
  const driver = await driverOf(t, { root })
  await driverCases(t, driver)
  t.strictSame(await readdir(path.join(root, '.uploads')), [], 'nothing stays where uploads stand')
})

t.test('a server that speaks S3', async t => {
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
    run (): Promise<{ port: number }>
    close (): Promise<void>
  }
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: await folder(t) })
  const { port } = await server.run()
  t.teardown(async () => { await server.close() })
  const settings = {
    provider: 'amazon', key: 'S3RVER', keyId: 'S3RVER', endpoint: `http://127.0.0.1:${port}`, forcePathBucket: true
  }
  const driver = await driverOf(t, settings)
  // s3rver gives the whole file for `bytes=0-0`.
  await driverCases(t, driver, { knowsFirstByte: false })

  await t.test('signed addresses store and fetch one file', async t => {
    await driver.create('signed')
    const target = await driver.presign?.('PUT', 'signed', 'in.txt', 60, { type: 'text/plain', size: 11 })
    const sent = await fetch(target?.url as string, { method: 'PUT', headers: target?.headers, body: 'signed text' })
    t.equal(sent.status, 200)
    t.equal((await bytesOf(await driver.read('signed', 'in.txt', {}))).toString(), 'signed text')
    await put(driver, 'signed', 'out.txt', 'out')
    const source = await driver.presign?.('GET', 'signed', 'out.txt', 60)
    t.equal(await (await fetch(source?.url as string)).text(), 'out')
    // s3rver does not look at signatures: that they hold for one file alone is the SDK's.
    t.match(new URL(source?.url as string).searchParams.get('X-Amz-Expires'), '60')
    t.equal(
      new URL(target?.url as string).searchParams.get('X-Amz-SignedHeaders'), 'content-length;content-type;host',
      'nothing else than was announced can be sent'
    )
  })
})

t.test('a double of Google Cloud Storage, over the client of Google', async t => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
  })
  const server = await googleDouble(publicKey)
  t.teardown(async () => { await server.close() })
  const driver = await driverOf(t, {
    provider: 'google',
    projectId: 'project',
    credentials: { client_email: 'files@project.example', private_key: privateKey },
    endpoint: server.endpoint
  })
  await driverCases(t, driver)
  t.equal(server.sessions.size, 0, 'no upload is left open')

  await t.test('what is given up is given up there; a store that fails is asked again', async t => {
    await driver.create('large')
    const given = await driver.stage('large', 'given-up', {})
    await new Promise(resolve => given.writable.write(Buffer.alloc(5_000_000), resolve))
    t.equal(server.sessions.size, 1)
    await given.abort()
    t.equal(server.sessions.size, 0)
    const content = Buffer.from(Array.from({ length: 9_000_000 }, (_, at) => at % 251))
    server.failures = 2
    await put(driver, 'large', 'again', content)
    t.equal(server.failures, 0)
    t.ok((await bytesOf(await driver.read('large', 'again', {}))).equals(content))
    t.strictSame(await driver.files('large', {}).then(files => files.map(({ name, type }) => [name, type])), [['again', 'text/plain']])
    server.failures = 99
    const failing = await driver.stage('large', 'never', {})
    await t.rejects(new Promise((resolve, reject) => {
      failing.writable.on('error', reject).write(Buffer.alloc(5_000_000))
    }), { message: /^Google Cloud Storage did not do what it was asked for/, statusCode: undefined })
    await failing.abort()
    server.failures = 0
    t.equal(server.sessions.size, 0)
    const gone = await driver.stage('absent', 'file', {})
    gone.writable.end('x')
    await t.rejects(gone.commit(), { statusCode: 404, code: 'ENOENT' })
    await t.rejects(driver.create('No'), { statusCode: 409, code: 'NAME_REFUSED' })
  })

  await t.test('signed addresses hold for one file, verb and type', async t => {
    await signedCases(t, driver)
  })
})

t.test('a double of Azure Blob Storage, over the client of Microsoft', async t => {
  const server = await azureDouble()
  t.teardown(async () => { await server.close() })
  // An Azurite, or an account of one's own, takes its place.
  const connectionString = process.env.FASTBACK_TEST_AZURE ?? server.connectionString
  const driver = await driverOf(t, { provider: 'azure', connectionString })
  await driverCases(t, driver)

  await t.test('the faster of two uploads of a name stays whole', async t => {
    await driver.create('race')
    const slow = await driver.stage('race', 'file', {})
    slow.writable.write(Buffer.alloc(5_000_000, 's'))
    await new Promise(resolve => { slow.writable.end(resolve) })
    await put(driver, 'race', 'file', Buffer.alloc(5_000_000, 'f'))
    await t.rejects(slow.commit(), { statusCode: 409, code: 'CHANGED_MEANWHILE' })
    await slow.abort()
    t.equal((await bytesOf(await driver.read('race', 'file', {}))).toString('latin1', 0, 1), 'f')
    const gone = await driver.stage('absent', 'file', {})
    gone.writable.end('x')
    await t.rejects(gone.commit(), { statusCode: 404, code: 'ENOENT' })
    await t.rejects(driver.create('No'), { statusCode: 409, code: 'NAME_REFUSED' })
    await driver.destroy('race')
  })

  await t.test('signed addresses hold for one file and verb', async t => {
    await signedCases(t, driver)
    await driver.destroy('signed')
  })
})

/** What a provider that signs does with its addresses. */
async function signedCases (t: Test, driver: StorageDriver): Promise<void> {
  await driver.create('signed')
  const target = await driver.presign?.('PUT', 'signed', 'in.txt', 60, { type: 'text/plain', size: 11 })
  if (target === undefined) throw new Error('nothing was signed')
  const sent = await fetch(target.url, { method: target.method, headers: target.headers, body: 'signed text' })
  t.ok(sent.ok)
  t.match(await driver.stat('signed', 'in.txt'), { size: 11, type: 'text/plain' })
  t.equal((await fetch(target.url)).status, 403, 'no other verb')
  await put(driver, 'signed', 'out.txt', 'out')
  const source = await driver.presign?.('GET', 'signed', 'out.txt', 60)
  t.equal(await (await fetch(source?.url as string)).text(), 'out')
  t.equal((await fetch(source?.url as string, { method: 'PUT', headers: target.headers, body: 'x' })).status, 403)
}

t.test('providers that cannot be had say so at start', async t => {
  const fails = (settings: Record<string, unknown>, code: string, message: RegExp) =>
    t.rejects(StorageService(settings).connect(), { code, message })
  await fails({ provider: 'rackspace' }, 'FBK_STORAGE_PROVIDER', /S3/)
  await fails({ provider: 'openstack' }, 'FBK_STORAGE_PROVIDER', /S3 middleware/)
  await fails({ provider: { createClient () {} } }, 'FBK_STORAGE_PROVIDER', /pkgcloud/)
  await fails({ provider: { connect () {} } }, 'FBK_STORAGE_PROVIDER', /lacks close/)
  await fails({ provider: 'no-such-provider' }, 'FBK_STORAGE_PROVIDER', /not installed/)
  await fails({ root: path.join(tmpdir(), 'fastback-absent') }, 'FBK_STORAGE_NO_ROOT', /must name a folder/)
  const setting = (settings: Record<string, unknown>, message: RegExp) =>
    fails(settings, 'FBK_CORE_DATA_SOURCE_SETTINGS', message)
  await setting({ provider: 'azure', storageAccount: 'a' }, /storageAccessKey/)
  await setting({ provider: 'azure', connectionString: 'x', storageAccount: 'a' }, /takes the place/)
  await setting({ provider: 'google', keyFilename: 'k.json', credentials: { client_email: 'a', private_key: 'k' } }, /not both/)
  await setting({ provider: 'gcs', projectId: 7 }, /projectId/)
  const written = (maxFileSize: unknown): Record<string, unknown> => ({ root: '.', maxFileSize })
  t.equal(StorageService(written('16777216')).maxFileSize, 16777216, 'a number written as text')
  t.throws(() => StorageService(written('big')), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS' })
})
