/** Against the server of the package `soap`, so that both sides are not written by the same hand (TE-2). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { listen } from 'soap'
import t, { type Test } from 'tap'
import { echoTypes, use, wsdl } from './service.js'

type Loose = any

const content = `<xsd:sequence><xsd:element name="Text" type="xsd:string" minOccurs="0"/>
  <xsd:element name="Count" type="xsd:int" minOccurs="0" maxOccurs="unbounded"/>
  <xsd:element name="When" type="xsd:dateTime" minOccurs="0"/></xsd:sequence>`
const description = wsdl(echoTypes(content))
const rpc = description
  .replace('<soap:binding ', '<soap:binding style="rpc" ')
  .replaceAll('use="literal"', 'use="literal" namespace="urn:test"')
  .replace('name="p" element="t:Echo"', 'name="a" type="xsd:int"')
  .replace('name="p" element="t:EchoResponse"', 'name="sum" type="xsd:int"')

async function served (
  t: Test, text: string, echo: (input: Loose, header: Loose) => unknown, authenticate?: (security: Loose) => boolean
): Promise<string> {
  const http = createServer((_, response) => { response.writeHead(404).end() })
  await new Promise<void>(resolve => { http.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    http.closeAllConnections()
    http.close()
  })
  const method = (input: Loose, _callback: unknown, header: Loose): unknown => echo(input, header)
  const server = listen(http, { path: '/service', services: { S: { Port: { Echo: method } } }, xml: text } as Loose)
  if (authenticate !== undefined) server.authenticate = authenticate as Loose
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/service`
}

t.test('document/literal: what goes in comes out', async t => {
  const url = await served(t, description, input => (
    { ...input, ...input?.When && { When: input.When.toISOString() } }
  ))
  const { Model } = await use(t, { url })
  const input = { Text: 'a < b & "c" é', Count: [1, 2], When: new Date('2024-02-03T04:05:06.000Z') }
  const { result } = await Model.Echo(input)
  t.strictSame(result, input)
  t.strictSame((await Model.Echo({ Count: 3 })).result, { Count: [3] })
  t.equal((await Model.Echo({})).result, undefined)
})

t.test('SO-X7: RPC/literal is typed', async t => {
  const url = await served(t, rpc, ({ a }) => ({ sum: Number(a) + 1 }))
  const { Model } = await use(t, { url })
  t.strictSame((await Model.Echo({ a: 1 })).result, { sum: 2 })
})

t.test('SO-F1, SO-F4: faults of both versions', async t => {
  const url = await served(t, description, () => {
    throw { Fault: { faultcode: 'soap:Client', faultstring: 'your mistake' } } // eslint-disable-line no-throw-literal
  })
  await t.rejects((await use(t, { url })).Model.Echo({}), {
    statusCode: 422, code: 'SOAP_CLIENT_FAULT', fault: { code: 'Client', message: 'your mistake' }
  })
  const other = await served(t, description, () => {
    throw { Fault: { Code: { Value: 'soap:Receiver' }, Reason: { Text: 'my mistake' }, statusCode: 500 } } // eslint-disable-line no-throw-literal
  })
  const { Model } = await use(t, { url: other, forceSoapVersion: '1.2' })
  await t.rejects(Model.Echo({}), { statusCode: 502, code: 'SOAP_SERVER_FAULT' })
})

t.test('SO-S1: names and passwords, as text and as a digest', async t => {
  const digest = (nonce: string, created: string): string =>
    createHash('sha1').update(Buffer.from(nonce, 'base64')).update(`${created}s<3`).digest('base64')
  const url = await served(t, description, input => input, security => {
    const { Username, Password, Nonce, Created } = security.UsernameToken
    const isDigest = /Digest$/.test(Password.attributes.Type)
    return Username === 'ann' && Password.$value === (isDigest ? digest(Nonce.$value ?? Nonce, Created) : 's<3') &&
      Number(new Date(security.Timestamp.Expires)) - Number(new Date(security.Timestamp.Created)) === 600_000
  })
  for (const passwordType of ['PasswordText', 'PasswordDigest']) {
    const security = { scheme: 'WS', username: 'ann', password: 's<3', passwordType }
    const { Model } = await use(t, { url, security })
    t.strictSame((await Model.Echo({ Text: 'in' })).result, { Text: 'in' }, passwordType)
    const wrong = await use(t, { url, security: { ...security, password: 'no' } })
    await t.rejects(wrong.Model.Echo({ Text: 'in' }), { name: 'SoapFault' })
  }
})

t.test('headers of envelopes reach it', async t => {
  let seen: Loose
  const url = await served(t, description, (input, header) => {
    seen = header
    return input
  })
  const { Model } = await use(t, { url, soapHeaders: [{ element: { Tenant: 'north' }, namespace: 'urn:h' }] })
  await Model.Echo({})
  t.match(seen, { Tenant: 'north' })
})
