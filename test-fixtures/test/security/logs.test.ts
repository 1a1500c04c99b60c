/** What log lines carry: S-82. */
import type { AddressInfo } from 'node:net'
import { request as httpRequest } from 'node:http'
import Fastify from 'fastify'
import { logMasking, logSerializers, maskText, maskUrl, redactPaths } from '@fastback/rest'
import tap from 'tap'
import { join } from './clients.js'
import { attack } from './harness.js'

const secret = 'S3CR3T-of-somebody'

/** Spellings of a parameter that the server, or somebody on the way, reads as the same one. */
const spellings = (name: string): string[] => [
  name, name.toUpperCase(), name.replace(/_/g, '%5F'), name.replace(/_/g, '%5f'),
    `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`, name.replace(/_/g, '%255F'),
  `${name}[]`, `${name}[0]`, `${name}%5B%5D`, `user[${name}]`, `user%5B${name}%5D`, `filter[where][${name}][neq]`,
  name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase()), name.replace(/_/g, '-'), `x.${name}`
]
const names = ['access_token', 'token', 'refresh_token', 'id_token', 'id_token_hint', 'code', 'client_secret', 'secret', 'password',
  'newPassword', 'old_password', 'password2', 'assertion', 'client_assertion',
  'authorization', 'x-access-token', 'code_verifier', 'api_key', 'verificationToken', 'jwt', 'csrf', 'sid', 'otp',
  'pin']

tap.test('S-82 addresses are masked by decoded names', async t => {
  // Seen to fail: core/logging/secret-names.ts not decoding names; mask-text.ts without `declared`
  for (const name of names) {
    for (const spelling of spellings(name)) {
      for (const url of [`/api/Users?${spelling}=${secret}`, `/x?a=1&${spelling}=${secret}&b=2`,
        `/x;${spelling}=${secret}`, `https://x.test/cb#${spelling}=${secret}&state=1`,
        `/x?a=1;${spelling}=${secret}`]) {
        t.notMatch(maskUrl(url), secret, url)
      }
    }
  }
  const carriers = [
    `/api/Users/7/accessTokens/${secret}`, `/api/AccessTokens/${secret}?x=1`, `//user:${secret}@x.test/`,
      `https://me:${secret}@x.test/?a=b`, `/api%3Faccess_token=${secret}`, `/x%3Fpassword%3D${secret}`,
    `/x?next=${encodeURIComponent(`https://y.test/cb?code=${secret}`)}`,
      `/x?next=${encodeURIComponent(encodeURIComponent(`/y?token=${secret}`))}`,
      `/x?filter=${encodeURIComponent(`{"where":{"password":"${secret}"}}`)}`,
    `/x?credentials={"email":"a@b","password":"${secret}"}`, `/x?h=${encodeURIComponent(`Bearer ${secret}`)}`
  ]
  for (const url of carriers) t.notMatch(maskUrl(url), secret, url)
  // Controls: what is no secret is told as it was.
  for (const url of ['/api/Notes?filter[where][title]=x&limit=2', '/api/Notes/7',
    '/x?state=abc&grant_type=password&token_type=bearer&client_id=shop', '/x?a=%20b&q=50%25', '/x?empty=&token=',
    '/Users/1/accessTokens/count',
    '/api/codes?decode=1&postcode=123&encoding=utf8', `/x?filter=${encodeURIComponent('{"where":{"title":"a=b"}}')}`,
    '/a%20b/c', '/x?next=%2Fhome%3Ftab%3D2']) t.equal(maskUrl(url), url)
})

tap.test('S-82 texts are masked where they name a secret', async t => {
  // Seen to fail: maskText of core/logging/mask-text.ts without `declared`
  const texts = [`GET /x?access%5Ftoken=${secret} failed`, `Invalid token: ${secret}`, `{"password":"${secret}","a":1}`,
    `{"user": {"newPassword" : "${secret}"}}`, `Authorization: Bearer ${secret}`, `sent Basic ${secret}`,
    `connect to postgres://app:${secret}@db/x`, `password='${secret}'`.replace('=\'', '=').replace('\'', ''),
      `body: client_secret=${secret}&x=1`, `{ password: '${secret}', a: 1 }`]
  for (const text of texts) t.notMatch(maskText(text), secret, text)
  for (const text of ['relation "notes" does not exist', 'code: ECONNREFUSED',
    'at read (/srv/app/tokens/find-token.js:12:5)', 'a=b, c: d', 'The token has expired',
    'bearer tokens are read']) t.equal(maskText(text), text)
  for (const long of ['a'.repeat(1e6), '='.repeat(1e6), '%41'.repeat(3e5), '//'.repeat(5e5), 'a:'.repeat(5e5),
    '"'.repeat(1e6), 'bearer '.repeat(1e5), '?a=%25'.repeat(1e5)]) {
    const before = process.cpuUsage()
    maskText(long)
    maskUrl(long)
    const { user } = process.cpuUsage(before)
    t.ok(user < 5e6, `${long.slice(0, 8)}…: ${user} µs of processor time for a megabyte`)
  }
})

