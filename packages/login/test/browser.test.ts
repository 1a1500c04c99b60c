/** The whole way in a real Chromium. */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { login } from '@fastback/login'
import t from 'tap'
import { browserPath, launch } from '../../explorer/test/helpers/browser.js'
import { scriptedProvider } from './provider.js'

const path = browserPath()
const page = (body: string): string => `<!doctype html><title>shop</title>${body}`

t.test('LG-45, LG-52, LG-54, LG-59, LG-90, LG-94: log in, link, exchange and log out', {
  skip: path === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false
}, async t => {
  const provider = await scriptedProvider(t)
  const app = Fastify()
  t.teardown(() => app.close())
  const entry = {
    preset: 'oidc', issuer: provider.issuer, clientID: 'client', clientSecret: 'client-secret', successRedirect: '/in',
    failureRedirect: '/out', failureQueryString: true
  }
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  await app.register(login, {
    secret: 'a secret of sixteen and more',
    providers: {
      op: { ...entry, session: true }, add: { ...entry, provider: 'op', link: true },
      code: { ...entry, tokenInRedirect: 'code' }
    }
  })
  await app.register(auth, { dataSource: 'db' })
  const html = (url: string, body: string): void => {
    app.get(url, async (request, reply) => reply.type('text/html').send(page(body.replace('ID', String((request as { user?: { id?: unknown } }).user?.id)))))
  }
  html('/', '<a id="in" href="/auth/op">in</a><a id="link" href="/link/add">link</a><a id="code" href="/auth/code">code</a>' +
    '<form method="post" action="/logout"><button>out</button></form><p id="who">ID</p>')
  html('/in', '<p id="who">ID</p>')
  html('/out', '<p id="out">failed</p>')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const evil = Fastify()
  t.teardown(() => evil.close())
  evil.get('/', async (_request, reply) => reply.type('text/html').send(page(`<a id="x" href="${origin}/link/add">win</a>`)))
  await evil.listen({ port: 0, host: '127.0.0.1' })

  const chromium = await launch(path as string)
  t.teardown(() => chromium.close())
  const context = await chromium.newContext()
  const tab = await context.newPage()
  tab.setDefaultTimeout(30_000)
  await tab.goto(origin)
  t.equal(await tab.textContent('#who'), 'undefined')
  await tab.click('#link')
  await tab.waitForURL(`${origin}/out?error=NOT_LOGGED_IN`)
  await tab.goto(origin)
  await tab.click('#in')
  await tab.waitForURL(`${origin}/in`)
  t.equal(await tab.textContent('#who'), '1')
  t.equal(await tab.evaluate('document.cookie'), '', 'scripts read none of the cookies')
  const cookies = await context.cookies()
  t.strictSame(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort(), [
    ['access_token', true, 'Lax'], ['fastback.login', true, 'Lax'], ['userId', true, 'Lax']
  ])
  provider.person = { sub: 'second' }
  // Another host of the same machine is another site.
  await tab.goto(`http://localhost:${(evil.server.address() as AddressInfo).port}/`)
  await tab.click('#x')
  await tab.waitForURL(`${origin}/out?error=NOT_LOGGED_IN`)
  t.equal(await (app.registry.getModel('UserCredential') as unknown as { count (): Promise<number> }).count(), 0, 'another site links nothing')
  await tab.goto(origin)
  await tab.click('#link')
  await tab.waitForURL(`${origin}/in`)
  t.equal(await (app.registry.getModel('UserCredential') as unknown as { count (): Promise<number> }).count(), 1)
  await tab.goto(origin)
  await tab.click('button')
  await tab.waitForURL(`${origin}/`)
  t.equal(await tab.textContent('#who'), 'undefined')
  t.strictSame(await context.cookies(), [])
  await tab.click('#code')
  await tab.waitForURL(/\/in\?login_code=/)
  const given = await tab.evaluate(`fetch('/auth/exchange', {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: new URLSearchParams(location.search).get('login_code') })
  }).then(answer => answer.json())`) as { access_token: string }
  t.match(given.access_token, /^\w{64}$/)
})
