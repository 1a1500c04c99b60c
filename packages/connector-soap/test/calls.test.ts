/** Calls of operations in JavaScript (service-connectors.md, SO-M4 to SO-M8, SO-S2, SO-X5, SO-X8). */
import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { envelope, send, serve, soap12, textWsdl, use, type Request } from './service.js'

type Loose = any

/** Answers what came as `Text`, with the headers of the envelope. */
const echo = ({ body, headers }: Request, response: Loose): void => {
  const header = /Header>(.*)<\/\w+:Header/.exec(body)?.[1] ?? ''
  const seen = JSON.stringify({ header, action: headers.soapaction, type: headers['content-type'], x: headers['x-own'] })
  send(response, envelope(`<s:EchoResponse><s:Text>${seen.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</s:Text></s:EchoResponse>`))
}
const seen = ({ result }: Loose): Loose => JSON.parse(result.Text)

t.test('SO-M4: a promise, a callback, options and headers of one call', async t => {
  const { url } = await serve(t, textWsdl, echo)
  const { Model } = await use(t, { url, httpHeaders: { 'X-Own': 'all' } })
  t.match(await Model.Echo({ Text: 'x' }), { result: { Text: String }, envelope: /Envelope/, soapHeader: undefined })
  t.equal(seen(await Model.Echo({})).x, 'all')
  t.equal(seen(await Model.Echo({}, {}, { 'x-own': 'one' })).x, 'one')
  t.equal(seen(await Model.Echo({}, undefined, {}, { 'X-Own': 'one' })).x, 'one')
  t.match(seen(await Model.Echo()), { action: '"urn:echo"', type: 'text/xml; charset=utf-8' })
  const given = await new Promise<unknown[]>(resolve => {
    t.equal(Model.Echo({ Text: 'x' }, (...args: unknown[]) => { resolve(args) }, {}, { 'x-own': 'cb' }), undefined)
  })
  t.match(given, [null, { Text: /cb/ }, /Envelope/, undefined])
})

t.test('SO-S2, SO-M6: headers of envelopes, escaped, for one call or all', async t => {
  const { url } = await serve(t, textWsdl, echo)
  const soapHeaders = [{ element: { Tenant: '<a & b>', Twice: ['1', '2'] }, prefix: 'p', namespace: 'urn:h' }, '<Raw xmlns="urn:h"/>']
  const { Model } = await use(t, { url, soapHeaders })
  const all = '<ns1:Tenant xmlns:ns1="urn:h">&lt;a &amp; b&gt;</ns1:Tenant><ns1:Twice xmlns:ns1="urn:h">1</ns1:Twice>' +
    '<ns1:Twice xmlns:ns1="urn:h">2</ns1:Twice><Raw xmlns="urn:h"/>'
  t.equal(seen(await Model.Echo({})).header, all)
  t.equal(seen(await Model.Echo({}, { soapHeaders: ['<A/>', '<B/>'] })).header, '<A/><B/>')
  t.equal(seen(await Model.Echo({}, {}, { soapHeaders: '<C/>' })).header, '<C/>')
  t.equal(seen(await Model.Echo({})).header, all, 'the next call has those of the data source')
})

t.test('SO-X5: versions, actions, prefixes as the data source says', async t => {
  const { url, requests } = await serve(t, textWsdl, echo)
  const one = await use(t, { url, soapAction: 'urn:own', envelopeKey: 'env' })
  t.equal(seen(await one.Model.Echo({})).action, '"urn:own"')
  t.match(requests.at(-1)?.body, /^<\?xml .*?<env:Envelope /)
  const two = await use(t, { url, forceSoapVersion: '1.2' })
  t.strictSame(seen(await two.Model.Echo({})), { header: '', type: 'application/soap+xml; charset=utf-8' })
  t.match(requests.at(-1)?.body, soap12)
})

t.test('SO-M7: XML of inputs, and values of envelopes', async t => {
  const { url } = await serve(t, textWsdl, echo)
  const { Model } = await use(t, { url })
  t.equal(Model.Echo.jsonToXML({ Text: 'a & b' }), Model.jsonToXML('Echo', { Text: 'a & b' }))
  t.match(Model.Echo.jsonToXML({ Text: 'a & b' }), /<ns1:Text>a &amp; b</)
  t.strictSame(Model.xmlToJSON('Echo', `noise${envelope('<s:R a="1"><s:N>7</s:N></s:R>')}`), { $attributes: { a: '1' }, N: '7' })
  t.throws(() => Model.Echo.xmlToJSON('<a/>'), /envelope/)
  t.throws(() => Model.jsonToXML('Nothing', {}), { code: 'SERVICE_UNAVAILABLE' })
})

