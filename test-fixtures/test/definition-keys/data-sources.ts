/** What each key of a data source does. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { readServerSettings } from '../../../packages/connector-sql/dist/server-settings.js'
import { azureSettings } from '../../../packages/storage/dist/azure/azure-settings.js'
import { s3Settings } from '../../../packages/storage/dist/s3/s3-settings.js'
import type { AskedElsewhere, Loose, Refused, World } from './world.js'

/** The application, and the folder of its files. */
export interface Stored extends World {
  readonly root: string
  upload (files: Readonly<Record<string, string>>, more?: Upload): Promise<number>
}
interface Upload {
  readonly container?: string
  readonly type?: string
  readonly fields?: Readonly<Record<string, string>>
}

export interface DataSourceEffect {
  readonly value: unknown
  /** What else the data source says. Default: a folder of files. */
  readonly beside?: (root: string) => object
  readonly shows: (t: Test, world: Stored) => Promise<void>
}

const asked = (file: string): AskedElsewhere => ({ provenIn: file })
const postgres = asked('packages/connector-sql/test/postgres.test.ts')
const uploads = asked('packages/storage/test/rest.test.ts')
const drivers = asked('packages/storage/test/drivers.test.ts')
const resumable = asked('packages/storage/test/resumable.test.ts')
const signed = asked('packages/storage/test/signed.test.ts')
const attacked = asked('test-fixtures/test/security/uploads.test.ts')
const replicas = asked('test-fixtures/test/replicas.test.ts')

/** The first is stored, the second is refused. */
const limits = (good: Parameters<Stored['upload']>, bad: Parameters<Stored['upload']>, status: number): DataSourceEffect['shows'] =>
  async (t, { upload }) => {
    t.equal(await upload(...good), 200)
    t.equal(await upload(...bad), status)
  }

/** Settings of a server that are read as others are, whose effect is asked for elsewhere. */
const synonym = (key: string, meant: string): DataSourceEffect => ({
  value: 3,
  async shows (t) {
    const read = readServerSettings({ connector: 'postgres', [key]: 3 } as Loose, why => { throw new Error(why) }) as Loose
    t.equal(read[meant], 3)
  }
})
const resuming = (root: string): object => ({ connector: 'storage', root, resumable: true })
const begin = async ({ app }: World, name: string) => await app.inject({
  method: 'POST',
  url: '/api/Notes/box/resumable',
  headers: {
    'tus-resumable': '1.0.0', 'upload-length': '5', 'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`
  }
})
const sqlite = (): object => ({ connector: 'sqlite', url: 'sqlite::memory:' })

