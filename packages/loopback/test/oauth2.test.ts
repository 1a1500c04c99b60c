// FASTBACK_TEST_FULL: an application as a process.
/** Folders that set OAuth up in code: `require('loopback-component-oauth2')`. */
import { execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { launch } from '@fastback/loopback/launch'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const tolls = fileURLToPath(new URL('../../../test-fixtures/apps/tolls', import.meta.url))

/** A copy of the folder, with other files where the test has some. */
function copied (t: Test, files: Readonly<Record<string, string>>): string {
  const root = t.testdir({})
  cpSync(tolls, root, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(root, file), text)
  return root
}

/** It runs as `node .` would run it. */
async function served (t: Test, files: Readonly<Record<string, string>> = {}) {
  const root = copied(t, files)
  const before = process.cwd()
  const { url, app, stop, mapped } = await launch(root)
  t.teardown(async () => {
    await stop()
    process.chdir(before)
  })
  const ask = async (at: string, token?: string): Promise<Response> => await fetch(`${url}${at}`, {
    redirect: 'manual', headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
  })
  const tokenFor = async (fields: Record<string, string>): Promise<string> => {
    const body = new URLSearchParams({ client_id: 'gate', client_secret: 'a secret of the gate', ...fields })
    return (await (await fetch(`${url}/oauth/token`, { method: 'POST', body })).json() as { access_token: string }).access_token
  }
  const ofAda = async (scope: string): Promise<string> =>
    await tokenFor({ grant_type: 'password', username: 'ada', password: 'correct horse', scope })
  return { url, app, mapped, ask, tokenFor, ofAda }
}

t.test('a boot script sets the provider up, and middleware of Express asks for tokens', async t => {
  const { url, app, mapped, ask, tokenFor, ofAda } = await served(t)
  t.ok(mapped.includes('loopback-component-oauth2'))

  const refused = await ask('/api/Crossings')
  t.equal(refused.status, 401)
  t.match(refused.headers.get('www-authenticate'), /^Bearer realm=/)
  t.equal(refused.headers.get('cache-control'), 'no-store')
  const ada = await ofAda('crossings')
  t.same(await (await ask('/api/Crossings', ada)).json(), [{ plate: 'AB 12', id: 1 }])
  t.same(await (await ask('/api/Crossings/who', ada)).json(), { client: 'gate', userId: 1 }, 'methods know who asks')
  const other = await ask('/api/Crossings', await ofAda('other'))
  t.equal(other.status, 403)
  t.match(await other.json(), { error: 'insufficient_scope' })
  t.match(other.headers.get('www-authenticate'), /scope="crossings"/)
  t.equal((await ask('/api/Crossings', 'unknown-token')).status, 401)

  t.equal((await ask('/ledger/days')).status, 401)
  t.equal((await ask('/ledger/days', ada)).status, 403)
  t.same(await (await ask('/ledger/days', await ofAda('keep'))).json(), { days: 3, by: 'ada' })
  const gate = await tokenFor({ grant_type: 'client_credentials', scope: 'keep' })
  t.same(await (await ask('/toll-keeper', gate)).json(), { client: 'gate', user: null, keeper: true })
  t.same(await (await ask('/toll-keeper', ada)).json(), { client: 'gate', user: 'ada', keeper: false })
  t.equal((await ask('/toll-keeper')).status, 401)

  const query = new URLSearchParams({ response_type: 'code', client_id: 'gate', redirect_uri: 'https://gate.test/back', scope: 'keep' })
  const authorize = await ask(`/oauth/authorize?${query.toString()}`)
  t.equal(authorize.status, 302)
  t.match(authorize.headers.get('location'), '/login')
  t.equal((await ask('/login')).status, 200)
  const revoked = await fetch(`${url}/oauth/revoke`, {
    method: 'POST', body: new URLSearchParams({ client_id: 'gate', client_secret: 'a secret of the gate', token: ada })
  })
  t.equal(revoked.status, 200)
  t.equal((await ask('/api/Crossings', ada)).status, 401, 'a token that was revoked')

  const handlers = app.get('handlers') as Record<string, unknown>
  t.throws(() => handlers.token, { code: 'FBK_OAUTH2_NO_HANDLER', message: /"tokenPath"/ })
})

t.test('the component\'s function, called by code of the folder', async t => {
  const root = copied(t, {
    'server/boot/2-oauth.js': '',
    'server/boot/0-oauth.js': 'module.exports = app => { require("loopback-component-oauth2")(app, { dataSource: "db" }) }'
  })
  // Applications of one process share their models: this one has them for itself.
  const script = `
    const { launch } = await import('@fastback/loopback/launch')
    const { url, stop } = await launch(${JSON.stringify(root)})
    const body = new URLSearchParams({
      client_id: 'gate', client_secret: 'a secret of the gate', grant_type: 'password', username: 'ada', password: 'correct horse', scope: 'keep'
    })
    const { access_token } = await (await fetch(url + '/oauth/token', { method: 'POST', body })).json()
    const headers = { authorization: 'Bearer ' + access_token }
    const answers = [await fetch(url + '/toll-keeper'), await fetch(url + '/toll-keeper', { headers }), await fetch(url + '/api/Crossings')]
    console.log('SAID ' + JSON.stringify([...answers.map(({ status }) => status), await answers[1].json()]))
    await stop()
  `
  const output = execFileSync(process.execPath, ['--conditions=unbundled', '--input-type=module', '-e', script], {
    cwd: packageFolder, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'test' }
  })
  t.same(JSON.parse(/^SAID (.*)$/m.exec(output)?.[1] as string), [401, 200, 200, { client: 'gate', user: 'ada', keeper: true }])
})

t.test('without a provider nothing passes', async t => {
  const { ask } = await served(t, { 'server/boot/2-oauth.js': '', 'server/boot/3-rows.js': '' })
  t.equal((await ask('/toll-keeper', 'some-token')).status, 500)
  t.equal((await ask('/oauth/token')).status, 404)
})
