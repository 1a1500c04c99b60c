// Serves an application with the files of its storage data sources on a server that speaks S3: node .ci/serve-s3.mjs
// serve APP --port PORT
// The server is s3rver, in a process of its own: a second server of this one would look like the application's own.
// Each container becomes a bucket; the folders stay as they are, so that what the application itself reads of its disk
// is the state at the start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const app = path.resolve(process.argv[3])
const require = createRequire(new URL('../packages/storage/package.json', import.meta.url))
const { CreateBucketCommand, PutObjectCommand, S3Client } = require('@aws-sdk/client-s3')

const directory = mkdtempSync(path.join(tmpdir(), 'fastback-s3-'))
const program = `const S3rver = require(${JSON.stringify(require.resolve('s3rver'))})
new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: process.argv[1] }).run()
  .then(({ port }) => process.send(port))
process.on('disconnect', () => process.exit())`
const server = spawn(process.execPath, ['-e', program, directory], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
process.on('exit', () => {
  server.kill()
  rmSync(directory, { recursive: true, force: true })
})
const [port] = await once(server, 'message')
server.unref()
server.channel?.unref()
const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const endpoint = `http://127.0.0.1:${port}`
const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials: keys })

const read = name => {
  const file = path.join(app, 'server', name)
  return existsSync(file) ? createRequire(file)(file) : {}
}
const local = read('datasources.local.js')
const settings = {}
const buckets = new Set()
for (const [name, written] of Object.entries(read('datasources.json'))) {
  if (written.connector !== 'loopback-component-storage') continue
  const { root } = { ...written, ...local[name] }
  settings[name] = {
    ...written, root, provider: 'amazon', keyId: keys.accessKeyId, key: keys.secretAccessKey, endpoint, forcePathBucket: true
  }
  for (const bucket of readdirSync(root, { withFileTypes: true })) {
    if (!bucket.isDirectory()) continue
    if (!buckets.has(bucket.name)) await client.send(new CreateBucketCommand({ Bucket: bucket.name }))
    buckets.add(bucket.name)
    for (const file of readdirSync(path.join(root, bucket.name), { withFileTypes: true, recursive: true })) {
      if (!file.isFile()) continue
      const from = path.join(file.parentPath ?? file.path, file.name)
      const Key = path.relative(path.join(root, bucket.name), from).split(path.sep).join('/')
      await client.send(new PutObjectCommand({ Bucket: bucket.name, Key, Body: readFileSync(from) }))
    }
  }
}
// The module has made its folders by now, and would make others when the application loads it a second time.
process.env.FASTBACK_DATASOURCES = JSON.stringify(settings)
await import('../packages/cli/bin/fastback.js')
