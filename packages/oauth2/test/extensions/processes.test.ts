// FASTBACK_TEST_FULL: several processes.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/**
 * Two servers on one database (OI-07): a device code, a user code, a `request_uri` and a registration token work in
 * both, and once. SQLite, and databases that are reached.
 */
import path from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { makeScratch, whyLeftOut } from '../../../../test-fixtures/scratch.mjs'
import { answerOf, asWeb, Browser, formOf, post, request, type Server } from '../server.js'
import { atPage, codesOf, decide, enter, makeExtended, poll } from './provider.js'

async function together (t: Test, url: string): Promise<void> {
  const parts = {
    connector: sqlConnector, settings: { url, migrate: 'update' },
    options: {
      deviceFlow: true, pushedRequests: true,
      dynamicRegistration: { initialAccessToken: 'an-initial-access-token', allowedScopes: ['read'] }
    }
  }
  const first = await makeExtended(t, parts)
  const second = await makeExtended(t, { ...parts, seed: false })
  const servers = [first, second]
  const count = (responses: Array<{ statusCode: number }>, status: number): number =>
    responses.filter(({ statusCode }) => statusCode === status).length

  const { device_code, user_code } = await codesOf(first)
  t.equal((await poll(second, device_code)).json().error, 'authorization_pending')
  t.equal((await poll(first, device_code)).json().error, 'slow_down', 'OI-143: both know when the last poll was')
  const ada = await atPage(first)
  const bob = await atPage(second, 'bob', 'battery staple')
  const forms = await Promise.all([ada, bob].map(async browser => formOf(await enter(browser, user_code))))
  const decided = await Promise.all([ada, bob].map(async (browser, i) => await browser.request('POST', '/oauth/device', {
    ...forms[i]?.hidden, decision: 'allow'
  })))
  t.equal(count(decided, 200), 1, 'OI-07: a user code works once')
  const polls = await Promise.all([first, second, first, second].map(async server => await poll(server, device_code)))
  t.equal(count(polls, 200), 1, 'OI-146')
  t.equal(count(polls, 400), 3)
  const denied = await codesOf(second)
  await decide(ada, denied.user_code, 'deny')
  t.equal((await poll(second, denied.device_code)).json().error, 'access_denied')

  const { request_uri } = (await post(second, '/oauth/par', request(), asWeb)).json()
  const fields = { client_id: 'web', request_uri }
  const { action, hidden } = formOf(await ada.authorize(fields))
  t.ok(answerOf(await ada.request('POST', action, hidden)).query.get('code'))
  const again = { client_id: 'web', request_uri: (await post(first, '/oauth/par', request(), asWeb)).json().request_uri }
  const browsers = servers.map(server => new Browser(server, ada.cookies))
  const codes = await Promise.all([...browsers, ...browsers].map(async browser =>
    answerOf(await browser.authorize(again))))
  t.equal(codes.filter(({ query }) => query.get('code') !== null).length, 1, 'OI-164')

  const registered = (await first.app.inject({
    method: 'POST', url: '/oauth/register', headers: { host: 'op.test', authorization: 'Bearer an-initial-access-token' },
    payload: { redirect_uris: ['https://new.test/cb'], client_name: 'Ünï' }
  })).json()
  const manage = async (server: Server, method: 'GET' | 'PUT' | 'DELETE', payload?: object) => await server.app.inject({
    method, url: `/oauth/register/${registered.client_id as string}`,
    headers: { host: 'op.test', authorization: `Bearer ${registered.registration_access_token as string}` },
    ...(payload === undefined ? {} : { payload })
  })
  const { client_secret, client_secret_expires_at, ...shown } = registered
  t.same((await manage(second, 'GET')).json(), shown, 'OI-198')
  const update = { client_id: registered.client_id, redirect_uris: ['https://new.test/cb'], client_secret }
  t.equal((await manage(second, 'PUT', update)).json().client_name, undefined, 'OI-199')
  t.equal((await manage(first, 'GET')).json().client_name, undefined)
  const removed = await Promise.all(servers.map(async server => await manage(server, 'DELETE')))
  t.equal(count(removed, 204), 1, 'OI-200')
  // One file of SQLite may be busy.
  t.equal(count(removed, 401) + count(removed, 503), 1)
  t.equal((await manage(second, 'DELETE')).statusCode, 401)
}

t.test('OI-07, OI-146, OI-164: servers on one SQLite file', async t => {
  await together(t, `sqlite:${path.join(t.testdir(), 'db.sqlite')}`)
})

for (const name of ['postgres', 'mysql'] as const) {
  t.test(`OI-07, OI-146, OI-164: servers on one database: ${name}`, { skip: await whyLeftOut(name) }, async t => {
    const scratch = await makeScratch(name)
    t.teardown(scratch.remove)
    await together(t, scratch.url)
  })
}
