/** Six rolling restarts under load, and the end: no request fails. A minute and more. */
import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { address, start } from './child.js'
import { keepAliveClients } from './keep-alive-clients.js'

const restarts = 6

t.test('rolling restarts under load', { timeout: 600_000 }, async t => {
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    server: {
      'config.json': '{ "server": { "drainTime": 10000 } }',
      boot: { 'pid.js': "export default app => { app.fastify.get('/pid', () => String(process.pid)) }" }
    }
  })
  const server = start(t, ['serve', dir, '--workers', '2', '--port', '0', '--host', '127.0.0.1', '--log', 'info'])
  const clients = keepAliveClients(`${await address(server)}/pid`, 64)
  for (let done = 1; done <= restarts; done++) {
    server.process.kill('SIGHUP')
    while (server.out.split('all workers were restarted').length <= done) await wait(50)
  }
  t.strictSame(clients.seen.failed, [], 'restarts')
  // All clients are connected again: who is about to connect when nobody takes connections any more is refused.
  const { answered } = clients.seen
  while (clients.seen.answered < answered + 2_000) await wait(50)
  clients.goElsewhere()
  server.process.kill('SIGTERM')
  t.equal(await server.exited, 0)
  await clients.gone
  t.strictSame(clients.seen.failed, [])
  t.ok(clients.seen.bodies.size > restarts, 'other processes answered each time')
  t.comment(`${String(clients.seen.answered)} requests over ${String(restarts)} restarts, none failed`)
})
