import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { inherits } from 'node:util'
import t from 'tap'
import loopback from '@fastback/loopback'
import { Connector, createPromiseCallback, type BaseConnector } from '@fastback/loopback/connector'
import RemoteObjects from '@fastback/loopback/remoting'
import { moduleNames } from '../src/module-names.js'
import { folder } from './folder.js'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

t.test('strong-remoting and loopback-connector by their names', async t => {
  loopback()
  moduleNames.map()
  const dir = folder(t, { 'a.js': '' })
  const require = createRequire(`${dir}/a.js`)
  const Remotes = require('strong-remoting') as typeof RemoteObjects
  for (const name of ['SharedClass', 'SharedMethod', 'TypeRegistry', 'RestAdapter', 'HttpInvocation', 'ContextBase'] as const) {
    t.type(Remotes[name], 'function', name)
  }
  t.ok(Remotes.create() instanceof Remotes)
  t.throws(() => Remotes.convert(), { code: 'FBK_REST_REMOVED_FUNCTION' })
})

/** What a script says in a process without tap's own modules, among which is a loopback-connector. */
function said (script: string): string {
  const { NODE_PATH: _, ...env } = process.env
  return execFileSync(process.execPath, ['-e', script], { cwd: packageFolder, env, encoding: 'utf8' }).trim()
}

t.test('loopback-connector: that of the application, else the base class', async t => {
  const dir = folder(t, {
    'a.js': '',
    'has/a.js': '',
    'has/node_modules/loopback-connector/package.json': '{ "name": "loopback-connector", "version": "4.0.0" }',
    'has/node_modules/loopback-connector/index.js': 'exports.SqlConnector = "its own"'
  })
  const ask = (file: string): string => said(`
    require('./cjs/index.cjs')()
    const connector = require('node:module').createRequire(${JSON.stringify(`${dir}/${file}`)})('loopback-connector')
    try { console.log(typeof connector.Connector, connector.SqlConnector) } catch ({ code }) { console.log(code) }
  `)
  t.equal(ask('has/a.js'), 'undefined its own')
  t.equal(ask('a.js'), 'FBK_LOOPBACK_CONNECTOR_MISSING')
})

