/** WSDLs: how they are found and read, and which methods they make (service-connectors.md, SO-D1 to SO-M2, SC-S4). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { echoTypes, envelope, send, serve, textWsdl, use, wsdl, type Answer } from './service.js'

type Loose = any

const done: Answer = (_, response) => { send(response, envelope('<s:EchoResponse><s:Text>yes</s:Text></s:EchoResponse>')) }
const started = (t: Test, settings: Record<string, unknown>): Promise<unknown> => use(t, settings).then(() => 'started', (error: unknown) => error)

t.test('SO-D2: a WSDL that cannot be had stops the start, and says so', async t => {
  const { url } = await serve(t, '', done)
  t.match(await started(t, { url }), { code: 'FBK_SOAP_WSDL', message: /answered 404.*lazyConnect/ })
  t.match(await started(t, { wsdl: '/nowhere/at.wsdl' }), { code: 'FBK_SOAP_WSDL', message: /ENOENT/ })
  const page = await serve(t, '<html/>', done)
  t.match(await started(t, { url: page.url }), { code: 'FBK_SOAP_WSDL', message: /neither a WSDL/ })
  const entities = await serve(t, `<!DOCTYPE x>${textWsdl}`, done)
  t.match(await started(t, { url: entities.url }), { message: /document type/ }, 'SO-F8')
  const two = await serve(t, '<description xmlns="http://www.w3.org/ns/wsdl"/>', done)
  t.match(await started(t, { url: two.url }), { message: /neither a WSDL 1\.1/ })
  const other = await serve(t, textWsdl.replaceAll('wsdl/soap/', 'wsdl/http/'), done)
  t.match(await started(t, { url: other.url }), { message: /no operation/ })
})

t.test('SO-D2: lazyConnect starts without it, and calls are 503 until it is there', async t => {
  let text = ''
  const { url } = await serve(t, () => text, done)
  const operations = { say: { service: 'S', port: 'Port', operation: 'Echo' } }
  const { Model, warnings, connector } = await use(t, { url, operations, lazyConnect: true })
  t.match(warnings, [/answered 404.*503 until/s])
  await t.rejects(Model.say({}), { statusCode: 503, code: 'SERVICE_UNAVAILABLE' })
  await t.rejects(connector.ping(), { statusCode: 503, code: 'SERVICE_UNAVAILABLE' })
  text = textWsdl
  t.strictSame((await Model.say({})).result, { Text: 'yes' })
  await connector.ping()
})

t.test('SO-D3: imports and includes, over the network and from files', async t => {
  const part = '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"><xsd:simpleType name="T"><xsd:restriction base="xsd:int"/></xsd:simpleType></xsd:schema>'
  const types = '<xsd:include schemaLocation="types/part.xsd"/>' + echoTypes('<xsd:sequence><xsd:element name="Text" type="t:T"/></xsd:sequence>')
  const main = wsdl(types)
  const outer = main.replace(/<service[\s\S]*<\/service>/, '')
  const inner = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:test" targetNamespace="urn:test">
    <import namespace="urn:test" location="outer.wsdl"/><import namespace="urn:test" location="main.wsdl"/>${/<service[\s\S]*<\/service>/.exec(main)?.[0] ?? ''}</definitions>`
  const number: Answer = (_, response) => { send(response, envelope('<s:EchoResponse><s:Text>5</s:Text></s:EchoResponse>')) }
  const documents: Record<string, string> = { '/main.wsdl': inner, '/outer.wsdl': outer, '/types/part.xsd': part }
  const { port } = await serve(t, at => documents[at] ?? '', number)
  const base = `http://127.0.0.1:${String(port)}`
  const { Model } = await use(t, { wsdl: `${base}/main.wsdl`, url: `${base}/service` })
  t.strictSame((await Model.Echo({})).result, { Text: 5 })

  const folder = await mkdtemp(path.join(tmpdir(), 'fastback-soap-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'a.wsdl')
  await writeFile(file, main.replace('types/part.xsd', 'part.xsd'))
  await writeFile(path.join(folder, 'part.xsd'), part)
  const fromFile = await use(t, { wsdl: file, url: `${base}/service` })
  t.strictSame((await fromFile.Model.Echo({})).result, { Text: 5 })
})

t.test('SO-D3, SC-S4: a document from the network names no files and no other hosts', async t => {
  const naming = (location: string): string => wsdl(`<xsd:include schemaLocation="${location}"/>`)
  for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/x', 'http://localhost:1/x.xsd', 'http://169.254.169.254/x.xsd']) {
    const { url } = await serve(t, naming(location), done)
    t.match(await started(t, { url }), { code: 'FBK_SOAP_WSDL', message: /names a file|may not be called/ }, location)
  }
  const { url } = await serve(t, textWsdl.replace('127.0.0.1:1', 'localhost:1'), done)
  const { Model } = await use(t, { wsdl: `${url}?wsdl` })
  await t.rejects(Model.Echo({}), { statusCode: 400, code: 'HOST_NOT_ALLOWED' }, 'nor does it choose where calls go')
})

const port = (name: string, binding: string): string => `<port name="${name}" binding="t:${binding}"><soap:address location="http://127.0.0.1:1/"/></port>`

t.test('SO-M1, SO-M2: names of methods', async t => {
  const two = textWsdl.replace('</service>', `${port('Other', 'B')}</service><service name="S2">${port('Port', 'B')}</service>`)
  const { url } = await serve(t, two, done)
  const own = (Model: Loose): string[] => Object.keys(Model).filter(name => 'jsonToXML' in Object(Model[name]) || name.startsWith('S')).sort()
  t.strictSame(own((await use(t, { url })).Model), ['Echo', 'S2_Port_Echo', 'S_Other_Echo'])
  const operations = { first: { service: 'S', port: 'Port', operation: 'Echo' }, Echo: { service: 'S2', port: 'Port' }, no: { service: 'S', port: 'No' } }
  const mapped = await use(t, { url, operations })
  t.strictSame(own(mapped.Model), ['Echo', 'S_Other_Echo', 'first'])
  t.match(mapped.warnings, [/"operations\.no" names no operation/])
  t.strictSame(own((await use(t, { url, operations, onlyMapped: true })).Model), ['Echo', 'first'])
  const taken = await serve(t, textWsdl.replaceAll('operation name="Echo"', 'operation name="observe"'), done)
  const { Model, warnings } = await use(t, { url: taken.url })
  t.strictSame(own(Model), ['S_Port_observe'], 'what every model has stays')
  t.match(warnings, [/Every model has "observe"/])
})

t.test('a message that is a text, and faults that nobody declares', async t => {
  const types = '<xsd:element name="Echo" type="xsd:string"/><xsd:element name="EchoResponse" type="xsd:int"/>'
  const text = wsdl(types).replace('<output message="t:Out"/>', '<output message="t:Out"/><fault name="f" message="t:None"/>')
  const { url, requests } = await serve(t, text, (_, response) => { send(response, envelope('<s:EchoResponse>7</s:EchoResponse>')) })
  const { Model } = await use(t, { url })
  t.equal((await Model.Echo({ Echo: 'a & b' })).result, 7)
  t.match(requests[0]?.body, /<ns1:Echo xmlns:ns1="urn:test">a &amp; b</)
  await Model.Echo({})
  t.match(requests[1]?.body, /<ns1:Echo xmlns:ns1="urn:test"\/>/)
})

t.test('operations that cannot be written are left out, with a warning', async t => {
  const more = '<operation name="Old"><input message="t:In"/></operation><operation name="Lost"><input message="t:None"/></operation>'
  const bound = '<operation name="Old"><soap:operation/><input><soap:body use="encoded"/></input></operation><operation name="Lost"><input/></operation><operation name="None"/>'
  const text = wsdl(echoTypes('<xsd:sequence/>'), more).replace('</binding>', `${bound}</binding>`)
  const { url } = await serve(t, text, done)
  const { warnings } = await use(t, { url, prettyPrint: true })
  t.match(warnings, [/prettyPrint/, /Port\.Old.*encoding/, /Port\.Lost.*not there/, /Port\.None.*port type/])
})

t.test('settings that are refused', async t => {
  t.match(await started(t, { url: 'http://127.0.0.1:1', NTLMSecurity: {} }), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message: /NTLM/ })
  t.match(await started(t, {}), { message: /"wsdl" or "url"/ })
  t.match(await started(t, { url: 'http://127.0.0.1:1', operations: { a: { service: 'S' } } }), { message: /operations/ })
  t.match(await started(t, { url: 'http://127.0.0.1:1', timeout: 'long' }), { message: /timeout/ })
})
