import Fastify from 'fastify'
import { httpError, number, parse } from '../requests.js'

// The hand-written server of the loads r1 and r2: a token is looked up, and its user is part of each WHERE.

const { openStatements } = await import(process.env.BENCH_URL === undefined ? './sqlite.js' : './postgres.js')
const sql = openStatements()
const app = Fastify()

const task = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    body: { type: 'string' },
    isDone: { type: 'boolean' },
    priority: { type: 'integer' },
    ownerId: { type: 'integer' },
    createdAt: { type: 'string' }
  }
}
const schemas = {
  list: {
    querystring: { type: 'object', properties: { filter: { type: 'string' } } },
    response: { 200: { type: 'array', items: task } }
  },
  get: {
    params: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }, response: { 200: task }
  }
}

const userOf = token => {
  if (!token || Number(token.created) + token.ttl * 1000 < Date.now()) throw httpError(401, 'authorization required')
  return token.userId
}
const found = row => row ?? (() => { throw httpError(404, 'no such task') })()

// SQLite's statements give their result at once, and nobody waits for it.
const after = (value, next) => value instanceof Promise ? value.then(next) : next(value)
const owner = (request, next) => after(sql.token(request.headers.authorization ?? ''), token => next(userOf(token)))

app.get('/api/Tasks/count', () => after(sql.count(), count => count))

app.get('/api/Tasks', { schema: schemas.list }, (request, reply) => {
  const { limit, skip } = parse(request.query.filter)
  const list = owner(request, user => sql.list(user, number(limit, 100), number(skip, 0)))
  return after(list, rows => reply.send(rows))
})

app.get('/api/Tasks/:id', { schema: schemas.get }, (request, reply) =>
  after(owner(request, user => sql.get(request.params.id, user)), row => reply.send(found(row))))

process.once('SIGTERM', () => app.close().then(() => sql.close()))
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
