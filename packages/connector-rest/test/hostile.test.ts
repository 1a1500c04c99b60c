import { tracingChannel } from 'node:diagnostics_channel'
import fc from 'fast-check'
import t from 'tap'
import type { ServiceTrace } from '@fastback/service-client'
import { rest, service, type Seen } from './service.js'

const pieces = [
  '/', '\\', '..', '.', '%2e', '%2E%2e', '%2f', '%5c', '?', '#', '&', '=', '@', ':', ';', '//', '\r\n', '\n', '\t', '\0', ' ', '%00',
  '%0d%0a', 'http://evil.test/', '//evil.test', '@evil.test', 'x-evil: 1', '{a}', '{+a}', '[', ']', '__proto__', 'constructor',
  '\u2028', '\uD800', '\uFF0F', '\uFF0E', 'é', 'host', 'a'
]
const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map(parts => parts.join('')),
  fc.constantFrom(...pieces),
  fc.string({ unit: 'binary', maxLength: 20 })
)
const hostile = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  fc.jsonValue({ maxDepth: 7, noUnicodeString: false }),
  fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText)), { maxKeys: 5 }),
  fc.constant(undefined)
)

const known = [
  'host', 'connection', 'content-length', 'transfer-encoding', 'content-type', 'accept', 'x-note', 'x-fixed', 'keep-alive'
]

t.test('no value of a caller leads a request elsewhere, or adds a header (security, item 5)', async t => {
  const { base, port, seen } = await service(t, (request, req, res) => { res.end('{}') })
  const query = { q: '{q}', o: '{o:object}', '{k}': '1' }
  const template = { method: 'POST', url: `${base}/api/v1/{p}/x{s}?u={u}`, query, headers: { 'X-Note': '{h}', 'x-fixed': 'yes' } }
  const names = ['p', 's', 'u', 'q', 'o', 'k', 'h', 'b']
  const { call } = await rest(t, {
    operations: [
      { template: { ...template, body: { b: '{b}', fixed: true } }, functions: { body: names } },
      { template: { ...template, form: { b: '{b}', fixed: true } }, functions: { form: names } }
    ]
  })
  const hosts = new Set<string>()
  const listener = { start: (trace: unknown) => { hosts.add((trace as ServiceTrace).host) } } as never
  const channel = tracingChannel('fastback:service.call')
  channel.subscribe(listener)
  let sent = 0
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 8, maxLength: 8 }), fc.constantFrom('body', 'form'), async (values, name) => {
      seen.length = 0
      try {
        await call[name]?.(...values)
      } catch (error) {
        const { statusCode } = error as { statusCode?: number }
        if (statusCode !== 400) throw error
      }
      if (seen.length > 1) throw new Error('more than one request')
      for (const request of seen) check(request, port)
      sent += seen.length
    }),
    { numRuns: process.env.CI_LONG === undefined ? 500 : 10_000 }
  )
  channel.unsubscribe(listener)
  t.strictSame([...hosts], [`127.0.0.1:${port}`])
  t.ok(sent > 50, `${sent} requests were sent, the others refused`)
})

/** @throws when the request is not where the template leads, or has what it does not name */
function check ({ method, url, headers, body }: Seen, port: number): void {
  const [path = '', ...more] = url.split('?')
  const segments = path.split('/')
  const climbs = segments.some(segment => /^\.{0,2}$/.test(decodeURIComponent(segment)) && segment !== segments[0])
  const isThere = segments.length === 5 && path.startsWith('/api/v1/') && segments[4]?.startsWith('x') === true
  const stranger = Object.keys(headers).find(header => !known.includes(header))
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
  const fixed = isForm ? new URLSearchParams(body).get('fixed') : String(JSON.parse(body).fixed)
  const faults = [
    method !== 'POST', !isThere, climbs, more.length !== 1, !more[0]?.startsWith('u='), /[^\x21-\x7e]/.test(url),
    stranger !== undefined, headers.host !== `127.0.0.1:${port}`, headers['x-fixed'] !== 'yes', fixed !== 'true'
  ]
  if (faults.includes(true)) throw new Error(`${method} ${url} ${JSON.stringify(headers)} ${body}: ${faults.join()}`)
}
