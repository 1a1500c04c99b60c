/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Pushed authorization requests (OI-160 to OI-167). */
import t from 'tap'
import {
  answerOf, asWeb, basic, Browser, callback, fails, formOf, get, post, redeem, request, verifier, type Server
} from '../server.js'
import { makeProvider, secretOf } from '../openid/provider.js'
import { later, makeExtended } from './provider.js'

const on = { options: { pushedRequests: true } }
type Fields = Record<string, string | undefined>

const push = async (server: Pick<Server, 'app'>, fields: Fields = request(), headers = asWeb as Record<string, string>) =>
  await post(server, '/oauth/par', fields, headers)
const pushed = async (server: Pick<Server, 'app'>, fields?: Fields, headers?: Record<string, string>): Promise<string> =>
  (await push(server, fields, headers)).json().request_uri

t.test('OI-18, OI-165: without the option there is no trace of it', async t => {
  const off = await makeExtended(t, {})
  const document = (await get(off, '/.well-known/oauth-authorization-server')).json()
  t.notOk(Object.keys(document).some(name => name.includes('pushed')))
  t.equal((await push(off)).statusCode, 404)
  const answer = await new Browser(off).walk(request({ request_uri: 'urn:ietf:params:oauth:request_uri:x' }))
  t.ok(answer.query.get('code'), 'a parameter like any other')
})

t.test('OI-160, OI-161: a client pushes its request', async t => {
  const server = await makeExtended(t, on)
  const response = await push(server)
  t.equal(response.statusCode, 201)
  t.equal(response.headers['cache-control'], 'no-store')
  const { request_uri, expires_in } = response.json()
  t.equal(expires_in, 60)
  const random = /^urn:ietf:params:oauth:request_uri:([\w-]+)$/.exec(request_uri)?.[1] as string
  t.ok(Buffer.from(random, 'base64url').length >= 16)
  const stored = JSON.stringify(await server.model('OAuthState').find())
  t.notMatch(stored, random, 'a digest')
  t.notMatch(stored, 'w3b secret')
  fails(t, await push(server, request(), {}), 401, 'invalid_client')
  fails(t, await push(server, request(), basic('web', 'wrong')), 401, 'invalid_client')
  for (const [more, error] of [
    [{ response_type: undefined }, 'invalid_request'], [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ scope: 'none' }, 'invalid_scope'], [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_mode: 'smoke' }, 'invalid_request'], [{ client_id: 'spa' }, 'invalid_request']
  ] as Array<[Fields, string]>) fails(t, await push(server, request(more)), 400, error, JSON.stringify(more))
  const { code_challenge, ...without } = request({ client_id: 'spa', redirect_uri: 'https://spa.test/cb' })
  fails(t, await push(server, { ...without, code_challenge_method: undefined }, {}), 400, 'invalid_request', 'PKCE')
  t.equal((await push(server, { ...without, code_challenge }, {})).statusCode, 201, 'a public client')
})

t.test('OI-162, OI-167: what cannot be pushed', async t => {
  const server = await makeExtended(t, on)
  const uri = await pushed(server)
  fails(t, await push(server, request({ request_uri: uri })), 400, 'invalid_request')
  fails(t, await push(server, request({ request_uri: '' })), 400, 'invalid_request')
  for (const redirect_uri of ['https://evil.test/cb', `${callback}/`, 'javascript:alert(1)']) {
    fails(t, await push(server, request({ redirect_uri })), 400, 'invalid_request', redirect_uri)
  }
  fails(t, await push(server, request({ redirect_uri: undefined })), 400, 'invalid_request', 'several are registered')
})

t.test('OI-163: only what was pushed counts, for its client', async t => {
  const server = await makeExtended(t, on)
  const secret = verifier()
  const request_uri = await pushed(server, request({ state: 'pushed' }, secret))
  const browser = new Browser(server)
  const answer = await browser.walk({
    client_id: 'web', request_uri, redirect_uri: 'https://client.test/other?kept=1', state: 'query', scope: 'admin',
    response_type: 'token', code_challenge: 'x'
  })
  t.equal(`${answer.url?.origin as string}${answer.url?.pathname as string}`, callback)
  t.equal(answer.query.get('state'), 'pushed')
  const tokens = await redeem(server, { code: answer.query.get('code') as string, secret })
  t.equal(tokens.json().scope, 'read')
  const page = async (fields: Fields) => {
    const response = await new Browser(server).request('GET', `/oauth/authorize?${new URLSearchParams(fields as never)}`, undefined, { accept: '*/*' })
    t.equal(response.headers.location, undefined)
    fails(t, response, 400, 'invalid_request_uri')
  }
  const other = await pushed(server)
  await page({ client_id: 'guest', request_uri: other })
  await page({ client_id: 'web', request_uri: 'urn:ietf:params:oauth:request_uri:' })
  await page({ client_id: 'web', request_uri: `urn:ietf:params:oauth:request_uri:${'x'.repeat(43)}` })
  await page({ client_id: 'web', request_uri: 'https://evil.test/request' })
  await page({ client_id: 'web', request_uri: '', redirect_uri: callback })
  later(t, 61)
  await page({ client_id: 'web', request_uri: other })
})

