// A server with a folder of files, for tests that kill it or look at its memory: node upload-process.mjs ROOT
// It says its port, and answers every message with what it holds: memory and open files.
import { readdirSync } from 'node:fs'
import Fastify from 'fastify'
import core from '@fastback/core'
import rest from '@fastback/rest'
import { storageConnector } from '@fastback/storage'

const large = 4 * 1024 ** 3
const app = Fastify({ forceCloseConnections: true })
await app.register(core, {
  dataSources: {
    files: {
      connector: storageConnector,
      root: process.argv[2],
      maxFileSize: large,
      maxTotalSize: large,
      maxConcurrentUploads: 100
    }
  },
  definitions: [{ name: 'Box', base: 'Model', plural: 'boxes' }],
  models: { Box: { dataSource: 'files', public: true } }
})
await app.register(rest, { prefix: '/api' })
await app.listen({ port: 0, host: '127.0.0.1' })
process.on('message', () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const open = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
  process.send({ rss: process.memoryUsage().rss, open })
})
process.on('disconnect', () => { process.exit() })
process.send({ port: app.server.address().port })
