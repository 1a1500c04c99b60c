/** A service for tests, and a registry whose data source it is. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ModelRegistry, type DataSource, type ModelClass } from '@fastback/core'
import { restConnector } from '@fastback/connector-rest'

interface Test { teardown (work: () => unknown): void }

/** A request as the service got it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Service {
  readonly base: string
  readonly port: number
  readonly seen: Seen[]
}

/** Answers with what it got, unless `answer` has something else for a request. */
export async function service (
  t: Test, answer?: (seen: Seen, ...rest: Parameters<RequestListener>) => unknown
): Promise<Service> {
  const seen: Seen[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.setEncoding('utf8')
    req.on('data', (part: string) => { body += part })
    req.on('end', () => {
      const { method = '', url = '', headers } = req
      const request = { method, url, headers, body }
      seen.push(request)
      if (answer === undefined) json(res, 200, request)
      else answer(request, req, res)
    })
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { base: `http://127.0.0.1:${String(port)}`, port, seen }
}

export function json (res: Parameters<RequestListener>[1], status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify(value))
}

/** Functions of operations, on models and data sources. */
export type Callable = Record<string, (...args: unknown[]) => Promise<any>>

export interface Warning { readonly details: { readonly operation?: string }, readonly message: string }

/** A data source of these settings, ended with the test. */
export async function rest (t: Test, settings: object, name = 'up') {
  const warnings: Warning[] = []
  const log = {
    warn: (details: object, message: string) => { warnings.push({ details, message }) }, info () {}, debug () {}
  }
  const registry = new ModelRegistry({ log } as never)
  const dataSource = registry.defineDataSource(name, { connector: restConnector, ...settings })
  t.teardown(() => registry.stop())
  await registry.start()
  return { registry, dataSource, call: dataSource as unknown as Callable, warnings }
}

/** A model over a resource. */
export function resource (registry: ModelRegistry, dataSource: DataSource, definition: object): ModelClass {
  const Model = registry.defineModel(definition as never)
  return registry.attach(Model, dataSource)
}
