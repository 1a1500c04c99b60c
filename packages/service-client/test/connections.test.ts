import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { client, echo, upstream } from './upstream.js'

t.test('connections are kept, or not (LI-1)', async t => {
  let connections = 0
  const { base, server } = await upstream(t, echo)
  server.on('connection', () => { connections++ })
  const call = { name: 'get', method: 'GET', url: base } as const
  const keeping = client(t)
  for (let i = 0; i < 10; i++) await keeping.request(call)
  t.ok(connections <= 2, 'the pool may open a second one before the first is free again')
  connections = 0
  const closing = client(t, { keepAlive: 0 })
  for (let i = 0; i < 10; i++) await closing.request(call)
  t.equal(connections, 10)
})

t.test('no more connections than may be', async t => {
  let open = 0
  let most = 0
  const { base, server } = await upstream(t, (req, res) => { setTimeout(() => { res.end() }, 10) })
  server.on('connection', socket => {
    most = Math.max(most, ++open)
    socket.on('close', () => { open-- })
  })
  const calling = client(t, { maxConnections: 3 })
  await Promise.all(Array.from({ length: 12 }, () => calling.request({ name: 'get', method: 'GET', url: base })))
  t.equal(most, 3)
})

t.test('a proxy is asked: through a tunnel, or for the address (SC-D6)', async t => {
  const { base, port } = await upstream(t, echo)
  const asked: string[] = []
  const proxy = createServer((req, res) => {
    asked.push(`${String(req.method)} ${String(req.url)} ${String(req.headers['proxy-authorization'])}`)
    res.end('from the proxy')
  })
  proxy.on('connect', (req, socket) => {
    asked.push(`CONNECT ${String(req.url)}`)
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
  })
  await new Promise<void>(resolve => { proxy.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { proxy.close().closeAllConnections() })
  const address = `127.0.0.1:${String((proxy.address() as AddressInfo).port)}`
  const call = { name: 'get', method: 'GET', url: `${base}/a?b` } as const
  const tunnel = client(t, { proxy: `http://${address}`, keepAlive: 0 })
  t.match(JSON.parse((await tunnel.request(call)).body.toString()), { url: '/a?b' })
  const plain = client(t, { proxy: `http://ann:pw@${address}`, tunnel: false, keepAlive: 0 })
  t.equal((await plain.request(call)).body.toString(), 'from the proxy')
  const credentials = `Basic ${Buffer.from('ann:pw').toString('base64')}`
  t.strictSame(asked, [`CONNECT 127.0.0.1:${port}`, `GET ${base}/a?b ${credentials}`])
})
