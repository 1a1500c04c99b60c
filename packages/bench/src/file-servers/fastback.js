// The same with a model on a storage data source.
import core from '@fastback/core'
import rest from '@fastback/rest'
import { storageConnector } from '@fastback/storage'
import Fastify from 'fastify'

const app = Fastify()
await app.register(core, {
  dataSources: { files: { connector: storageConnector, root: process.env.BENCH_ROOT } },
  definitions: [{ name: 'Box', base: 'Model', plural: 'boxes' }],
  models: { Box: { dataSource: 'files', public: true } }
})
await app.register(rest, { prefix: '/api' })
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => app.close())
