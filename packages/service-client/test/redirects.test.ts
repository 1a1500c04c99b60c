import type { LookupAddress } from 'node:dns'
import t from 'tap'
import type { ServiceClient } from '@fastback/service-client'
import { client, echo, upstream } from './upstream.js'

const get = async (calling: ServiceClient, url: string, more: object = {}) =>
  await calling.request({ name: 'get', method: 'GET', url, ...more })

/** `/301?to` answers a redirect there, everything else an echo. */
const moving = (req: any, res: any): void => {
  const [, status, to] = /^\/(3\d\d)\?(.*)$/.exec(req.url) ?? []
  if (status === undefined) return echo(req, res)
  res.writeHead(Number(status), { location: decodeURIComponent(to as string) })
  res.end()
}

t.test('GET follows redirects, others do not unless all are followed (SC-E5)', async t => {
  const { base, seen } = await upstream(t, moving)
  const calling = client(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const { statusCode, url } = await get(calling, `${base}/${status}?/there`)
    t.strictSame([statusCode, url], [200, `${base}/there`])
    t.equal((await get(calling, `${base}/${status}?/there`, { followRedirect: false })).statusCode, status)
    t.equal((await get(calling, `${base}/${status}?/there`, { method: 'POST', body: 'a' })).statusCode, status)
  }
  const all = { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain' }, followAllRedirects: true }
  const sent = async (status: number) => JSON.parse((await get(calling, `${base}/${status}?/there`, all)).body.toString())
  t.match(await sent(302), { method: 'GET', body: '', headers: { 'content-type': undefined } })
  t.match(await sent(307), { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain' } })
  seen.length = 0
  await t.rejects(get(calling, `${base}/302?${encodeURIComponent('/302?/302')}`, { maxRedirects: 0 }), { code: 'BAD_GATEWAY' })
})

t.test('a redirect without end is 502', async t => {
  const { base, seen } = await upstream(t, (req, res) => { res.writeHead(302, { location: '/loop' }).end() })
  await t.rejects(get(client(t), base), { statusCode: 502, message: /more than 10 redirects/ })
  t.equal(seen.length, 11)
})

t.test('credentials stay with their origin', async t => {
  const other = await upstream(t, echo)
  const { base } = await upstream(t, moving)
  const headers = { Authorization: 'Bearer abc', Cookie: 'a=1', 'x-city': 'Oslo' }
  const there = await get(client(t), `${base}/302?${encodeURIComponent(`${other.base}/x`)}`, { headers })
  const { authorization, cookie, 'x-city': city } = JSON.parse(there.body.toString()).headers
  t.strictSame({ authorization, cookie, city }, { authorization: undefined, cookie: undefined, city: 'Oslo' })
  const here = await get(client(t), `${base}/302?/x`, { headers })
  t.match(JSON.parse(here.body.toString()).headers, { authorization: 'Bearer abc', cookie: 'a=1' })
})

t.test('redirects to other hosts, schemes and addresses are refused (SC-S4, TE-4)', async t => {
  const { base, seen, port } = await upstream(t, moving)
  const targets = [
    `http://localhost:${port}/x`, 'http://169.254.169.254/latest', `http://[::1]:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`,
    'http://0.0.0.0/', 'file:///etc/passwd', 'http://'
  ]
  for (const target of targets) {
    const call = get(client(t, { allowHosts: ['*.example.org'] }), `${base}/302?${encodeURIComponent(target)}`)
    await t.rejects(call, { statusCode: 502, code: 'BAD_GATEWAY' }, target)
  }
  t.equal(seen.length, targets.length, 'only the first requests were sent')
  const named = get(client(t, { allowHosts: ['localhost'] }), `${base}/302?${encodeURIComponent(`http://localhost:${port}/x`)}`)
  t.equal((await named).statusCode, 200, 'unless the configuration names the host')
})

t.test('hosts of callers must be allowed, and their addresses public when they are connected to', async t => {
  const { port, seen } = await upstream(t, echo)
  let addresses: LookupAddress[] = []
  const looked: string[] = []
  const resolve = (name: string, options: unknown, callback: (error: null, found: LookupAddress[]) => void): void => {
    looked.push(name)
    callback(null, addresses)
  }
  const calling = client(t, { allowHosts: ['*.example.org', '10.9.8.7'], timeout: 300 }, { resolve })
  const foreign = async (host: string, found: string[] = []) => {
    addresses = found.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    return await get(calling, `http://${host}:${port}/`, { foreignHost: true })
  }
  for (const host of ['127.0.0.1', 'localhost', 'example.org', 'example.org.evil.test', '2130706433', 'a.example.org@evil.test']) {
    await t.rejects(foreign(host), { statusCode: 400, code: 'HOST_NOT_ALLOWED' }, host)
  }
  t.strictSame(looked, [])
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1', '0.0.0.0', '224.0.0.1']) {
    await t.rejects(foreign('a.example.org', [address]), { statusCode: 502, code: 'BAD_GATEWAY' }, address)
  }
  t.strictSame(seen, [], 'nothing was sent, whatever the name led to when it was connected to')
  const named = await foreign('10.9.8.7').catch((error: unknown) => error)
  t.match(named, { statusCode: /50[24]/ }, 'a private address that the configuration names is called')
})