t.test('OI-164: used once, and the login page can be reloaded', async t => {
  const server = await makeExtended(t, on)
  const fields = { client_id: 'web', request_uri: await pushed(server) }
  const browser = new Browser(server)
  for (let i = 0; i < 3; i++) t.match((await browser.follow(await browser.authorize(fields))).body, 'password')
  later(t, 300)
  const decision = await browser.follow(await browser.logIn())
  const form = formOf(decision)
  t.ok(form.names.includes('transaction_id'), 'a login may take longer than the request_uri lives')
  t.ok(formOf(await browser.authorize(fields)).names.includes('transaction_id'), 'not answered yet')
  const answer = answerOf(await browser.request('POST', form.action, form.hidden))
  t.ok(answer.query.get('code'))
  t.equal((await browser.authorize(fields)).statusCode, 400)
  const again = { client_id: 'web', request_uri: await pushed(server) }
  const both = await Promise.all([browser.authorize(again), browser.authorize(again), browser.authorize(again)])
  t.equal(both.filter(each => answerOf(each).query.get('code') !== null).length, 1, 'at once')
  const refused = {
    client_id: 'guest', request_uri: await pushed(server, request({
      client_id: 'guest', redirect_uri: 'https://guest.test/cb'
    }), basic('guest', 'guest secret'))
  }
  const dialog = formOf(await browser.authorize(refused))
  const denied = answerOf(await browser.request('POST', dialog.action, { ...dialog.hidden, cancel: 'Deny' }))
  t.equal(denied.query.get('error'), 'access_denied')
  t.equal((await browser.authorize(refused)).statusCode, 400, 'an error is a response, too')
})

t.test('OI-165: a request that was not pushed', async t => {
  const server = await makeExtended(t, { options: { pushedRequests: { require: true, path: '/push' } } })
  const document = (await get(server, '/.well-known/oauth-authorization-server')).json()
  t.match(document, {
    pushed_authorization_request_endpoint: 'http://op.test/push', require_pushed_authorization_requests: true
  })
  const { query } = answerOf(await new Browser(server).authorize(request()))
  t.equal(query.get('error'), 'invalid_request')
  t.equal(query.get('state'), 'S')
  const own = await makeExtended(t, on)
  t.equal((await get(own, '/.well-known/oauth-authorization-server')).json().require_pushed_authorization_requests, false)
  t.ok((await new Browser(own).walk(request())).query.get('code'))
  await own.model('OAuthClientApplication').updateAll({ id: 'web' }, { requirePushedAuthorizationRequests: true })
  t.equal(answerOf(await new Browser(own).authorize(request())).query.get('error'), 'invalid_request')
  t.ok((await new Browser(own).walk({ client_id: 'web', request_uri: await pushed(own) })).query.get('code'))
})

t.test('OI-166: other methods, and bodies that are too large', async t => {
  const server = await makeExtended(t, on)
  t.ok([404, 405].includes((await get(server, '/oauth/par')).statusCode))
  t.equal((await push(server, request({ state: 'x'.repeat(70_000) }))).statusCode, 413)
  await t.rejects(makeExtended(t, { options: { pushedRequests: true, authorizePath: false } }), {
    code: 'FBK_OAUTH2_INVALID_OPTIONS'
  })
})

t.test('OI-160, OI-164: openid requests are pushed as well', async t => {
  const server = await makeProvider(t, { options: { pushedRequests: true } })
  const all = (more: Fields = {}) => request({ client_id: 'rp', scope: 'openid', nonce: 'N', ...more })
  fails(t, await push(server, all({ prompt: 'none login' }), secretOf('rp')), 400, 'invalid_request')
  fails(t, await push(server, all({ redirect_uri: undefined }), secretOf('rp')), 400, 'invalid_request')
  fails(t, await push(server, all({ request: 'x.y.z' }), secretOf('rp')), 400, 'request_not_supported')
  const browser = new Browser(server)
  const of = async (more: Fields = {}) => ({ client_id: 'rp', request_uri: await pushed(server, all(more), secretOf('rp')) })
  const hint = await browser.follow(await browser.authorize(await of({ login_hint: 'ada@op.test' })))
  t.match(hint.body, 'value="ada@op.test"', 'the hint of the request that waits')
  t.ok((await browser.walk(await of())).query.get('code'))
  t.ok((await browser.walk(await of({ prompt: 'login' }))).query.get('code'))
  const choice = await browser.follow(await browser.authorize(await of({ prompt: 'select_account' })))
  const form = formOf(choice)
  t.ok(form.names.includes('continue'), 'the choice of the request that waits')
  const went = await browser.follow(await browser.request('POST', form.action, { ...form.hidden, continue: 'yes' }))
  t.ok(answerOf(went).query.get('code'))
})
