// FASTBACK_TEST_FULL: services that fail in real time.
/**
 * Peers that fail: a mail server that never speaks, a store that never answers, clients that vanish, code that throws
 * when everything runs already.
 */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { timeouts } from '../../../packages/auth/src/mail/transport.js'
import { makeApplication, ServerProcess } from './server-process.js'

t.setTimeout(900_000)

const memory = { connector: 'memory' }

t.test('a mail server that accepts and never speaks is given up', async t => {
  t.ok(
    timeouts.connectionTimeout <= 10_000 && timeouts.greetingTimeout <= 10_000 && timeouts.socketTimeout <= 30_000,
    'in seconds, where nothing else is said'
  )
  const sockets: Socket[] = []
  const mute = createServer(socket => { sockets.push(socket.on('error', () => {})) }).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  t.teardown(() => { for (const socket of sockets) socket.destroy(); mute.close() })
  const server = await new ServerProcess(
    t,
    makeApplication(t, memory, {
      'server/datasources.json': {
        db: memory,
        mail: {
          connector: 'mail',
          transports: [
            { type: 'smtp', host: '127.0.0.1', port: (mute.address() as AddressInfo).port, greetingTimeout: 700 }
          ]
        }
      },
      'server/model-config.json': { Note: { dataSource: 'db' }, Email: { dataSource: 'mail', public: false } },
      'common/models/note.js': `export default Note => {
      Note.remind = async () => { await Note.app.models.Email.send({ to: 'ann@example.com', from: 'x@example.com', subject: 'x', text: 'x' }) }
      Note.remoteMethod('remind', { http: { verb: 'post', path: '/remind' } })
    }`
    })
  ).ready()
  const reminding = server.send('POST', '/api/Notes/remind')
  t.equal((await server.send('POST', '/api/Notes', { title: 'meanwhile' })).status, 200, 'others are served')
  t.equal((await reminding).status, 500)
  t.equal(sockets.length, 1)
  t.equal(await server.exit('SIGTERM'), 0)
  t.match(server.output, /Greeting never received/, 'the log says why')
})

t.test('a store that never answers: 503 after the time that is set, and a clean end', async t => {
  const server = await new ServerProcess(t, makeApplication(t, memory, {
    'server/config.json': { restApiRoot: '/api', host: '127.0.0.1', server: { handlerTimeout: 2000 } },
    'server/boot/hang.js': 'export default app => { app.dataSources.db.connector.find = () => new Promise(() => {}) }'
  })).ready()
  const hanging = Array.from({ length: 20 }, async () => await server.send('GET', '/api/Notes'))
  t.equal((await server.send('POST', '/api/Notes', { title: 'meanwhile' })).status, 200, 'others are served')
  t.strictSame(new Set((await Promise.all(hanging)).map(({ status }) => status)), new Set([503]))
  t.equal(await server.exit('SIGTERM'), 0)
})

t.test('a boot script that throws late ends the process, and says so once', async t => {
  const server = await new ServerProcess(
    t,
    makeApplication(t, memory, {
      'server/boot/late.js':
        "export default app => { app.on('started', () => setTimeout(() => { throw new Error('too late for this') }, 500)) }"
    })
  ).ready()
  t.equal(await server.exit(), 1)
  t.equal(server.output.match(/the process ends after an error that nothing handled/g)?.length, 1)
  t.match(server.output, /too late for this/)
  t.equal(server.complaints, '')
})

t.test('clients that vanish in the middle of upload, answer and stream cost nothing', async t => {
  const server = await new ServerProcess(t, makeApplication(t, memory)).ready()
  for (let i = 0; i < 50; i++) await server.send('POST', '/api/Notes', { title: `note ${i}`, text: 'x'.repeat(50_000) })
  const { port } = new URL(server.url)
  const files = (): number => readdirSync(`/proc/${server.child.pid}/fd`).length
  const before = process.platform === 'linux' ? files() : 0
  const vanish = async (head: string, answers: boolean): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(head)
    if (answers) await once(socket, 'data')
    else await sleep(20)
    socket.destroy()
  }
  const begin = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\n`
  for (let i = 0; i < 20; i++) {
    await Promise.all([
      vanish(
        `${begin('POST /api/Notes')}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"title":"half`,
        false
      ),
      vanish(
        `${begin('POST /api/Notes')}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"tit\r\n`,
        false
      ),
      vanish(`${begin('GET /api/Notes')}\r\n`, true),
      vanish(`${begin('GET /api/Notes/change-stream')}Accept: text/event-stream\r\n\r\n`, true)
    ])
  }
  t.equal((await server.titles()).length, 50, 'no row of half a body')
  t.equal((await server.send('POST', '/api/Notes', { title: 'last' })).status, 200)
  for (let waited = 0; process.platform === 'linux' && files() > before + 3 && waited < 20_000; waited += 200) {
    await sleep(200)
  }
  if (process.platform === 'linux') t.ok(files() <= before + 3, 'no socket stays open')
  t.equal(await server.exit('SIGTERM'), 0)
  t.notMatch(server.output, /"level":(?:50|60)/, 'and none of it is an error of the server')
})
