/** A service as loopback-connector-rest expects one: rows under their model's plural name, filters not understood. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

type Loose = any

export interface RestServer {
  readonly url: string
  /** What was asked for: `GET /items?limit=1`. */
  readonly requests: string[]
  clear (): void
}

async function bodyOf (request: IncomingMessage): Promise<Loose> {
  let text = ''
  for await (const part of request) text += String(part)
  return text === '' ? undefined : JSON.parse(text)
}

export async function restServer (t: Test): Promise<RestServer> {
  const tables = new Map<string, { rows: Map<string, Loose>, last: number }>()
  const requests: string[] = []

  async function answer (request: IncomingMessage): Promise<[status: number, body?: unknown]> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
    if (pathname === '/echo') return [200, { said: searchParams.get('text') }]
    const [table = '', id] = pathname.slice(1).split('/').map(decodeURIComponent)
    if (!tables.has(table)) tables.set(table, { rows: new Map(), last: 0 })
    const found = tables.get(table) as { rows: Map<string, Loose>, last: number }
    switch (request.method) {
      case 'GET': {
        if (id === undefined) return [200, [...found.rows.values()]]
        const row = found.rows.get(id)
        return row === undefined ? [404, { error: 'no such row' }] : [200, row]
      }
      case 'POST': {
        const row = await bodyOf(request)
        const key = row.id ?? row.key ?? ++found.last
        if (found.rows.has(String(key))) return [409, { error: 'the id is taken' }]
        if (typeof key === 'number') found.last = Math.max(found.last, key)
        const made = row.key === undefined ? { ...row, id: key } : row
        found.rows.set(String(key), made)
        return [201, made]
      }
      case 'PUT': {
        const row = await bodyOf(request)
        if (id === undefined || !found.rows.has(id)) return [404, {}]
        found.rows.set(id, row)
        return [200, row]
      }
      default: return id !== undefined && found.rows.delete(id) ? [200, {}] : [404, {}]
    }
  }

  const server = createServer((request, response) => {
    answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }, (error: Error) => { response.writeHead(500).end(error.message) })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => { server.close() })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, clear: () => { tables.clear() } }
}
