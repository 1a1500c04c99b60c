/** Logs of a server that a Fastify developer makes: nothing is known of masking there. */
import t, { type Test } from 'tap'
import Fastify, { type FastifyServerOptions } from 'fastify'
import core, { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import rest from '@fastback/rest'
import auth from '@fastback/auth'

const token = 'sEcReTsEcReTsEcReTsEcReTsEcReTsEcReTsEcReTsEcReTsEcReTsEcReT1234'

async function lines (t: Test, options: FastifyServerOptions): Promise<string> {
  const app = Fastify(options)
  t.teardown(() => app.close())
  const registry = new ModelRegistry({ log: app.log })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  app.get('/before', async () => 'registered before the plugin')
  await app.register(core, { registry })
  await app.register(auth, { dataSource: 'db', cookies: ['access_token'] })
  await app.register(rest, { prefix: '/api', accessControl: false })
  app.get('/own', async request => { request.log.info({ headers: request.headers }, `asked with token=${token}`) })
  app.get('/broken', async () => { throw new Error(`cannot reach https://x.test/?access_token=${token}`) })
  const headers = { authorization: `Bearer ${token}`, cookie: `access_token=${token}` }
  for (const path of ['/api/Users', '/before', '/own', '/broken', '/nowhere', '/api/nowhere', '/api/%E0%A4%A']) {
    await app.inject({ url: `${path}?access_token=${token}`, headers })
  }
  await app.inject({ method: 'POST', url: '/api/Users/login', payload: { email: 'x', password: token } })
  app.log.warn({ req: (await app.inject(`/own?access_token=${token}`)).raw.req }, 'by the server itself')
  return written.join('')
}

let written: string[] = []
const stream = { write: (line: string) => { written.push(line) } }
t.beforeEach(() => { written = [] })

t.test('a logger that Fastify makes', async t => {
  const text = await lines(t, { logger: { level: 'trace', stream } })
  t.notMatch(text, token)
  t.match(text, '/api/Users?access_token=[masked]')
  t.match(text, '/nowhere?access_token=[masked]')
  t.match(text, '/before?access_token=[masked]')
  t.match(text, 'request completed')
})

t.test('with serializers and formatters of one\'s own', async t => {
  const text = await lines(t, {
    logger: {
      level: 'trace',
      stream,
      serializers: {
        req: request => ({ method: request.method, url: request.url, headers: request.headers, mine: true }),
        res: reply => ({ statusCode: reply.statusCode, headers: { 'set-cookie': `access_token=${token}` } })
      },
      formatters: { level: label => ({ level: label }), log: line => ({ ...line, secretToken: token, also: 'kept' }) }
    }
  })
  t.notMatch(text, token)
  t.match(text, '"mine":true')
  t.match(text, '"also":"kept"')
  t.match(text, '"level":"info"')
})

t.test('a logger that was there before stays as it is, for others', async t => {
  const { log } = Fastify({ logger: { level: 'trace', stream } })
  t.notMatch(await lines(t, { loggerInstance: log }), token)
  log.info({ url: `/x?access_token=${token}` }, 'of somebody else')
  t.match(written.at(-1), token)
})

t.test('no logger, and one that is not pino\'s', async t => {
  t.equal(await lines(t, { logger: false }), '')
  const none = (): void => {}
  const own = { level: 'info', info: none, warn: none, error: none, debug: none, trace: none, fatal: none, silent: none }
  const logger: typeof own & { child (): unknown } = { ...own, child: () => logger }
  t.equal(await lines(t, { loggerInstance: logger as never }), '')
})
