// The page uses @fastback/client as it is published, without a bundler: its modules are served below /modules, and the
// import map of index.html names them.
import { readdir } from 'node:fs/promises'
import { browserModules } from '@fastback/client/modules'

/** @param {import('../../models.js').Application} app */
export default async function modules (app) {
  const { files } = browserModules()
  for (const [address, text] of files) {
    app.fastify.get(address, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(text))
  }
  // What the service worker keeps, so that the page opens without a line.
  const page = (await readdir(new URL('../../client', import.meta.url))).map(name => `/${name}`)
  app.fastify.get('/offline.json', (_request, reply) => reply.send(['/', ...page, ...files.keys()]))
}
