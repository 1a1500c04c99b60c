// GET / tells since when the server runs. A route of one's own is a Fastify route.

/** @param {import('../../models.js').Application} app */
export default function root (app) {
  const started = new Date()
  app.fastify.get('/', () => ({ started, uptime: (Date.now() - started.getTime()) / 1000 }))
}