export const dataSourceEffects: Readonly<Record<string, DataSourceEffect | Refused | AskedElsewhere>> = {
  name: {
    value: 'other', beside: sqlite, async shows (t, { Note }) { t.equal(Note.dataSource.name, 'db', 'the key is the name') }
  },
  connector: { value: 'sqlite', beside: sqlite, async shows (t, { Note }) { t.equal(Note.dataSource.connector.name, 'sql') } },
  url: { value: 'sqlite::memory:', beside: sqlite, async shows (t, { Note }) { t.ok(await Note.create({})) } },
  migrate: {
    value: 'none', beside: sqlite, async shows (t, { Note }) { await t.rejects(Note.create({}), { code: 'FBK_SQL_TABLE_MISSING' } as Loose) }
  },
  file: asked('packages/connector-memory/test/file.test.ts'),
  localStorage: { refused: 'rows' },
  database: postgres,
  host: postgres,
  port: postgres,
  user: postgres,
  username: postgres,
  password: postgres,
  schema: asked('packages/connector-sql/test/other-schema.test.ts'),
  ssl: postgres,
  poolSize: postgres,
  connectionLimit: synonym('connectionLimit', 'poolSize'),
  max: synonym('max', 'poolSize'),
  min: { refused: 2 },
  connectionTimeout: postgres,
  idleTimeout: postgres,
  statementTimeout: postgres,
  replicaSet: asked('packages/connector-mongodb/test/suite.test.ts'),
  replicas,
  replicaRetry: replicas,
  replicaWait: asked('test-fixtures/test/replicas.long.ts'),
  primaryAfterWrite: replicas,
  rowSecurity: asked('test-fixtures/test/security/caller-role.test.ts'),
  transactionTimeout: asked('packages/connector-sql/test/transactions.test.ts'),
  adapter: asked('packages/connector-remote/test/remote.test.ts'),
  forwardToken: asked('packages/connector-remote/test/remote.test.ts'),
  transports: asked('packages/auth/test/plugin.test.ts'),
  transport: asked('packages/auth/test/in-process.test.ts'),
  provider: drivers,
  root: {
    value: undefined, async shows (t, { upload, root }) {
      await upload({ 'a.txt': 'x' })
      t.strictSame(readdirSync(join(root, 'box')), ['a.txt'])
    }
  },
  nameConflict: {
    value: 'makeUnique', async shows (t, { upload, root }) {
      await upload({ 'a.txt': 'x' })
      t.match(readdirSync(join(root, 'box')), [/^[\da-f-]{36}\.txt$/])
    }
  },
  allowedContentTypes: {
    value: ['text/plain'], shows: limits([{ 'a.txt': 'x' }], [{ 'b.bin': 'x' }, { type: 'application/octet-stream' }], 415)
  },
  maxFileSize: { value: 3, shows: limits([{ 'a.txt': 'abc' }], [{ 'b.txt': 'abcd' }], 413) },
  acl: {
    value: 'public-read',
    async shows (t, { Note, upload }) {
      const driver = Note.dataSource.connector.client
      const { stage } = driver
      const given: Loose[] = []
      driver.stage = async (container: string, file: string, options: object) => {
        given.push(options)
        return await stage.call(driver, container, file, options)
      }
      await upload({ 'a.txt': 'x' })
      t.match(given, [{ acl: 'public-read' }], 'the provider gets it')
    }
  },
  maxFiles: { value: 1, shows: limits([{ 'a.txt': 'x' }], [{ 'b.txt': 'x', 'c.txt': 'x' }], 413) },
  maxFields: { value: 1, shows: limits([{ 'a.txt': 'x' }, { fields: { a: '1' } }], [{ 'b.txt': 'x' }, { fields: { a: '1', b: '2' } }], 413) },
  maxFieldsSize: { value: 3, shows: limits([{ 'a.txt': 'x' }, { fields: { a: 'abc' } }], [{ 'b.txt': 'x' }, { fields: { a: 'abcd' } }], 413) },
  maxFieldNameSize: {
    value: 4,
    shows: limits([{ 'a.txt': 'x' }, { fields: { abcd: '1' } }], [{ 'b.txt': 'x' }, { fields: { abcde: '1' } }], 413)
  },
  maxTotalSize: { value: 600, shows: limits([{ 'a.txt': 'x' }], [{ 'b.txt': 'x'.repeat(700) }], 413) },
  maxConcurrentUploads: uploads,
  maxUploadsPerClient: {
    value: 1,
    async shows (t, { app, upload }) {
      const slow = new PassThrough()
      const first = app.inject({
        method: 'POST',
        url: '/api/Notes/box/upload',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        payload: slow
      })
      slow.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
      await setTimeout(50)
      t.equal(await upload({ 'b.txt': 'x' }), 503, 'one at a time')
      slow.end('x\r\n--b--\r\n')
      t.equal((await first).statusCode, 200)
    }
  },
  maxList: {
    value: 1,
    async shows (t, { upload, send }) {
      await upload({ 'a.txt': 'x', 'b.txt': 'x' })
      t.match((await send('GET', '/Notes/box/files')).body, [{ name: 'a.txt' }])
      t.equal((await send('GET', '/Notes/box/files')).body.length, 1)
    }
  },
  uploadTimeout: uploads,
  downloadTimeout: {
    value: 100,
    async shows (t, { app, root }) {
      writeFileSync(join(root, 'box', 'big'), Buffer.alloc(2 ** 25))
      const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
      const client = connect(Number(port), '127.0.0.1').on('error', () => {}).pause()
      client.write('GET /api/Notes/box/download/big HTTP/1.1\r\nHost: x\r\n\r\n')
      const begun = performance.now()
      const open = (): Promise<number> => new Promise(resolve => {
        app.server.getConnections((_, count) => { resolve(count) })
      })
      while (await open() === 0) await setTimeout(10)
      while (await open() > 0) await setTimeout(10)
      t.ok(performance.now() - begun < 10_000, 'who takes nothing is cut off')
      client.destroy()
    }
  },
  sniff: { value: true, shows: limits([{ 'a.txt': 'x' }], [{ 'b.png': 'x' }, { type: 'image/png' }], 415) },
  disposition: {
    value: 'attachment',
    async shows (t, { app, upload }) {
      await upload({ 'a.txt': 'x' })
      t.match((await app.inject('/api/Notes/box/download/a.txt')).headers['content-disposition'], /^attachment/)
    }
  },
  createContainers: {
    value: true,
    async shows (t, { upload }) { t.equal(await upload({ 'a.txt': 'x' }, { container: 'new' }), 200) }
  },
  allowDotNames: { value: true, async shows (t, { upload }) { t.equal(await upload({ '.a': 'x' }), 200) } },
  followLinks: {
    value: true,
    async shows (t, { app, root }) {
      mkdirSync(join(root, 'target'))
      writeFileSync(join(root, 'target', 'a.txt'), 'linked')
      symlinkSync(join(root, 'target', 'a.txt'), join(root, 'box', 'b.txt'))
      t.equal((await app.inject('/api/Notes/box/download/b.txt')).body, 'linked')
    }
  },
  quota: { value: 3, shows: limits([{ 'a.txt': 'abc' }], [{ 'b.txt': 'd' }], 507) },
  minFree: uploads,
  presign: signed,
  presignTtl: signed,
  presignSecret: signed,
  presignBase: signed,
  redirect: signed,
  createRoot: {
    value: true,
    beside: root => ({ connector: 'storage', root: join(root, 'below') }),
    async shows (t, { root }) { t.ok(readdirSync(root).includes('below')) }
  },
  resumable,
  resumableTtl: {
    value: 77, beside: resuming,
    async shows (t, world) {
      const { headers, statusCode } = await begin(world, 'a')
      t.equal(statusCode, 201)
      const seconds = (new Date(headers['upload-expires'] as string).getTime() - Date.now()) / 1000
      t.ok(seconds > 60 && seconds < 78, String(seconds))
    }
  },
  maxResumable: resumable,
  maxResumablePerNetwork: {
    value: 1, beside: resuming,
    async shows (t, world) {
      t.equal((await begin(world, 'a')).statusCode, 201)
      t.equal((await begin(world, 'b')).statusCode, 503)
    }
  },
  resumableIdle: attacked,
  containerOwner: attacked,
  keyId: drivers,
  key: drivers,
  region: {
    value: 'eu-west-9',
    async shows (t) {
      const given = { connector: 'storage', key: 'k', keyId: 'i', region: 'eu-west-9' }
      t.equal((s3Settings(given, 'db') as Loose).client.region, 'eu-west-9')
    }
  },
  endpoint: drivers,
  projectId: drivers,
  keyFilename: drivers,
  credentials: drivers,
  storageAccount: drivers,
  storageAccessKey: {
    value: 'k',
    async shows (t) {
      const given = { connector: 'storage', storageAccount: 'a', storageAccessKey: 'c2VjcmV0' }
      t.match(JSON.stringify(azureSettings(given, 'db')), 'c2VjcmV0')
    }
  },
  connectionString: drivers
}