t.test('SO-M8: observers change requests and answers, and end them', async t => {
  const { url, requests } = await serve(t, textWsdl, echo)
  const { Model, connector } = await use(t, { url })
  const told: Loose[] = []
  connector.observe('before execute', async (ctx: Loose) => {
    told.push(ctx.req.method)
    ctx.req.headers['x-own'] = 'observer'
  })
  const after = (ctx: Loose, next: () => void): void => {
    ctx.res.body = ctx.res.body.replace('observer', 'edited')
    next()
  }
  connector.observe('after execute', after)
  t.equal(seen(await Model.Echo({})).x, 'edited')
  connector.removeObserver('after execute', after)
  connector.observe('after execute', (ctx: Loose, next: () => void) => {
    ctx.results = [ctx.res, envelope('<s:EchoResponse><s:Text>set</s:Text></s:EchoResponse>')]
    next()
  })
  t.strictSame((await Model.Echo({})).result, { Text: 'set' })
  const before = requests.length
  connector.observe('before execute', (ctx: Loose) => { ctx.end(null, { statusCode: 200, headers: {} }, envelope('<s:EchoResponse/>')) })
  t.equal((await Model.Echo({})).result, undefined)
  connector.observe('before execute', () => { throw Object.assign(new Error('no'), { statusCode: 403 }) })
  connector.clearObservers('after execute')
  t.equal(requests.length, before, 'the service is not asked')
  t.strictSame(told, ['POST', 'POST', 'POST'])
})

t.test('SO-M8: the client that LoopBack gave', async t => {
  const { url } = await serve(t, textWsdl, echo)
  const { Model, connector } = await use(t, { url })
  await Model.Echo({ Text: 'last' })
  t.match(connector.client.lastRequest, /last/)
  t.match(connector.client.lastResponse, /EchoResponse/)
  t.strictSame(connector.client.wsdl.services, { S: { ports: { Port: { location: 'http://127.0.0.1:1/service' } } } })
  t.match(connector.client.describe().S.Port.Echo, { input: { properties: { Text: {} } }, output: { type: 'object' } })
})

t.test('SO-F9: parts go out and come in', async t => {
  const { url, requests } = await serve(t, textWsdl, (_request, response) => {
    const body = envelope('<s:EchoResponse><s:Text><x:Include xmlns:x="http://www.w3.org/2004/08/xop/include" href="cid:pic@1"/></s:Text></s:EchoResponse>')
    const parts = ['--b', 'Content-Type: application/xop+xml; charset=utf-8', 'Content-ID: <root>', '', body,
      '--b', 'Content-Type: image/png', 'Content-ID: <pic@1>', '', '\u00ff\r\n\u0000', '--b--', '']
    response.writeHead(200, { 'content-type': 'multipart/related; type="application/xop+xml"; start="<root>"; boundary=b' })
    response.end(Buffer.from(parts.join('\r\n'), 'latin1'))
  })
  const { Model } = await use(t, { url })
  const attachments = [{ mimetype: 'image/png', contentId: 'a', name: 'a".png\r\nx: y', body: Buffer.from('bytes') }]
  t.strictSame((await Model.Echo({ Text: 'x' }, { attachments })).result, { Text: Buffer.from([255, 13, 10, 0]) })
  const { headers, body } = requests[0] as Request
  t.match(headers['content-type'], /^multipart\/related; type="application\/xop\+xml"; start="<.+>"; start-info="text\/xml"; boundary="/)
  t.match(body, /Content-ID: <a>\r\nContent-Disposition: attachment; filename="a.pngx: y"\r\n\r\nbytes\r\n--/)
})

t.test('SO-D1: a file below the working directory, else below the folder of the application', async t => {
  const { url } = await serve(t, '', echo)
  const folder = await mkdtemp(path.join(tmpdir(), 'fastback-soap-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'own.wsdl'), textWsdl)
  const { Model } = await use(t, { url, wsdl: path.join(folder, 'own.wsdl') })
  t.ok(await Model.Echo({}))
})
