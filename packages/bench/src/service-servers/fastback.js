// The same with a model on a REST data source.
import { restConnector } from '@fastback/connector-rest'
import core from '@fastback/core'
import rest from '@fastback/rest'
import Fastify from 'fastify'

const template = { method: 'GET', url: `${process.env.BENCH_SERVICE}/stations/{id}` }
const app = Fastify()
await app.register(core, {
  dataSources: { service: { connector: restConnector, operations: [{ template, functions: { byId: ['id'] } }] } },
  definitions: [{ name: 'Station', base: 'Model' }],
  models: { Station: { dataSource: 'service', public: true } }
})
await app.register(rest, { prefix: '/api' })
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => app.close())
