/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** A written client logs in by an account elsewhere, at a real server with a provider on a real socket. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { scriptedProvider } from '../../login/test/provider.js'
import { serve, writeClient } from '../src/index.js'
import { compile } from './compile.js'

interface Written {
  startLogin (client: { baseUrl: string }, provider: 'op'): Promise<{ address: string, verifier: string }>
  finishLogin (client: { baseUrl: string }, code: string, verifier: string):
  Promise<{ access_token: string, userId: number }>
  createClient (client: { baseUrl: string, token: string }):
  { User: { findById (given: { id: number }): Promise<{ id: number }> } }
}

t.test('LG-53: startLogin gives the address, finishLogin exchanges the code', async t => {
  const provider = await scriptedProvider(t)
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    app: {
      server: {
        'datasources.json': '{ "db": { "connector": "memory" } }',
        'model-config.json': '{ "User": { "dataSource": "db", "public": true }, "AccessToken": { "dataSource": "db", "public": false } }',
        'component-config.json': JSON.stringify({
          '@fastback/login': {
            secret: 'a secret of sixteen and more', exchangePath: '/auth/exchange',
            providers: {
              op: {
                preset: 'oidc', issuer: provider.issuer, clientID: 'client', clientSecret: 'client-secret', session: true,
                successRedirect: '/in', failureRedirect: '/out', failureQueryString: true
              }
            }
          }
        }),
        boot: { 'auth.js': 'export default app => { app.enableAuth() }' }
      }
    }
  })
  const app = path.join(dir, 'app')
  await writeClient(app, { out: path.join(dir, 'api.ts') })
  t.match(readFileSync(path.join(dir, 'api.ts'), 'utf8'), /^export type LoginProvider = "op"$|^export type LoginProvider = 'op'$/m)
  t.strictSame(compile(dir).filter(each => !each.startsWith('provider')), [])
  const { startLogin, finishLogin, createClient } = await import(pathToFileURL(path.join(dir, 'api.js')).href) as Written
  const served = await serve(app, { port: 0, host: '127.0.0.1', log: false })
  t.teardown(() => served.close())
  const client = { baseUrl: served.apiUrl }

  const logIn = async (): Promise<{ code: string, verifier: string }> => {
    const { address, verifier } = await startLogin(client, 'op')
    t.notMatch(address, verifier, 'the verifier stays at home')
    const begun = await fetch(address, { redirect: 'manual' })
    const cookie = begun.headers.getSetCookie().map(each => each.split(';')[0]).join('; ')
    const back = await fetch(begun.headers.get('location') as string, { redirect: 'manual' })
    const ended = await fetch(back.headers.get('location') as string, { redirect: 'manual', headers: { cookie } })
    const { pathname, searchParams } = new URL(ended.headers.get('location') as string, served.apiUrl)
    t.equal(pathname, '/in')
    return { code: searchParams.get('login_code') as string, verifier }
  }
  const one = await logIn()
  const { access_token: token, userId } = await finishLogin(client, one.code, one.verifier)
  t.equal((await createClient({ ...client, token }).User.findById({ id: userId })).id, userId)
  await t.rejects(finishLogin(client, one.code, one.verifier), { name: 'ApiError', statusCode: 400, code: 'CODE_INVALID' })
  const [mine, theirs] = [await logIn(), await logIn()]
  await t.rejects(finishLogin(client, mine.code, theirs.verifier), { statusCode: 400, code: 'CODE_INVALID' })
})
