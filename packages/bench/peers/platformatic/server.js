import { create } from '@platformatic/db'

const { BENCH_FILE, BENCH_PORT, BENCH_SECRET } = process.env
const allowed = (role, entity) => ({ role, entity, find: true, save: true, delete: false })

const app = await create(import.meta.dirname, {
  server: { hostname: '127.0.0.1', port: Number(BENCH_PORT), logger: { level: 'error' } },
  db: { connectionString: `sqlite://${BENCH_FILE}`, openapi: true, graphql: true, limit: { max: 100 } },
  authorization: {
    jwt: { secret: BENCH_SECRET },
    roleKey: 'role',
    anonymousRole: 'anonymous',
    rules: [...['product', 'category', 'review'].map(entity => allowed('anonymous', entity)), allowed('user', 'guarded')]
  }
})
await app.start({ listen: true })
process.once('SIGTERM', () => app.stop())
