/** The checking proxy: what it finds, what it passes on unchanged; and a server of ours behind it. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http, { type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { checkingProxy, Description, type ApiDocument, type Verdict } from '../src/index.js'
import { freePort } from '../free-port.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const error = {
  type: 'object',
  properties: { error: { type: 'object', properties: { statusCode: { type: 'integer' } }, required: ['statusCode'] } },
  required: ['error']
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const note = { $ref: '#/components/schemas/Note' }
const document: ApiDocument = {
  servers: [{ url: '/api' }],
  paths: {
    '/notes': {
      get: {
        operationId: 'find',
        responses: {
          200: {
            headers: { 'X-Total-Count': { required: true, schema: { type: 'integer' } } },
            ...json({ type: 'array', items: note })
          },
          default: { $ref: '#/components/responses/Other' }
        }
      },
      post: {
        operationId: 'create',
        responses: { 204: {}, '2XX': { content: { 'text/plain': { schema: { type: 'string' } } } } }
      }
    },
    '/notes/{id}': { get: { operationId: 'findById', responses: { 200: json(note) } } },
    '/notes/count': { get: { operationId: 'count', responses: { 200: json({ type: 'integer' }) } } },
    '/changes': {
      get: {
        operationId: 'changes',
        responses: {
          200: {
            content: {
              'text/event-stream': {
                schema: { type: 'string' },
                'x-itemSchema': { type: 'object', required: ['type'] }
              }
            }
          }
        }
      }
    },
    '/any': { post: { operationId: 'any', 'x-any-verb': true, responses: { 204: {} } } }
  },
  components: {
    schemas: {
      Note: {
        type: 'object',
        properties: { title: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
        required: ['title'],
        additionalProperties: false
      },
      Error: error
    },
    responses: {
      Other: json({ $ref: '#/components/schemas/Error' }),
      MethodNotAllowed: {
        headers: { Allow: { required: true, schema: { type: 'string' } } },
        ...json({ $ref: '#/components/schemas/Error' })
      }
    }
  }
}

interface Said { status?: number, headers?: Record<string, string>, body?: string | Buffer }
interface Heard { status: number, text: string, verdict: Verdict | undefined }

/**
 * A server that answers what it is told to, behind the proxy; `ask` gives the response that came through, and what the
 * proxy thinks of it.
 */
async function behindProxy (t: Test): Promise<(said: Said, method: string, url: string) => Promise<Heard>> {
  let next: Said = {}
  const verdicts: Verdict[] = []
  const target = await listening(t, http.createServer((request, response) => {
    request.resume()
    response.writeHead(next.status ?? 200, next.headers ?? { 'content-type': 'application/json' })
    response.end(next.body)
  }))
  const port = await listening(
    t,
    checkingProxy({
      target,
      description: new Description(document),
      report: (_answer, verdict) => {
        verdicts.push(verdict)
      }
    })
  )
  return async (said, method, url) => {
    next = said
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, { method })
    return { status: answer.status, text: await answer.text(), verdict: verdicts.at(-1) }
  }
}

async function listening (t: Test, server: Server): Promise<number> {
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const sent = (value: unknown, { status = 200, headers = {} }: Said = {}): Said => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers }
})
const total = { headers: { 'content-type': 'application/json', 'x-total-count': '1' } }
const refused = { error: { statusCode: 418 } }
const events = (...data: string[]): Said => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `:ok\n\n${data.map(each => `event: data\ndata: ${each}\n\n`).join('')}event: end\ndata: null\n\n`
})

t.test('what is as described', async t => {
  const ask = await behindProxy(t)
  const table: Array<[said: Said, method: string, url: string, verdict: Partial<Verdict>]> = [
    [
      sent([{ title: 'a', at: '2020-01-01T00:00:00.000Z' }], total),
      'GET',
      '/api/notes?filter=x',
      { operation: 'find', by: 'described' }
    ],
    [sent([{ title: 'a' }], total), 'GET', '/API/Notes/', { operation: 'find', by: 'described' }],
    [{ ...total, body: '' }, 'HEAD', '/api/notes', { operation: 'find', by: 'described' }],
    [sent(refused, { status: 418 }), 'GET', '/api/notes', { operation: 'find', by: 'default' }],
    [sent({ title: 'a' }), 'GET', '/api/notes/5', { operation: 'findById', by: 'described' }],
    [sent(3), 'GET', '/api/notes/count', { operation: 'count', by: 'described' }],
    [{ status: 204, headers: {} }, 'POST', '/api/notes', { operation: 'create', by: 'described' }],
    [
      { status: 202, headers: { 'content-type': 'text/plain' }, body: 'later' },
      'POST',
      '/api/notes',
      { operation: 'create', by: 'described' }
    ],
    [{ status: 204, headers: {} }, 'DELETE', '/api/any', { operation: 'any', by: 'described' }],
    [sent(refused, { status: 404 }), 'GET', '/api/nothing', { by: 'unrouted' }],
    [sent(refused, { status: 405, headers: { allow: 'GET, POST' } }), 'DELETE', '/api/notes', { by: 'unrouted' }],
    [{ headers: { 'content-type': 'text/html' }, body: 'hello' }, 'GET', '/', { by: 'elsewhere' }],
    [
      events('{"type":"create"}', '{"type":"remove"}'),
      'GET',
      '/api/changes',
      { operation: 'changes', by: 'described' }
    ],
    [
      { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: gzipSync('{"title":"a"}') },
      'GET',
      '/api/notes/5',
      { operation: 'findById' }
    ]
  ]
  for (const [said, method, url, expected] of table) {
    const { status, text, verdict } = await ask(said, method, url)
    t.strictSame(verdict?.faults, [], `${method} ${url}`)
    t.match(verdict, expected)
    t.equal(status, said.status ?? 200)
    if (typeof said.body === 'string') t.equal(text, said.body, 'passed on as it is')
  }
})

