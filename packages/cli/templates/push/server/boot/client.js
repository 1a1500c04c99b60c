// What the page and its service worker need of @fastback/push. The worker is at the root: it serves no page above it.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const served = { '/push-client.js': '@fastback/push/client', '/push-worker.js': '@fastback/push/service-worker.js' }

/** @param {import('../../models.js').Application} app */
export default async function client (app) {
  for (const [address, name] of Object.entries(served)) {
    const script = await readFile(fileURLToPath(import.meta.resolve(name)), 'utf8')
    app.fastify.get(address, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  }
}
