// What one writes by hand: a route that asks the service with undici.
import Fastify from 'fastify'
import { Pool } from 'undici'

const service = new Pool(process.env.BENCH_SERVICE, { connections: 50, connectTimeout: 10_000 })
const app = Fastify()
app.get('/api/Stations/byId/:id', async (request, reply) => {
  const { statusCode, body } = await service.request({
    method: 'GET',
    path: `/stations/${encodeURIComponent(request.params.id)}`,
    headers: { accept: 'application/json' },
    headersTimeout: 30_000,
    bodyTimeout: 30_000
  })
  const found = await body.json()
  return reply.code(statusCode < 400 ? 200 : 502).send(found)
})
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => app.close())
