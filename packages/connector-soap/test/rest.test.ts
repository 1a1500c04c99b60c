/** The methods over REST: shared, described, typed, and what a client is told (SO-M3, SO-M5, SO-F3 to SO-F5, SC-S6). */
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import core from '@fastback/core'
import explorer from '@fastback/explorer'
import rest from '@fastback/rest'
import { soapConnector } from '@fastback/connector-soap'
import { echoTypes, envelope, send, serve, wsdl, type Answer } from './service.js'

const types = echoTypes(`<xsd:sequence><xsd:element name="Text" type="xsd:string"/>
  <xsd:element name="Size" type="xsd:long" minOccurs="0"/>
  <xsd:element name="Kind" minOccurs="0"><xsd:simpleType><xsd:restriction base="xsd:string"><xsd:enumeration value="a"/><xsd:enumeration value="b"/></xsd:restriction></xsd:simpleType></xsd:element>
  <xsd:element name="At" type="xsd:dateTime" minOccurs="0" maxOccurs="unbounded"/></xsd:sequence><xsd:attribute name="unit" type="xsd:string"/>`)

async function app (t: Test, answer: Answer, settings: object = {}): Promise<FastifyInstance> {
  const { url } = await serve(t, wsdl(types), answer)
  const made = Fastify()
  await made.register(core, {
    dataSources: { stock: { connector: soapConnector, url, remotingEnabled: true, ...settings } },
    definitions: [{ name: 'Thing', base: 'Model' }],
    models: { Thing: { dataSource: 'stock', public: true } }
  })
  // Routes are made of the methods that are there when "rest" is registered.
  await made.registry.connect()
  await made.register(rest, { prefix: '/api' })
  await made.register(explorer, { prefix: '/explorer' })
  t.teardown(() => made.close())
  await made.ready()
  return made
}

const post = (made: FastifyInstance, payload: object | string) =>
  made.inject({ method: 'POST', url: '/api/Things/Echo', headers: { 'content-type': 'application/json' }, payload })

const fault = (code: string, text: string): Answer => (_, response) => {
  send(response, envelope(`<e:Fault><faultcode>e:${code}</faultcode><faultstring>${text}</faultstring><detail><d>inner</d></detail></e:Fault>`), 500)
}

t.test('SO-M3, SO-M5: POST with the input as its body, and nothing else', async t => {
  const made = await app(t, (_, response) => {
    send(response, envelope('<s:EchoResponse unit="m"><s:Text>x</s:Text><s:At>2024-02-03T04:05:06Z</s:At></s:EchoResponse>'))
  })
  const answer = await post(made, { Text: 'x' })
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { $attributes: { unit: 'm' }, Text: 'x', At: ['2024-02-03T04:05:06.000Z'] })
  t.equal((await made.inject('/api/Things/Echo')).statusCode, 404)
  t.equal((await made.inject({ method: 'POST', url: '/api/Things/Echo' })).statusCode, 400, 'the body is required')
  t.equal((await post(made, { Size: {} })).statusCode, 422)
  t.equal((await post(made, { Text: 'a\u0000b' })).json().error.code, 'INVALID_SOAP_INPUT')
})

t.test('SO-M3: without remotingEnabled there are no routes', async t => {
  const made = await app(t, () => {}, { remotingEnabled: false })
  t.equal((await post(made, {})).statusCode, 404)
})

t.test('SC-S6: ready XML is not taken from callers', async t => {
  const made = await app(t, () => { t.fail('the service is asked') })
  for (const payload of [{ $xml: '<a/>' }, { Text: { $xml: '<a/>' } }, { At: [{ $xml: '' }] }, '{"At":[{"x":{"$xml":1}}]}']) {
    const answer = await post(made, payload)
    t.ok(answer.statusCode === 400 || answer.statusCode === 422, answer.body)
  }
  t.equal((await post(made, { $xml: '<a/>' })).json().error.code, 'INVALID_SOAP_INPUT')
})

t.test('SO-F4, SO-F5: what a client is told of faults', async t => {
  const ours = await post(await app(t, fault('Client', 'x'.repeat(3000))), { Text: 'x' })
  t.equal(ours.statusCode, 422)
  t.strictSame(ours.json(), {
    error: { statusCode: 422, name: 'SoapFault', message: 'x'.repeat(2000), code: 'SOAP_CLIENT_FAULT' }
  })
  const theirs = await post(await app(t, fault('Server', 'secret')), { Text: 'x' })
  t.strictSame(theirs.json(), { error: { statusCode: 502, message: 'Bad Gateway', code: 'BAD_GATEWAY' } })
})

t.test('the description has the types of the WSDL', async t => {
  const made = await app(t, () => {}, { longs: 'text' })
  const { paths, components } = (await made.inject('/explorer/openapi.json')).json()
  const { summary, description, requestBody, responses } = paths['/Things/Echo']?.post ?? paths['/api/Things/Echo'].post
  t.match(`${String(summary)} ${String(description)}`, /Says it again/)
  const schema = requestBody.content['application/json'].schema
  const resolved = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)]
  t.match(resolved, {
    properties: {
      $attributes: { properties: { unit: { type: ['string', 'number', 'boolean'] } } },
      Text: { type: ['string', 'number', 'boolean', 'null'] },
      Size: {},
      Kind: { enum: ['a', 'b', null] },
      At: { anyOf: Array }
    }
  })
  t.match(responses[200].content['application/json'].schema, { properties: { Size: { type: 'string' }, At: { type: 'array' } } })
  t.hasProps(responses, ['204', '422', '502', '503', '504'])
})
