// GET / says since when the server runs, and where its pages are; browsers are sent to the studio, while there is one
// (component-config.json). A route of one's own is a Fastify route.

/** Pages that are there unless the environment leaves them out: component-config.production.json. */
const pages = { studio: '/studio', explorer: '/explorer', admin: '/admin' }

/** @param {import('../../models.js').Application} app */
export default function root (app) {
  const started = new Date()
  app.fastify.get('/', (request, reply) => {
    const links = Object.entries(pages).filter(([, url]) => app.fastify.hasRoute({ method: 'GET', url }))
    const status = { started, uptime: (Date.now() - started.getTime()) / 1000, ...Object.fromEntries(links) }
    if (request.headers.accept?.includes('text/html') !== true) return status
    const items = links.map(([name, url]) => `<li><a href="${url}/">${name}</a></li>`).join('')
    return reply.type('text/html; charset=utf-8')
      .send(`<!doctype html><title>It runs</title><p>Since ${started.toISOString()}.</p><ul>${items}</ul>`)
  })
}