t.test('loopback-connector-rest by its name makes data sources that call a service', async t => {
  const service = http.createServer((req, res) => { res.end(JSON.stringify({ asked: req.url })) }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  t.teardown(() => { service.close().closeAllConnections() })
  const app = loopback()
  moduleNames.map()
  const connector = createRequire(`${folder(t, { 'a.js': '' })}/a.js`)('loopback-connector-rest') as object
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/{city}`
  const operations = [{ template: { url }, functions: { byCity: ['city'] } }]
  const ask = (source: unknown, city: string): Promise<unknown> =>
    (source as { byCity (city: string): Promise<unknown> }).byCity(city)
  t.strictSame(await ask(loopback.createDataSource({ connector, operations } as never), 'Oslo'), { asked: '/Oslo' })
  t.strictSame(await ask(app.dataSource('up', { connector, operations } as never), 'Lima'), { asked: '/Lima' })
})

const wsdl = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:t="urn:t" targetNamespace="urn:t">
  <types><xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t">
    <xsd:element name="Hi" type="xsd:string"/></xsd:schema></types>
  <message name="M"><part name="p" element="t:Hi"/></message>
  <portType name="P"><operation name="Hi"><input message="t:M"/><output message="t:M"/></operation></portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Hi"><soap:operation soapAction=""/></operation></binding>
  <service name="S"><port name="Port" binding="t:B"><soap:address location="http://127.0.0.1:1/"/></port></service>
</definitions>`

t.test('loopback-connector-soap by its name makes data sources that call a service', async t => {
  const answer = '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><Hi xmlns="urn:t">you</Hi></e:Body></e:Envelope>'
  const service = http.createServer((req, res) => { res.end(req.method === 'GET' ? wsdl : answer) }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  t.teardown(() => { service.close().closeAllConnections() })
  const app = loopback()
  moduleNames.map()
  const connector = createRequire(`${folder(t, { 'a.js': '' })}/a.js`)('loopback-connector-soap') as object
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
  const source = app.dataSource('stock', { connector, url } as never) as unknown as { ping (): Promise<void> }
  const Greeting = loopback.createModel('Greeting', {}, { base: 'Model' } as never)
  app.model(Greeting as never, { dataSource: 'stock' } as never)
  await source.ping()
  const { Hi } = Greeting as unknown as { Hi (input: object): Promise<{ result: unknown }> }
  t.equal((await Hi({})).result, 'you')
})

t.test('RemoteObjects serve a plain server', async t => {
  const remotes = RemoteObjects.create({ errorHandler: { log: false } })
  remotes.exports.math = {
    sum: Object.assign(async (a: number, b: number) => a + b, {
      shared: true,
      accepts: [{ arg: 'a', type: 'number' }, { arg: 'b', type: 'number' }],
      returns: { arg: 'sum', type: 'number' }
    })
  }
  const server = http.createServer(remotes.handler('rest')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { port } = server.address() as AddressInfo
  t.strictSame(await (await fetch(`http://127.0.0.1:${port}/math/sum?a=1&b=2`)).json(), { sum: 3 })
})

t.test('connectors extend Connector in both ways', async t => {
  function Erp (this: BaseConnector, settings: Record<string, unknown>): void {
    (Connector as unknown as (this: object, ...args: unknown[]) => void).call(this, 'erp', settings)
  }
  inherits(Erp, Connector)
  Erp.prototype.relational = true
  const old = new (Erp as unknown as new (settings: object) => BaseConnector)({ url: 'erp:' })
  t.ok(old instanceof Connector)
  t.strictSame([old.name, old.settings, old.isRelational()], ['erp', { url: 'erp:' }, true])
  t.throws(() => old.execute('x'), { code: 'FBK_LOOPBACK_NOT_IMPLEMENTED' })

  class Store extends Connector {
    override execute (command: unknown): unknown { return `did ${String(command)}` }
  }
  const store = new Store('store')
  t.equal(store.query('it'), 'did it')
  t.strictSame(store.getMetadata(), { types: ['db', 'nosql'], defaultIdType: String, isRelational: false, schemaForSettings: {} })
  const city = { type: String, store: { column: 'CITY' } }
  const address = { type: { definition: { properties: { city } } } }
  const properties = { id: { id: 1 }, note: { required: true }, free: { nullable: false }, address }
  const dataSource = { idName: () => 'id', idNames: () => ['id'] }
  store.define({ model: { modelName: 'Note', dataSource }, properties, settings: { store: { table: 'N' } } })
  store.defineProperty('Note', 'late', { type: Number })
  t.strictSame(store.getConnectorSpecificSettings('Note'), { table: 'N' })
  t.strictSame(store.getPropertyDefinition('Note', 'late'), { type: Number })
  t.equal(store.getPropertyDefinition('Note', 'address.city'), city)
  t.equal(store.getPropertyDefinition('Note', 'nothing.city'), undefined)
  t.equal(store.column('Note', 'address.city'), 'CITY')
  t.equal(store.idColumn('Note'), 'id')
  t.strictSame([store.idName('Note'), store.idNames('Note')], ['id', ['id']])
  t.strictSame(['id', 'note'].map(name => store.isIdProperty('Note', name)), [true, false])
  t.strictSame(Object.values(properties).slice(0, 4).map(each => store.isNullable(each)), [false, false, false, true])
  const row: Record<string, unknown> = {}
  store.setIdValue('Note', row, 7)
  t.equal(store.getIdValue('Note', row), 7)
  await new Promise(resolve => { store.disconnect(resolve) })
})

t.test('a callback with its promise', async t => {
  const done = createPromiseCallback<number>()
  done(null, 5)
  t.equal(await done.promise, 5)
  const failed = createPromiseCallback()
  failed(new Error('no'))
  await t.rejects(failed.promise, { message: 'no' })
})