t.test('what is not', async t => {
  const ask = await behindProxy(t)
  const table: Array<[said: Said, method: string, url: string, fault: RegExp]> = [
    [sent([{ title: 5 }], total), 'GET', '/api/notes', /\/0\/title must be string/],
    [sent([{ title: 'a', secret: 1 }], total), 'GET', '/api/notes', /additional properties.*secret/],
    [sent([{ title: 'a', at: 'today' }], total), 'GET', '/api/notes', /format "date-time"/],
    [sent([]), 'GET', '/api/notes', /header X-Total-Count is missing/],
    [
      sent([], { headers: { 'x-total-count': 'many' } }),
      'GET',
      '/api/notes',
      /header X-Total-Count: .*must be integer/
    ],
    [
      sent([], { headers: { 'x-total-count': '0', 'retry-after': '3' } }),
      'GET',
      '/api/notes',
      /header retry-after is not described/
    ],
    [sent({ message: 'x' }, { status: 418 }), 'GET', '/api/notes', /required property 'error'/],
    [sent(refused, { status: 404 }), 'GET', '/api/notes', /404 is described by "default" alone/],
    [sent(refused, { status: 404 }), 'GET', '/api/notes/5', /status 404 is not described/],
    [
      { headers: { 'content-type': 'text/html' }, body: '<p>' },
      'GET',
      '/api/notes/5',
      /media type text\/html is not described/
    ],
    [{ headers: {}, body: '' }, 'GET', '/api/notes/5', /no content type/],
    [{ body: '{' }, 'GET', '/api/notes/5', /is no JSON/],
    [sent({ wrong: 1 }, { status: 404 }), 'GET', '/api/nothing', /required property 'error'/],
    [sent(refused, { status: 405 }), 'DELETE', '/api/notes', /header Allow is missing/],
    [events('{"kind":"create"}'), 'GET', '/api/changes', /required property 'type'/]
  ]
  for (const [said, method, url, fault] of table) {
    t.match((await ask(said, method, url)).verdict?.faults.join('\n'), fault, `${method} ${url} ${fault.source}`)
  }
})

t.test('a server that says nothing is a fault, too', async t => {
  const verdicts: Verdict[] = []
  const target = await listening(t, http.createServer(request => { request.socket.destroy() }))
  const port = await listening(
    t,
    checkingProxy({
      target,
      description: new Description(document),
      report: (_answer, verdict) => {
        verdicts.push(verdict)
      }
    })
  )
  await t.rejects(fetch(`http://127.0.0.1:${port}/api/notes`))
  t.match(verdicts, [{ faults: [/no response/] }])
})

t.test('an application folder of ours, through the command', async t => {
  const data = t.testdir({})
  const report = path.join(data, 'answers.ndjson')
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/api`
  const command = path.join(root, 'test-fixtures/dist/checked-responses/command.js')
  const serve = [
    path.join(root, 'packages/cli/bin/fastback.js'),
    'serve',
    path.join(root, 'packages/cli/templates/notes'),
    '--data',
    data,
    '--port',
    '{inner}'
  ]
  const child = spawn(
    process.execPath,
    [command, '--port', String(port), '--report', report, '--', process.execPath, ...serve],
    { stdio: 'ignore' }
  )
  t.teardown(() => { child.kill() })
  await up(`${base}/Notes`)
  const send = async (method: string, url: string, body?: unknown, headers = {}): Promise<number> =>
    (
      await fetch(base + url, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    ).status
  t.equal(await send('GET', '/Notes?filter={"include":"category"}'), 200)
  t.equal(await send('GET', '/Notes/999'), 404)
  t.equal(await send('GET', '/Notes?filter=3'), 400)
  t.equal(await send('GET', '/Notes', undefined, { accept: 'image/png' }), 406)
  t.equal(await send('GET', '/Notes', undefined, { 'x-long': 'x'.repeat(20_000) }), 431)
  t.equal(await send('POST', '/Notes', { title: 5 }), 422)
  t.equal(await send('POST', '/Notes', {}, { 'content-encoding': 'x' }), 415)
  const answers = readFileSync(report, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Verdict & { status: number })
  t.ok(answers.length >= 8)
  for (const { operation, status, by, faults } of answers) {
    t.strictSame(faults, [], `${operation} ${status}`)
    t.equal(by, 'described', `${operation} ${status}`)
  }
})

async function up (url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      await fetch(url)
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  throw new Error(`${url} does not answer`)
}
