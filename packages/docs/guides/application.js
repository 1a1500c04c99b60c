// An application that the examples of the guides ask: models in memory, or in SQLite, over REST.
import Fastify from 'fastify'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'

const stores = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }
}

/**
 * A Fastify instance that has the models, and is ready.
 * @param definitions models
 * @param options `users`: accounts and access rules as well; `store`: 'memory' or 'sqlite'; `before(app)`: what is done
 * before routes are made; `settings` of the application; `api`: options of `rest`
 */
export async function application (definitions, { users = false, store = 'memory', before, settings, api } = {}) {
  const app = Fastify()
  await app.register(core, {
    dataSources: { db: stores[store] },
    definitions,
    models: Object.fromEntries(definitions.map(({ name }) => [name, { dataSource: 'db' }])),
    settings
  })
  if (users) {
    await app.register(auth, { dataSource: 'db' })
    await app.register(acl, { dataSource: 'db' })
  }
  await before?.(app)
  await app.register(rest, { prefix: '/api', ...api })
  await app.ready()
  return app
}

/**
 * Asks the application, and gives status and body.
 * @param app the application
 * @param request 'GET /api/Notes'
 * @param payload the body
 * @param token of the caller
 */
export async function ask (app, request, payload, token) {
  const [method, url] = request.split(' ')
  const headers = token === undefined ? {} : { authorization: token }
  const answer = await app.inject({ method, url, payload, headers })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json(), headers: answer.headers }
}
