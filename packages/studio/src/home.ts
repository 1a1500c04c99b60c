/** `/` of the server in a browser: it leads to the studio; other clients get what the application has there. */
import type { FastifyInstance } from 'fastify'

/** @param path where the studio is */
export function sendHome (app: FastifyInstance, path: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, headers } = request
    if (method !== 'GET' || url !== '/' || headers.accept?.includes('text/html') !== true) return
    // Relative, so that it stays below a prefix that a proxy takes away.
    return reply.redirect(`.${path}/`, 302)
  })
}
