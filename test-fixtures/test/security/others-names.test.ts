/** Names that others write are members of an object of their own, and of nothing else: S-162. */
import t from 'tap'
import { serve as serveSoap, textWsdl, use as useSoap } from '../../../packages/connector-soap/test/service.js'
import { use as useOpenApi } from '../../../packages/connector-openapi/test/service.js'

interface Client { describe (): Record<string, Record<string, object>>, readonly wsdl: { services: object } }

const isPolluted = (name: string): boolean => name in {}

t.test('S-162 tags of a description of an API', async t => {
  // Seen to fail: `apis` of connector-openapi made of plain objects; every object of the process had the functions
  const operation = (tag: string, operationId: string): object =>
    ({ get: { tags: [tag], operationId, responses: { 200: { description: 'found' } } } })
  const { connector, Model } = await useOpenApi(t, {
    spec: {
      openapi: '3.1.0',
      info: { title: 'Zoo', version: '1' },
      servers: [{ url: 'http://127.0.0.1:1' }],
      paths: {
        '/a': operation('__proto__', 'polluted'), '/b': operation('constructor', 'assign'), '/c': operation('pets', 'list'),
        '/d': operation('pets', 'then'), '/e': operation('pets', 'toJSON')
      }
    }
  })
  t.teardown(() => { delete (Object.prototype as { polluted?: unknown }).polluted })
  const { apis } = connector as { apis: Record<string, Record<string, unknown>> }
  t.notOk(isPolluted('polluted'))
  t.strictSame(Object.keys(apis).sort(), ['__proto__', 'constructor', 'pets'])
  t.type(apis.pets?.list, Function, 'a tag like any other')
  t.match(Object.assign.toString(), /native code/)
  t.type(Model.list, Function)
  t.equal(Model.then, undefined, 'a model is no promise')
  t.equal(await Promise.resolve(Model), Model)
  t.type(Model.thenGet ?? Model.pets_then, Function, 'such operations have other names')
  t.equal(Model.toJSON, undefined)
})

t.test('S-162 services, ports and operations of a WSDL', async t => {
  // Seen to fail: `describe` and `wsdl` of the client of connector-soap made of plain objects
  t.teardown(() => {
    for (const name of ['polluted', 'Port']) Reflect.deleteProperty(Object.prototype, name)
  })
  const names = [['__proto__', 'polluted'], ['S', '__proto__'], ['constructor', 'prototype'], ['S', 'Port']] as const
  for (const [service, port] of names) {
    const text = textWsdl.replace('<service name="S">', `<service name="${service}">`)
      .replace('<port name="Port"', `<port name="${port}"`)
    const { url } = await serveSoap(t, text, () => {})
    const { connector } = await useSoap(t, { url })
    const { client } = connector as { client: Client }
    const described = client.describe()
    t.strictSame(Object.keys(described), [service])
    t.strictSame(Object.keys(described[service] ?? {}), [port])
    t.strictSame(Object.keys(client.wsdl.services), [service])
    for (const name of ['polluted', 'Echo', 'location']) t.notOk(isPolluted(name), `${service} ${port}: ${name}`)
  }
})
