/** The log of a server that writes nothing about requests as such. */
import Fastify, { type FastifyInstance } from 'fastify'
import pino from 'pino'
import t from 'tap'
import { lendLog, withoutRequestLog } from './request-log.js'

type Line = Readonly<Record<string, unknown>>

function server (): { app: FastifyInstance, lines: Line[] } {
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => { lines.push(JSON.parse(line) as Line) } })
  const app = Fastify({ ...withoutRequestLog(), genReqId: () => 'r1' })
  const lend = lendLog(app, log)
  app.addHook('onRequest', (request, reply, done) => { lend(request, reply); done() })
  return { app, lines }
}

t.test('requests write nothing by themselves, and what they write names them', async t => {
  const { app, lines } = server()
  app.get('/quiet', async () => 'ok')
  app.get('/telling', async (request, reply) => {
    request.log.debug('below the level')
    request.log.info('asked')
    reply.log.child({ part: 1 }).warn('answered')
    return 'ok'
  })
  app.get('/failing', async () => { throw new Error('of the route') })
  await app.inject('/quiet')
  t.same(lines, [])
  await app.inject('/telling')
  t.match(lines.splice(0), [{ reqId: 'r1', msg: 'asked' }, { reqId: 'r1', part: 1, level: 40, msg: 'answered' }])
  await app.inject('/none')
  await app.inject('/failing')
  t.match(lines, { length: 0 }, 'whose handler it is writes about errors')
})

t.test('the server has the log itself, in its plugins as well', async t => {
  const { app, lines } = server()
  await app.register(async inner => { inner.log.info('from a plugin') })
  app.log.info('of its own')
  await app.listen({ port: 0, host: '127.0.0.1' })
  await app.close()
  t.match(lines, [{ msg: 'from a plugin' }, { msg: 'of its own' }, { msg: /^Server listening at http:/ }])
})

t.test('what a plugin makes of the log of its requests', async t => {
  const { app, lines } = server()
  await app.register(async inner => {
    inner.setChildLoggerFactory((parent, bindings, options) => parent.child({ ...bindings, tenant: 't1' }, options))
    inner.get('/inner', async request => { request.log.info('inside'); return 'ok' })
  })
  app.get('/outer', async request => { request.log.info('outside'); return 'ok' })
  await app.inject('/inner')
  await app.inject('/outer')
  t.match(lines, [{ reqId: 'r1', tenant: 't1', msg: 'inside' }, { reqId: 'r1', tenant: undefined, msg: 'outside' }])
})
