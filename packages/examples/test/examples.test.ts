// FASTBACK_TEST_FULL: every example is started as a process.
/** Each example starts with the command that the README says, and does what it is there for. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { freePort } from '../../../test-fixtures/free-port.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const examples = 'packages/examples'
const cli = 'packages/cli/bin/fastback.js'

type Loose = any
interface Answer { readonly status: number, readonly body: Loose }
type Ask = (method: string, path: string, options?: { body?: object, token?: string }) => Promise<Answer>

/** Starts a program of Node that says an address when it listens. */
async function start (t: Test, args: string[], env: Record<string, string> = {}): Promise<{ url: string, ask: Ask }> {
  const port = await freePort()
  const child = spawn(process.execPath, args, {
    cwd: root, env: { ...process.env, NODE_ENV: '', HOST: '', PORT: String(port), ...env }, stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  const url = `http://127.0.0.1:${port}`
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += String(text)
      if (said.includes(`:${port}`)) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', code => { reject(new Error(`ended with ${String(code)}: ${said}`)) })
  })
  const ask: Ask = async (method, path, { body, token } = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: token })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return { url, ask }
}

const run = (args: string[], env: Record<string, string> = {}): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr + stdout)
  return stdout
}

t.test('loopback3', async t => {
  const { ask } = await start(t, [cli, 'serve', `${examples}/loopback3`])
  t.match((await ask('GET', '/api/Breads/cheapest')).body, { name: 'Roll', price: 1, changedAt: String })
  t.match(await ask('POST', '/api/Orders', { body: { breadId: 1, count: 3 } }), { status: 200, body: { total: 12 } })
  t.match(await ask('POST', '/api/Orders', { body: { breadId: 9, count: 3 } }), { status: 422, body: { error: { code: 'NO_SUCH_BREAD' } } })
  t.match((await ask('GET', '/api/Breads/1/orders')).body, [{ count: 3 }])
})

t.test('user-models', async t => {
  const { ask } = await start(t, [cli, 'serve', `${examples}/user-models`])
  const logIn = async (path: string): Promise<{ id: string, userId: number }> => {
    const body = { email: 'ann@example.com', password: 'a long secret' }
    t.match(await ask('POST', `/api/${path}`, { body }), { status: 200 })
    return (await ask('POST', `/api/${path}/login`, { body })).body
  }
  const customer = await logIn('Customers')
  const worker = await logIn('Workers')
  t.equal(customer.userId, worker.userId, 'the same id, of two models')
  t.match(await ask('GET', `/api/Customers/${customer.userId}`, { token: customer.id }), { status: 200 })
  t.match(await ask('GET', `/api/Customers/${customer.userId}`, { token: worker.id }), { status: 403 })
  const job = await ask('POST', '/api/Jobs', { token: customer.id, body: { what: 'a table', customerId: 99 } })
  t.match(job, { status: 200, body: { customerId: customer.userId, done: false } }, 'whatever the body says')
  t.match(await ask('POST', '/api/Jobs', { token: worker.id, body: { what: 'x' } }), { status: 403 })
  t.match(await ask('GET', '/api/Jobs', { token: customer.id }), { status: 403 })
  t.match(await ask('PATCH', `/api/Jobs/${job.body.id}`, { token: worker.id, body: { done: true } }), { status: 200, body: { done: true } })
})

