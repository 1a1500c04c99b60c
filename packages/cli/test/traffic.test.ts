// FASTBACK_TEST_FULL: processes under load.
/** Traffic of one server, recorded, and replayed against others that are the same, or differ in one place. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { serve, type Served } from '../src/index.js'
import { compareExchanges, recordExchanges } from '../src/traffic/index.js'
import { recordingFile } from '../src/traffic/exchange.js'
import { address, printed, start } from './child.js'
import { run } from './terminal.js'

const notes = fileURLToPath(new URL('../templates/notes', import.meta.url))

const fresh = async (): Promise<Served> => {
  const served = await serve(notes, { port: 0, host: '127.0.0.1', log: false, dataSources: { db: { connector: 'memory' } } })
  t.teardown(async () => { await served.close() })
  return served
}

/** What clients do: users come and log in, rows are made, read, changed and removed, and some of it is refused. */
async function traffic (url: string, rounds: number): Promise<number> {
  let sent = 0
  const call = async (method: string, at: string, body?: unknown, token?: string): Promise<Record<string, unknown>> => {
    sent++
    const answer = await fetch(`${url}/api${at}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(token === undefined ? {} : { authorization: token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  }
  const users = async (round: number): Promise<void> => {
    const credentials = { email: `ann${round}@example.com`, password: `correct horse ${round}` }
    const user = await call('POST', '/Users', credentials)
    const { id: token } = await call('POST', '/Users/login', credentials) as { id: string }
    await call('POST', '/Users/login', { ...credentials, password: 'wrong' })
    await call('GET', `/Users/${String(user.id)}`, undefined, token)
    await call('GET', `/Users/${String(user.id)}?access_token=${token}`)
    await call('POST', '/Users/logout', undefined, token)
    await call('GET', `/Users/${String(user.id)}`, undefined, token)
  }
  for (let round = 0; round < rounds; round++) {
    // Passwords are slow to hash, as they should be.
    if (round % 50 === 0) await users(round)
    const note = await call('POST', '/Notes', { title: `Note ${round}`, done: false })
    await call('PATCH', `/Notes/${String(note.id)}`, { done: true })
    await call('GET', `/Notes/${String(note.id)}`)
    await call('GET', `/Notes?filter=${encodeURIComponent(JSON.stringify({ where: { id: note.id } }))}`)
    await call('GET', `/Notes?filter[where][id][inq][0]=${String(note.id)}`)
    if (round % 2 === 1) await call('DELETE', `/Notes/${String(note.id)}`)
    await call('GET', `/Notes/${String(note.id)}`)
    await call('GET', '/Notes/count')
    await call('GET', '/Notes?filter[limit]=3')
    await call('POST', '/Notes', { title: 17, nothing: { of: 'it' } })
    await call('GET', '/nowhere')
  }
  return sent
}

t.test('1,000 exchanges agree with a fresh server, and with one whose ids are others', async t => {
  const folder = t.testdir({ part: {} })
  const [dir, part] = [path.join(folder, 'shop'), path.join(folder, 'part')]
  const recorder = await recordExchanges({ target: (await fresh()).url, out: dir })
  const sent = await traffic(recorder.url, 98)
  await recorder.close()
  t.ok(sent >= 1000)
  t.equal(recorder.recorded, sent)
  t.equal(recorder.failed, 0)

  const written = readFileSync(recordingFile(dir), 'utf8')
  t.notMatch(written, /correct horse/, 'no password')
  const { response } = JSON.parse(written.split('\n')[2] as string) as { response: { body: { json: { id: string } } } }
  t.match(response.body.json.id, /^\{\{secret:\d+\/16\}\}$/, 'the token of a login')
  t.equal(statSync(recordingFile(dir)).mode & 0o077, 0)

  const same = await compareExchanges(dir, { against: (await fresh()).url })
  t.strictSame(same.exchanges.filter(each => each.differences.length > 0), [])
  t.match(same, { compared: sent, skipped: 0, different: 0 })

  // A part of it is enough for what follows.
  writeFileSync(recordingFile(part), written.split('\n').slice(0, 101).join('\n'))
  const ahead = await fresh()
  for (const title of ['a', 'b', 'c']) {
    const headers = { 'content-type': 'application/json' }
    const made = await fetch(`${ahead.apiUrl}/Notes`, { method: 'POST', headers, body: JSON.stringify({ title }) })
    const { id } = await made.json() as { id: number }
    await fetch(`${ahead.apiUrl}/Notes/${id}`, { method: 'DELETE' })
  }
  const later = await compareExchanges(part, { against: ahead.url })
  t.strictSame(later.exchanges.filter(each => each.differences.length > 0), [])

  // Of the whole traffic one row, one header and one status are changed on the way.
  const target = await fresh()
  const row = same.exchanges.filter(({ method, path }) => method === 'GET' && /Notes\/\d+$/.test(path))[2]?.number as number
  const changing = await between(target.url, {
    row: [row, text => text.replace('"Note 1"', '"Note one"')],
    header: row + 10,
    status: row + 20
  })
  const changed = await compareExchanges(part, { against: changing })
  t.match(changed.exchanges.filter(each => each.differences.length > 0), [
    { number: row, differences: [{ place: 'body:$.title', recorded: 'Note 1', live: 'Note one' }] },
    { number: row + 10, differences: [{ place: 'header:x-changed', live: 'yes' }] },
    { number: row + 20, differences: [{ place: 'status', live: 418 }] }
  ])
  t.equal(changed.different, 3)
})

/** A proxy that changes what it is told to; requests are counted from 1. */
async function between (
  target: string,
  changes: { row: [number, (text: string) => string], header: number, status: number }
): Promise<string> {
  let at = 0
  return await listening(async (incoming, reply) => {
    const number = ++at
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { host, connection, 'content-length': length, ...headers } = incoming.headers as Record<string, string>
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(target + String(incoming.url), { method: incoming.method as string, headers, ...body })
    const { connection: _, 'keep-alive': __, ...received } = Object.fromEntries(answer.headers)
    const text = await answer.text()
    const { 'content-length': ___, ...rest } = received
    reply.writeHead(number === changes.status ? 418 : answer.status, { ...rest, ...(number === changes.header ? { 'x-changed': 'yes' } : {}) })
    reply.end(number === changes.row[0] ? changes.row[1](text) : text)
  })
}

async function listening (listener: (...of: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((incoming, reply) => { listener(incoming, reply) }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('bodies of every kind pass as they are; secrets leave the recording, wherever they stand', async t => {
  let turn = 0
  const seen: Array<{ headers: Record<string, unknown>, body: string }> = []
  const target = await listening(async (incoming, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    seen.push({ headers: incoming.headers, body: Buffer.concat(chunks).toString('latin1') })
    const session = `session-of-the-server-${turn}`
    reply.setHeader('date', `Sun, 22 Nov 2026 20:00:0${turn} GMT`)
    if (incoming.url === '/stream') {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write('data: 1\n\n')
    } else if (incoming.url === '/picture') reply.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0x89, 0x50, turn]))
    else if (incoming.url === '/zipped') {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"at":"2026-01-0' + String(turn + 1) + 'T00:00:00Z"}'))
    } else if (incoming.url?.startsWith('/login') === true) {
      reply.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `sid=${session}; Path=/; HttpOnly` })
      reply.end(JSON.stringify({ access_token: session, self: `http://${String(incoming.headers.host)}/me` }))
    } else reply.writeHead(seen.at(-1)?.headers.cookie === `sid=${session}` ? 200 : 401, { 'content-type': 'text/plain' }).end(`you are ${session}`)
  })
  const dir = path.join(t.testdir(), 'kinds')
  const recorder = await recordExchanges({ target, out: dir, maxBody: 4096, mask: ['x-customer'] })
  const at = recorder.url
  const form = new FormData()
  form.set('password', 'of-the-form')
  form.set('file', new Blob([Buffer.from([1, 2, 255])]), 'a.bin')
  await fetch(`${at}/login?password=of-the-query&a=1`, {
    method: 'POST',
    headers: { 'x-customer': 'of-the-header', authorization: `Basic ${Buffer.from('ann:of-basic').toString('base64')}` },
    body: form
  })
  const cookie = { cookie: 'sid=session-of-the-server-0' }
  t.equal(await (await fetch(`${at}/me`, { headers: cookie })).text(), 'you are session-of-the-server-0')
  await fetch(`${at}/broken`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"of-no-json",' })
  await fetch(`${at}/urlencoded`, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'newPassword=of+the%20pairs&b=2' })
  await fetch(`${at}/large`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(5000) })
  await (await fetch(`${at}/picture`)).arrayBuffer()
  t.strictSame(await (await fetch(`${at}/zipped`)).json(), { at: '2026-01-01T00:00:00Z' })
  const aborter = new AbortController()
  const stream = await fetch(`${at}/stream`, { signal: aborter.signal })
  await stream.body?.getReader().read()
  aborter.abort()
  await recorder.close()
  const text = readFileSync(recordingFile(dir), 'utf8')
  t.notMatch(text, /of-the-|of-basic|of-no-json|the pairs|the%20pairs|session-of/, 'nothing of a secret')
  t.equal(recorder.recorded, 8)
  t.equal(seen[4]?.body.length, 5000, 'what is too large to be kept passes')

  turn = 1
  seen.length = 0
  const report = await compareExchanges(dir, { against: target, maxBody: 4096, secrets: { 1: 'given' } })
  t.match(report.exchanges.filter(each => each.differences.length > 0 || each.skipped !== undefined), [
    { path: '/large', skipped: /too large/ },
    { path: '/picture', differences: [{ place: 'body:$', recorded: { bytes: 3 } }] }
  ])
  t.match(seen[0]?.body, /name="password"\r\n\r\n\d+-Fb1!x/)
  t.ok(seen[0]?.body.includes('\u0001\u0002\u00FF'), 'files are sent as they were')
  t.match(Buffer.from(String(seen[0]?.headers.authorization).slice(6), 'base64').toString(), /^ann:\d-Fb1!xx$|^ann:given$/)
  t.equal(seen[1]?.headers.cookie, 'sid=session-of-the-server-1', 'the session of this run')
  t.equal((await compareExchanges(dir, { against: target, maxBody: 4096, dates: 'exact', only: ['get'] })).different, 3,
    'without the login the session is not known; the date is another; the picture')
})