/** What a server with these options of its logger writes, when each of these is logged. */
async function written (options: object): Promise<string> {
  const lines: string[] = []
  const app = Fastify({
    logger: {
      level: 'trace', stream: { write: (line: string) => { lines.push(line) } },
      ...options
    }
  })
  app.all('/*', async (request, reply) => {
    const { body, query, headers } = request
    const error = Object.assign(new Error(`cannot call https://x.test/?api_key=${secret}`,
      { cause: new Error(`token=${secret}`) }), {
      config: { headers: { Authorization: `Bearer ${secret}` } },
      code: 'ECONNRESET'
    })
    request.log.error({ err: error }, 'failed')
    request.log.error(error)
    request.log.warn({ error }, `for ${request.url}`)
    request.log.info({ body, query, headers, data: { list: [{ user: { newPassword: secret } }] } }, 'input')
    request.log.info(`sent on to ${request.url}`)
    request.log.info({ location: `https://x.test/cb?code=${secret}`, params: { code: secret, token: secret } })
    request.log.info({ password: secret, token: secret, user: { password: secret, accessToken: { id: secret } } })
    return await reply.redirect(`https://x.test/cb?code=${secret}`)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  await new Promise<void>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${secret}`, 'x-access-token': secret, cookie: `access_token=${secret}`,
      'content-type': 'application/json'
    }
    httpRequest({
      port, host: '127.0.0.1', method: 'POST',
      path: `/x?access%5Ftoken=${secret}&user[newPassword]=${secret}`, headers, agent: false
    },
    answer => { answer.resume().on('end', resolve) })
      .on('error', reject).end(JSON.stringify({
        email: 'a@x.test', password: secret,
        nested: { client_secret: secret }
      }))
  })
  await app.close()
  return lines.join('\n')
}

tap.test('S-82 lines, errors, bodies, headers and redirects are masked, and still tell what happened', async t => {
  // Seen to fail: core/logging/serializers.ts without `msg`; without `err` and `error`; without `formatters`
  for (const [what, options] of Object.entries({
    logMasking,
    parts: { serializers: logSerializers, redact: [...redactPaths] }
  })) {
    const text = await written(options)
    t.notMatch(text, secret, what)
    for (const told of ['"email":"a@x.test"', 'ECONNRESET', 'cannot call https://x.test/?api_key=[masked]',
      '"location":"https://x.test/cb?code=[masked]"', '"url":"/x?access%5Ftoken=[masked]',
      'at ']) t.ok(text.includes(told), `${what}: ${told}`)
  }
  const lines: string[] = []
  const { log } = Fastify({
    logger: {
      level: 'info', ...logMasking,
      stream: { write: (line: string) => { lines.push(line) } }
    }
  })
  const circle: Record<string, unknown> = {
    deep: { deeper: { secretKey: secret } }, list: [[{ apiKey: secret }]],
    map: new Map([['token', secret]]), at: new Date(0), bytes: Buffer.from(secret), code: 'E_X', codes: 3
  }
  circle.self = circle
  log.info({ whatever: circle, statusCode: 400, code: 'LOGIN_FAILED', title: 'a=b' }, 'x')
  log.info({ strange: { get broken (): never { throw new Error(secret) } } }, 'y')
  log.child({ clientSecret: secret, name: 'z' }).info('child')
  t.notMatch(lines.join('\n'), secret)
  t.match(JSON.parse(lines[0] as string), {
    whatever: { at: '1970-01-01T00:00:00.000Z', code: 'E_X', codes: 3 },
    statusCode: 400, code: 'LOGIN_FAILED', title: 'a=b'
  })
  t.match(JSON.parse(lines[2] as string), { name: 'z', msg: 'child' })
})

tap.test('S-82 P-04 what a server of ours writes about hostile requests holds no secret', async t => {
  // Seen to fail: the serializer `req` of core/logging/serializers.ts giving the address as it is
  const server = await attack(t, 'accounts', 'memory')
  const ann = await join(server, 'ann')
  const { send, logged } = server
  for (const name of ['access_token', 'access%5Ftoken', 'ACCESS_TOKEN', 'access_token[]', 'newPassword',
    'user[password]', 'client_secret', 'assertion']) {
    for (const path of [`/Users/${ann.id}?${name}=${secret}`, `/nowhere?${name}=${secret}`,
      `/Users/7/accessTokens/${secret}?${name}=${secret}`]) {
      await send('GET', path,
        { headers: { authorization: secret, 'x-access-token': secret, cookie: `access_token=${secret}` } })
    }
    await send('POST', `/Users/login?${name}=${secret}`, { json: { username: 'ann', password: secret } })
    await send('POST', `/Users/reset-password?${name}=${secret}`,
      { token: ann.token, json: { newPassword: { x: secret } } })
  }
  t.match(logged(), /incoming request.*nowhere|nowhere.*incoming request/)
  t.notMatch(logged(), secret)
  t.notMatch(logged(), ann.token)
})
