import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { BackChannel, backChannelFault, type BackChannelOptions } from './back-channel.js'

interface Receiver {
  readonly uri: string
  readonly bodies: string[]
  readonly types: unknown[]
}

async function receiver (
  t: Test, respond: (request: IncomingMessage, response: ServerResponse) => void
): Promise<Receiver> {
  const bodies: string[] = []
  const types: unknown[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', part => { body += String(part) })
    request.on('end', () => {
      bodies.push(body)
      types.push(request.headers['content-type'])
      respond(request, response)
    })
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`, bodies, types }
}

type Failures = Array<{ clientId: string, message: string }>

function sender (t: Test, more: Partial<BackChannelOptions> = {}): { channel: BackChannel, failures: Failures } {
  const failures: Failures = []
  const channel = new BackChannel({
    allow: [], production: false, pauses: [20, 20],
    failed: (clientId, { message }) => { failures.push({ clientId, message }) },
    ...more
  })
  t.teardown(() => { channel.close() })
  return { channel, failures }
}

const until = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 400 && !holds(); i++) await new Promise(resolve => setTimeout(resolve, 10))
}
const message = (uri: string): { clientId: string, uri: string, token: () => Promise<string> } =>
  ({ clientId: 'shop', uri, token: async () => 'a.b+c' })

t.test('OI-130: a form with the token, sent once where it is taken', async t => {
  const { uri, bodies, types } = await receiver(t, (_request, response) => { response.end() })
  const { channel, failures } = sender(t)
  channel.send([message(uri)])
  await until(() => bodies.length > 0)
  await new Promise(resolve => setTimeout(resolve, 80))
  t.strictSame(bodies, ['logout_token=a.b%2Bc'])
  t.strictSame(types, ['application/x-www-form-urlencoded'])
  t.strictSame(failures, [])
})

t.test('OI-133: three tries, then a failure; the second may do', async t => {
  const never = await receiver(t, (_request, response) => { response.writeHead(503).end() })
  const { channel, failures } = sender(t)
  channel.send([message(never.uri)])
  await until(() => failures.length > 0)
  t.equal(never.bodies.length, 3)
  t.equal(new Set(never.bodies).size, 1, 'the same token, which clients know by its jti')
  t.match(failures, [{ clientId: 'shop', message: /503/ }])
  const second = await receiver(t, (_request, response) => {
    response.writeHead(second.bodies.length < 2 ? 500 : 204).end()
  })
  channel.send([message(second.uri)])
  await until(() => second.bodies.length === 2)
  t.equal(failures.length, 1)
})

t.test('OI-133: a redirect is not followed', async t => {
  const inner = await receiver(t, (_request, response) => { response.end() })
  const outer = await receiver(t, (_request, response) => { response.writeHead(307, { location: inner.uri }).end() })
  const { channel, failures } = sender(t)
  channel.send([message(outer.uri)])
  await until(() => failures.length > 0)
  t.equal(outer.bodies.length, 3)
  t.equal(inner.bodies.length, 0)
})

t.test('OI-133: a response is not read to its end', async t => {
  let sent = 0
  const endless = await receiver(t, (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => {
      sent += 1024
      response.write('x'.repeat(1024))
    }, 1)
    response.on('close', () => { clearInterval(timer) })
  })
  const { channel, failures } = sender(t)
  channel.send([message(endless.uri)])
  await until(() => sent > 4096)
  await new Promise(resolve => setTimeout(resolve, 100))
  const before = sent
  await new Promise(resolve => setTimeout(resolve, 100))
  t.equal(sent, before, 'the connection is closed')
  t.strictSame(failures, [], 'the client has taken the token')
})

t.test('OI-134: https, or this machine outside production; never what is not public', async t => {
  t.equal(backChannelFault('http://shop.example/x', false), 'it must be https')
  t.equal(backChannelFault('http://127.0.0.1/x', true), 'it must be https')
  t.equal(backChannelFault('http://127.0.0.1/x', false), undefined)
  t.equal(backChannelFault('http://127.0.0.1.shop.example/x', false), 'it must be https')
  t.equal(backChannelFault('https://u@shop.example/x', false), 'it has a user name')
  t.equal(backChannelFault('/x', false), 'it is no absolute URI')
  t.equal(backChannelFault('ftp://shop.example/x', false), 'it must be https')
  const { channel, failures } = sender(t)
  const addresses = [
    'https://10.0.0.1/x', 'https://169.254.169.254/x', 'https://[::1]/x', 'https://[fd00::1]/x', 'https://localhost/x'
  ]
  channel.send(addresses.map(message))
  await until(() => failures.length === addresses.length)
  t.equal(failures.length, addresses.length)
  for (const { message } of failures) t.match(message, /address|ddress/)
})

t.test('many messages go one after the other, and none is lost', async t => {
  let open = 0
  let most = 0
  const slow = await receiver(t, (_request, response) => {
    most = Math.max(most, ++open)
    setTimeout(() => {
      open--
      response.end()
    }, 10)
  })
  const { channel, failures } = sender(t)
  channel.send(Array.from({ length: 100 }, () => message(slow.uri)))
  await until(() => slow.bodies.length === 100 && open === 0)
  t.equal(slow.bodies.length, 100)
  t.ok(most <= 20, `${most} at once`)
  t.strictSame(failures, [])
})

t.test('what waits for its next try ends with the sender, and is reported', async t => {
  const never = await receiver(t, (_request, response) => { response.writeHead(503).end() })
  const { channel, failures } = sender(t, { pauses: [60_000, 60_000] })
  channel.send([message(never.uri)])
  await until(() => never.bodies.length === 1)
  await new Promise(resolve => setTimeout(resolve, 30))
  channel.close()
  await until(() => failures.length > 0)
  t.match(failures, [{ message: 'The server is closing.' }])
  channel.send([message(never.uri)])
  t.equal(failures.length, 2)
})

t.test('OI-133: a process with a message under way can end', async t => {
  const mute = await receiver(t, () => {})
  const file = new URL('../../../dist/openid/logout/back-channel.js', import.meta.url).href
  const script = `const { BackChannel } = await import(${JSON.stringify(file)})
new BackChannel({ allow: [], production: false, failed () {} }).send([
  { clientId: 'a', uri: ${JSON.stringify(mute.uri)}, token: async () => 'x' }])
await new Promise(resolve => setTimeout(resolve, 300))`
  const started = Date.now()
  await promisify(execFile)(process.execPath, ['--conditions=unbundled', '--input-type=module', '-e', script])
  t.equal(mute.bodies.length, 1, 'it was sent')
  t.ok(Date.now() - started < 4000, `${Date.now() - started} ms`)
})