t.test('the commands: exit codes, reports, and what is wrong', async t => {
  const target = await listening((_, reply) => reply.writeHead(200, { 'content-type': 'application/json', 'x-one': '1' }).end('{"a":[{"b":1,"at":2}],"password":"hidden-from-all"}'))
  const other = await listening((_, reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end('{"a":[{"b":2,"at":3}],"password":"hidden-from-all-2"}'))
  const cwd = t.testdir({ other: { 'exchanges.ndjson': '{"recording":2}\n' }, secrets: '[1]' })
  const recorder = start(t, ['record', '--target', target, '--out', 'r', '--json'], { cwd })
  await fetch(`${await address(recorder)}/x`)
  recorder.process.kill('SIGINT')
  t.equal(await recorder.exited, 0)
  t.match(await printed(recorder, /\{"recorded".+/), /^\{"recorded":1,"failed":0,"file":".+exchanges\.ndjson"\}$/)
  const compare = async (...args: string[]) => await run(cwd, ['compare', 'r', ...args])
  t.match(await compare('--against', target), { code: 0, out: /^1 exchanges compared against .+: no differences$/ })
  const text = await compare('--against', other)
  t.equal(text.code, 3)
  t.match(text.out, /^#1 GET \/x\n {2}header:x-one: recorded "1", now \(nothing\)\n {2}body:\$\.a\[0\]\.b: recorded 1, now 2\n {2}body:\$\.a\[0\]\.at/)
  t.notMatch(text.out, /hidden/)
  t.equal(text.err, 'error FBK_CLI_DIFFERENCES: 1 of 1 responses differ.')
  t.equal((await compare('--against', other, '--ignore', 'header:x-one,body:$.a[*].b,body:$..at')).code, 0)
  t.match((await compare('--against', other, '--reporter', 'tap')).out, /^TAP version 14\n1\.\.1\nnot ok 1 - \\#1 GET \/x\n {2}---\n/)
  t.match(JSON.parse((await compare('--against', other, '--json')).out), { different: 1, exchanges: [{ differences: [{ place: 'header:x-one' }, {}, {}] }] })
  t.match(await compare('--against', other, '--only', 'POST', '--json'), { code: 0, out: /"skipped": 1/ })

  t.match(await compare('--against', 'ftp://a'), { code: 1, err: /^error FBK_CLI_TARGET: / })
  t.match(await compare('--against', 'http://127.0.0.1:1'), { code: 1, err: /^error FBK_CLI_NO_ANSWER: 127\.0\.0\.1:1 / })
  t.match(await compare('--against', other, '--ignore', 'body:x'), { code: 1, err: /^error FBK_CLI_IGNORE: / })
  t.match(await compare('--against', other, '--secrets', 'secrets'), { code: 2, err: /holds texts by number/ })
  t.match(await compare('--against', other, '--dates', 'no'), { code: 2 })
  t.match(await run(cwd, ['compare', 'none', '--against', other]), { code: 1, err: /^error FBK_CLI_RECORDING: .+there is no file/ })
  t.match(await run(cwd, ['compare', 'other', '--against', other]), { code: 1, err: /"recording": 1/ })
  writeFileSync(path.join(cwd, 'other/exchanges.ndjson'), '{"recording":1,"target":"http://a"}\n{"number":1}\n')
  t.match(await run(cwd, ['compare', 'other', '--against', other]), { code: 1, err: /line 2 is no exchange/ })
  t.match(await run(cwd, ['record', '--target', target, '--out', 'r']), { code: 1, err: /^error FBK_CLI_RECORDING_EXISTS: / })
  t.match(await run(cwd, ['record', '--target', target, '--out', 's', '--port', new URL(other).port]), { code: 1, err: /^error FBK_CLI_ADDRESS_IN_USE: / })
  const dead = await recordExchanges({ target: 'http://127.0.0.1:1', out: path.join(cwd, 'dead') })
  const answer = await fetch(dead.url)
  t.equal(answer.status, 502)
  t.match(await answer.json(), { error: { statusCode: 502, code: 'FBK_CLI_NO_ANSWER' } })
  await dead.close()
  t.equal(dead.failed, 1)
})
