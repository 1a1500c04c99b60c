/** Addresses that this server calls on a stranger's word: S-83. */
import { createServer as httpServer, get, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { isGlobalUnicast, Outgoing } from '@fastback/core/outgoing'
import tap, { type Test } from 'tap'
import { attack, type Attacked } from './harness.js'
import { post } from './oauth-client.js'

/** The first and the last address of each network that nobody outside may make this server call. */
const inward = [
  '0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1',
  '127.255.255.255', '169.254.0.0', '169.254.169.254', '172.16.0.0', '172.31.255.255',
  '192.0.0.0', '192.0.0.255', '192.0.2.1', '192.88.99.1', '192.168.0.0', '192.168.255.255', '198.18.0.0',
  '198.19.255.255', '198.51.100.7', '203.0.113.255', '224.0.0.1', '239.255.255.255',
  '240.0.0.0', '255.255.255.255',
  '::', '::1', '::7f00:1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1', '100::1',
  '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1',
  '2001:db8::1', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002::', '2002:ffff:ffff::1',
  '3fff::1', '3fff:fff::1', '5f00::1', 'fc00::1', 'fdff:ffff::1', 'fe80::1', 'febf::1', 'fec0::1', 'feff:ffff::1',
  'ff02::1', 'ff0e::1', '4000::1', '1fff::1', 'fe80::1%lo', '2600::1%1'
]
/** Their neighbours, and others that everybody calls. */
const outward = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1',
  '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255',
  '192.0.1.0', '192.0.3.0', '192.88.98.1', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0',
  '203.0.112.255', '203.0.114.0', '223.255.255.255',
  '2001:200::1', '2001:4860:4860::8888', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2600::1', '2606:4700::1111',
  '2a00:1450:4001::1', '3ffe::1'
]

/** A server that counts who came. */
async function counting (t: Test): Promise<{ server: Server, port: number, count (): number }> {
  let count = 0
  const server = createServer(socket => { count++; socket.on('error', () => {}).destroy() })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.close() })
  return { server, port: (server.address() as AddressInfo).port, count: () => count }
}

const ask = async (url: string, { http }: Outgoing): Promise<IncomingMessage> =>
  await new Promise((resolve, reject) => {
    get(url, { agent: http }, answer => { answer.resume(); resolve(answer) }).on('error', reject)
  })

tap.test('S-83 only global unicast addresses are called', async t => {
  // Seen to fail: core/outgoing/networks.ts with a list of refusals only, as oauth2 had it (fec0::/10, IPv4-compatible
  // …)
  const outgoing = new Outgoing()
  for (const address of inward) t.equal(isGlobalUnicast(address) || outgoing.permits(address), false, address)
  for (const address of outward) t.ok(outgoing.permits(address), address)
  for (const none of ['', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '8.8.8.8/32',
    'x:y::']) t.equal(outgoing.permits(none), false, `no address: ${none}`)
})

tap.test('S-83 an application allows what it means', async t => {
  // Seen to fail: permits of core/outgoing/outgoing.ts without the allowed networks
  const outgoing = new Outgoing({ allow: ['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1'] })
  for (const address of ['10.1.0.1', '10.1.255.255', 'fd00:1::7', '127.0.0.1',
    '8.8.8.8']) t.ok(outgoing.permits(address), address)
  for (const address of ['10.2.0.1', 'fd00:2::7', '127.0.0.2', '::1', '192.168.0.1']) {
    t.notOk(outgoing.permits(address),
      address)
  }
  for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0/8', '::/129', '', 'fe80::1%lo', '10.0.0.0/x']) {
    t.throws(() =>
      new Outgoing({ allow: [wrong] }), { code: 'FBK_CORE_INVALID_NETWORK' }, wrong)
  }
})

tap.test('S-83 judged when the connection is made: literals, names, mixed and changing answers, every hop', async t => {
  // Seen to fail: core/outgoing/outgoing.ts without judging literals; lookup without the filter
  const { port, count } = await counting(t)
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'localhost', '2130706433', '0x7f.1',
    '0177.0.0.1', '127.1', '0']) {
    await t.rejects(ask(`http://${host}:${port}/`, new Outgoing()), { code: 'FBK_CORE_FORBIDDEN_ADDRESS' }, host)
  }
  let asked = 0
  const answers = [['127.0.0.1'], ['::1', '10.0.0.1', 'fec0::1'], ['2002:7f00:1::']]
  const changing = new Outgoing({
    resolve: (_name, _options,
      done) => {
      done(null, (answers[asked++ % answers.length] as string[]).map(address => ({
        address,
        family: address.includes(':') ? 6 : 4
      })))
    }
  })
  for (let i = 0; i < 3; i++) {
    await t.rejects(ask(`http://rebinding.test:${port}/`, changing),
      { code: 'FBK_CORE_FORBIDDEN_ADDRESS' })
  }
  t.equal(asked, 3, 'each connection looks the name up')
  const found = await new Promise(resolve => {
    const mixed = new Outgoing({
      resolve: (_name, _options,
        done) => {
        done(null, [{ address: '127.0.0.1', family: 4 }, { address: '8.8.8.8', family: 4 },
          { address: 'fd00::1', family: 6 }])
      }
    })
    mixed.lookup('mixed.test', { all: true }, (_error, addresses) => { resolve(addresses) })
  })
  t.strictSame(found, [{ address: '8.8.8.8', family: 4 }], 'only what may be called is left of a mixed answer')
  t.equal(count(), 0, 'nobody came')

  const first = httpServer((_request, response) => {
    response.writeHead(302,
      { location: `http://127.0.0.2:${port}/` }).end()
  })
  await new Promise<void>(resolve => { first.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { first.close() })
  const allowed = new Outgoing({ allow: ['127.0.0.1'] })
  const { headers } = await ask(`http://localhost:${(first.address() as AddressInfo).port}/`, allowed)
  t.ok(headers.location, 'what is allowed is called')
  await t.rejects(ask(headers.location as string, allowed), { code: 'FBK_CORE_FORBIDDEN_ADDRESS' },
    'where it leads is judged anew')
  t.equal(count(), 0)
})

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A client with a key set somewhere says who it is. The key set is fetched before the signature is looked at. */
async function assert ({ send, models }: Attacked, id: string, host: string, port: number): Promise<number> {
  await models.OAuthClientApplication?.create({ id, name: 'x', jwksURI: `https://${host}:${port}/keys` })
  const claims = { iss: id, sub: id, aud: 'x', exp: Math.floor(Date.now() / 1000) + 60, jti: id }
  const assertion = [{ alg: 'RS256' }, claims, {}].map(encoded).join('.')
  return (await post(send, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion
  })).status
}

tap.test('S-83 P-34 a key set of a client is not fetched from beside this server', async t => {
  // Seen to fail: remote-keys.ts of oauth2 without `agent`; the last line with a provider that does not hand
  // `allowedNetworks` on
  const { port, count } = await counting(t)
  const server = await attack(t, 'granted', 'memory')
  const hosts = ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '2130706433', '0x7f.1', '[::7f00:1]',
    '[2002:7f00:1::]', '[fec0::1]', '[64:ff9b::7f00:1]']
  for (const [i, host] of hosts.entries()) t.equal(await assert(server, `client${i}`, host, port), 400, host)
  t.equal(count(), 0, 'nobody came')
  t.equal(await assert(await attack(t, 'granted', 'memory', { env: 'lenient' }), 'client', '127.0.0.1', port), 400)
  t.equal(count(), 1, 'the application allows it')
})
