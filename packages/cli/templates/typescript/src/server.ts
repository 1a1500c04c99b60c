import { build } from './app.ts'

const app = await build({ logger: { level: process.env.LOG_LEVEL ?? 'info' } })
await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' })

// Clients learn that their connections end, requests that have begun are answered, then the databases are closed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await app.health.drain()
    await app.close()
  })
}
