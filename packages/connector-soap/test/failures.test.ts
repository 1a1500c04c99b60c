/** Services that fail: bounded, with the right status, and never told to clients (SO-F1 to SO-F8, LI-1, SC-S9). */
import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { envelope, send, serve, soap12, textWsdl, use, type Answer } from './service.js'

type Loose = any

const fault11 = (code: string, text: string, detail = ''): string =>
  envelope(`<e:Fault><faultcode>e:${code}</faultcode><faultstring>${text}</faultstring>${detail}</e:Fault>`)

/** The error of one call. */
async function failed (t: Test, answer: Answer, settings: object = {}): Promise<Loose> {
  const { url } = await serve(t, textWsdl, answer)
  const { Model } = await use(t, { url, ...settings })
  try {
    await Model.Echo({ Text: 'secret' })
  } catch (error) {
    return error
  }
  return undefined
}

t.test('SO-F1, SO-F2: faults of SOAP 1.1 and 1.2', async t => {
  const client = await failed(t, (_, response) => { send(response, fault11('Client.Login', 'who?', '<detail><a>1</a></detail>'), 500) })
  t.match(client, {
    name: 'SoapFault',
    code: 'SOAP_CLIENT_FAULT',
    statusCode: 422,
    message: 'faultcode: e:Client.Login faultstring: who? detail: {"a":"1"}',
    fault: { code: 'Client.Login', message: 'who?', detail: { a: '1' } },
    response: { statusCode: 500 },
    body: /Fault/,
    root: { Envelope: { Body: { Fault: { faultstring: 'who?' } } } }
  })
  t.strictSame(Object.keys(client).sort(), ['code', 'details', 'fault', 'statusCode'], 'logs do not copy what was answered')
  const sender = await failed(t, (_, response) => {
    send(response, envelope('<e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text>you</e:Text></e:Reason></e:Fault>', soap12), 400)
  })
  t.match(sender, { statusCode: 422, fault: { code: 'Sender', message: 'you', detail: undefined } })
  t.match(await failed(t, (_, response) => { send(response, fault11('Server', 'me')) }), { statusCode: 502, code: 'SOAP_SERVER_FAULT' })
  t.match(await failed(t, (_, response) => { send(response, fault11('MustUnderstand', 'x')) }), { statusCode: 502 })
})

t.test('SO-F6, SO-F8: what is no envelope is a 502', async t => {
  const bomb = `<!DOCTYPE l [${Array.from({ length: 20 }, (_, at) => `<!ENTITY e${String(at)} "&e${String(at - 1)};&e${String(at - 1)};">`).join('')}]>`
  const bodies: Array<[string, number]> = [
    ['', 200], ['', 500], ['', 401], ['{"a":1}', 200], ['<html><p>Bad gateway</html>', 502], ['<e:Envelope xmlns:e="x"><e:Body>', 200],
    ['<a/>', 200], [envelope('').replace('e:Body', 'e:Buddy'), 200], [`${bomb}${envelope('&e19;')}`, 200], [envelope('&xx;'), 200],
    [envelope('<a>'.repeat(200) + '</a>'.repeat(200)), 200], ['\u0000\u0001', 200]
  ]
  for (const [body, status] of bodies) {
    const error = await failed(t, (_, response) => { send(response, body, status) })
    t.match(error, { statusCode: 502, code: 'BAD_GATEWAY', response: { statusCode: status }, body: String }, body.slice(0, 40))
  }
  t.match(await failed(t, (_, response) => { send(response, '--x', 200, 'multipart/related; boundary=y') }), { code: 'BAD_GATEWAY' })
  t.match(await failed(t, (_, response) => { send(response, envelope(''), 200, 'text/xml; charset=nonsense') }), undefined)
})

t.test('SO-F7: services that are slow, dead, cut off or too large', async t => {
  t.match(await failed(t, () => {}, { timeout: 200 }), { statusCode: 504, code: 'GATEWAY_TIMEOUT' })
  t.match(await failed(t, () => {}, { requestOptions: { timeout: 200 } }), { statusCode: 504 })
  t.match(await failed(t, (_, response) => { response.socket?.destroy() }), { statusCode: 502, code: 'BAD_GATEWAY' })
  const half = (_: unknown, response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': '1000', 'content-type': 'text/xml' })
    response.write('<e:Envelope')
    setTimeout(() => response.socket?.destroy(), 20)
  }
  t.match(await failed(t, half), { statusCode: 502, code: 'BAD_GATEWAY' })
  const before = process.memoryUsage().rss
  let sent = 0
  const endless = (_: unknown, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/xml' })
    const more = (): void => {
      while (sent < 100e6 && !response.destroyed) {
        sent += 65536
        if (!response.write('x'.repeat(65536))) return
      }
      response.end()
    }
    response.on('drain', more)
    more()
  }
  t.match(await failed(t, endless), { statusCode: 502, code: 'BAD_GATEWAY' })
  t.ok(process.memoryUsage().rss - before < 80e6, '100 MB are not held')
})

t.test('LI-1: time and size of one call, and of the next', async t => {
  let isSlow = true
  const { url } = await serve(t, textWsdl, (_, response) => { if (!isSlow) send(response, envelope('<s:EchoResponse/>')) })
  const { Model } = await use(t, { url })
  await t.rejects(Model.Echo({}, { timeout: 100 }), { statusCode: 504, code: 'GATEWAY_TIMEOUT' })
  isSlow = false
  t.equal((await Model.Echo({}, { timeout: 1000 })).result, undefined, 'it recovers by itself')
})

t.test('SO-F1: the callback gets what was answered', async t => {
  const { url } = await serve(t, textWsdl, (_, response) => { send(response, fault11('Server', 'x'), 500) })
  const { Model } = await use(t, { url })
  const given = await new Promise<unknown[]>(resolve => { Model.Echo({}, (...args: unknown[]) => { resolve(args) }) })
  t.match(given, [{ code: 'SOAP_SERVER_FAULT' }, { Envelope: {} }, /Fault/])
})
