/** A SOAP service of `node:http` for tests, and models over it. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ModelRegistry } from '@fastback/core'
import { soapConnector } from '@fastback/connector-soap'

interface Test { teardown (work: () => unknown): void }

export interface Request { readonly url: string, readonly body: string, readonly headers: IncomingHttpHeaders }
export type Answer = (request: Request, response: ServerResponse) => unknown

export interface Service {
  readonly url: string
  readonly port: number
  readonly requests: Request[]
}

export const soap11 = 'http://schemas.xmlsoap.org/soap/envelope/'
export const soap12 = 'http://www.w3.org/2003/05/soap-envelope'

export const envelope = (body: string, uri = soap11): string =>
  `<e:Envelope xmlns:e="${uri}" xmlns:s="urn:test"><e:Body>${body}</e:Body></e:Envelope>`

async function bodyOf (request: IncomingMessage): Promise<string> {
  request.setEncoding('latin1')
  let text = ''
  for await (const chunk of request) text += chunk
  return Buffer.from(text, 'latin1').toString()
}

/** Serves the WSDL to GET, and `answer` to POST. */
export async function serve (t: Test, wsdl: string | ((url: string) => string), answer: Answer): Promise<Service> {
  const requests: Request[] = []
  const server = createServer(async (req, res) => {
    const url = req.url ?? ''
    if (req.method === 'GET') {
      const text = typeof wsdl === 'string' ? wsdl : wsdl(url)
      res.writeHead(text === '' ? 404 : 200, { 'content-type': 'text/xml' }).end(text)
      return
    }
    const request = { url, body: await bodyOf(req), headers: req.headers }
    requests.push(request)
    await answer(request, res)
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${String(port)}/service`, port, requests }
}

export const send = (response: ServerResponse, body: string, status = 200, type = 'text/xml; charset=utf-8'): void => {
  response.writeHead(status, { 'content-type': type }).end(body)
}

/** Operations `Echo` and `Fail` of the style document/literal, in the namespace `urn:test`. */
export const wsdl = (types: string, more = ''): string => `<?xml version="1.0"?>
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:test" xmlns:t="urn:test"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <types><xsd:schema targetNamespace="urn:test" elementFormDefault="qualified">${types}</xsd:schema></types>
  <message name="In"><part name="p" element="t:Echo"/></message>
  <message name="Out"><part name="p" element="t:EchoResponse"/></message>
  <portType name="P"><operation name="Echo">
    <documentation>Says it again</documentation><input message="t:In"/><output message="t:Out"/>
  </operation>${more}</portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Echo"><soap:operation soapAction="urn:echo"/>
      <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
  </binding>
  <service name="S"><port name="Port" binding="t:B"><soap:address location="http://127.0.0.1:1/service"/></port></service>
</definitions>`

/** `Echo` takes and answers elements of these. */
export const echoTypes = (content: string, more = ''): string => `
  <xsd:element name="Echo"><xsd:complexType>${content}</xsd:complexType></xsd:element>
  <xsd:element name="EchoResponse"><xsd:complexType>${content}</xsd:complexType></xsd:element>${more}`

export const textWsdl = wsdl(echoTypes('<xsd:sequence><xsd:element name="Text" type="xsd:string" minOccurs="0"/></xsd:sequence>'))

type Loose = any

export interface Used {
  /** The model. */
  readonly Model: Loose
  readonly connector: Loose
  readonly warnings: string[]
}

/** A model of a data source that was started. */
export async function use (t: Test, settings: Record<string, unknown>): Promise<Used> {
  const warnings: string[] = []
  const registry = new ModelRegistry()
  const warn = (_details: object, message: string): void => { warnings.push(message) }
  registry.defineDataSource('stock', {
    connector: (given, context) => soapConnector(given, { ...context, log: { ...context.log, warn } }), ...settings
  })
  const Model = registry.defineModel({ name: 'Thing', base: 'Model' })
  registry.attach(Model, 'stock')
  t.teardown(() => registry.stop())
  await registry.start()
  return { Model, connector: registry.dataSources.stock?.connector, warnings }
}