t.test('tickets', async t => {
  t.teardown(() => { rmSync(`${root}/${examples}/tickets/dist`, { recursive: true, force: true }) })
  run(['node_modules/typescript/bin/tsc', '-p', `${examples}/tickets`])
  const { ask } = await start(t, [`${examples}/tickets/dist/server.js`], { DATABASE_URL: 'sqlite::memory:' })
  const { body: ann } = await ask('POST', '/api/People', { body: { name: 'Ann', mail: 'ann@example.com' } })
  t.match(await ask('POST', '/api/Tickets', { body: { title: 'no' } }), { status: 422 })
  const { body: ticket } = await ask('POST', '/api/Tickets', { body: { title: 'It leaks', priority: 1, assigneeId: ann.id } })
  t.match(ticket, { state: 'open', priority: 1 })
  t.match(await ask('POST', `/api/Tickets/${ticket.id}/close`, { body: { comment: 'x'.repeat(2_001) } }), { status: 422 }, 'too long')
  t.match((await ask('GET', `/api/Tickets/${ticket.id}`)).body, { state: 'open' }, 'and so not closed either')
  t.match(await ask('POST', `/api/Tickets/${ticket.id}/close`, { body: { comment: 'mended' } }), { status: 200, body: { state: 'done' } })
  t.match((await ask('GET', `/api/Tickets/${ticket.id}?filter={"include":["comments","assignee"]}`)).body, {
    comments: [{ text: 'mended' }], assignee: { name: 'Ann' }
  })
  t.match(await ask('PATCH', `/api/Tickets/${ticket.id}`, { body: { state: 'open' } }), { status: 409, body: { error: { code: 'TICKET_DONE' } } })
})

t.test('oauth', async t => {
  const { url } = await start(t, [`${examples}/oauth/server.js`])
  const said = run([`${examples}/oauth/client.js`], { SERVER: url })
  t.match(said, /^without a token: 401 Bearer/)
  t.match(said, /with a token for "orders": 200 \[\{"what":"bread"/)
})

t.test('facade', async t => {
  const services = await start(t, [`${examples}/facade/services.js`])
  const { ask } = await start(t, [cli, 'serve', `${examples}/facade`], { SERVICES_PORT: new URL(services.url).port })
  t.match(await ask('GET', '/api/Offers/oak%20table?currency=CHF'), {
    status: 200, body: { article: 'oak table', count: 3, price: 225.6, currency: 'CHF' }
  })
  t.match(await ask('GET', '/api/Offers/chair?currency=XXX'), { status: 404 })
})

t.test('existing-database', async t => {
  const into = t.testdir({})
  const { ask } = await start(t, [`${examples}/existing-database/start.js`, '--into', into])
  t.match((await ask('GET', '/api/Books?filter={"include":"author","where":{"pages":{"gt":100}},"order":"title"}')).body, [
    { title: 'On bread', author: { name: 'Ann' } }, { title: 'On tables', author: { name: 'Ben' } }
  ])
  t.match(await ask('POST', '/api/Books', { body: { isbn: '4', title: 'On oil', authorId: 2 } }), { status: 200 })
})

t.test('files', async t => {
  const { url, ask } = await start(t, [`${examples}/files/server.js`], { PHOTOS: `${t.testdir({})}/photos` })
  const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const send = async (content: Uint8Array<ArrayBuffer>, type: string, name: string): Promise<number> => {
    const form = new FormData()
    form.append('file', new Blob([content], { type }), name)
    return (await fetch(`${url}/api/Albums/summer/upload`, { method: 'POST', body: form })).status
  }
  t.equal(await send(new Uint8Array(pixel), 'image/png', 'me.png'), 200)
  t.match(await ask('GET', '/api/Albums/summer/files'), { body: [{ name: 'me.png', size: pixel.length }] })
  const back = await fetch(`${url}/api/Albums/summer/download/me.png`)
  t.same(Buffer.from(await back.arrayBuffer()), pixel)
  t.equal(await send(new TextEncoder().encode('<script></script>'), 'text/html', 'page.html'), 415, 'no picture')
})

t.test('offline', async t => {
  const said = run([`${examples}/offline/two-devices.js`], { PORT: String(await freePort()) })
  t.match(said, 'without a line, laptop: bread, milk (done)')
  for (const device of ['phone', 'laptop']) t.match(said, `agreed again, ${device}: bread, oat milk (done)\n`)
  t.match(said, 'conflicts: 0')
})
