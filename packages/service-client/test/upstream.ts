/** A service for tests: `node:http` on a free port of 127.0.0.1. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ServiceClient, type ServiceClientSettings } from '@fastback/service-client'
import type { ServiceClientContext } from '@fastback/service-client'

export interface Upstream {
  readonly port: number
  readonly base: string
  /** `GET /path`, in the order in which they came. */
  readonly seen: string[]
  readonly server: Server
}

interface Test { teardown (work: () => unknown): void }

export async function upstream (t: Test, listener: RequestListener): Promise<Upstream> {
  const seen: string[] = []
  const server = createServer((req, res) => {
    seen.push(`${String(req.method)} ${String(req.url)}`)
    listener(req, res)
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, base: `http://127.0.0.1:${String(port)}`, seen, server }
}

/** A client that ends with the test. */
export function client (
  t: Test, settings: ServiceClientSettings = {}, context: Partial<ServiceClientContext> = {}
): ServiceClient {
  const made = new ServiceClient(settings, { dataSource: 'weather', log: { debug () {} }, ...context })
  t.teardown(() => made.close())
  return made
}

/** What came in, as JSON. */
export function echo (req: IncomingMessage, res: ServerResponse): void {
  let text = ''
  req.setEncoding('utf8')
  req.on('data', (part: string) => { text += part })
  req.on('end', () => {
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body: text }))
  })
}
