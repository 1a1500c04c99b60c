// FASTBACK_TEST_FULL: several processes.
/**
 * Two processes on one database (O-113, O-129): a code and a refresh token work once. SQLite, and the servers that can
 * be reached. `FASTBACK_OAUTH2_RACES=1000` runs that many races of each kind instead of 25.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { makeScratch, whyLeftOut } from '../../../test-fixtures/scratch.mjs'
import { asWeb, callback, codeOf, makeServer, verifier, challengeOf } from './server.js'

const rounds = Number(process.env.FASTBACK_OAUTH2_RACES ?? 25)

async function races (t: Test, url: string): Promise<void> {
  const settings = { url, migrate: 'update' }
  const server = await makeServer(t, { connector: sqlConnector, settings, realHashes: true })
  const script = fileURLToPath(new URL('process.js', import.meta.url))
  const children: ChildProcess[] = [1, 2].map(() => fork(script, [url], { execArgv: [] }))
  t.teardown(() => { for (const child of children) child.kill() })
  await Promise.all(children.map(child => once(child, 'message')))
  const race = async (fields: Record<string, string>): Promise<number[]> => {
    const at = Date.now() + 15
    return await Promise.all(children.map(async child => {
      const answer = once(child, 'message')
      child.send({ fields, authorization: asWeb.authorization, at })
      return (await answer)[0] as number
    }))
  }
  const outcomes = async (fields: () => Promise<Record<string, string>>): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {}
    for (let i = 0; i < rounds; i++) {
      const outcome = (await race(await fields())).sort().join(' ')
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    return counts
  }
  // The first request of each process verifies the client's secret, which takes longer than a race.
  await race({ grant_type: 'client_credentials' })
  await codeOf(server)

  const codes = await outcomes(async () => {
    const secret = verifier()
    const code = await server.provider.codes.issue({
      appId: 'web',
      userId: 1,
      scopes: ['read'],
      redirectURI: callback,
      redirectURIGiven: true,
      codeChallenge: challengeOf(secret),
      expiresIn: 300
    })
    return { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: secret }
  })
  t.strictSame(codes, { '200 400': rounds }, `O-113: ${rounds} races`)
  const client = await server.provider.clients.find('web')
  const refreshTokens = await outcomes(async () => {
    const { refreshToken } = await server.provider.tokens.issue({
      issuer: 'http://op.test',
      client: client as never, user: undefined, userId: 1, scopes: ['read'], grantType: 'password', refreshable: true
    })
    return { grant_type: 'refresh_token', refresh_token: refreshToken as string }
  })
  t.strictSame(refreshTokens, { '200 400': rounds }, `O-129: ${rounds} races`)
}

t.test('P-32: two processes on one SQLite file', async t => {
  await races(t, `sqlite:${path.join(t.testdir(), 'db.sqlite')}`)
})

for (const name of ['postgres', 'mysql'] as const) {
  t.test(`two processes on one database: ${name}`, { skip: await whyLeftOut(name) }, async t => {
    const scratch = await makeScratch(name)
    t.teardown(scratch.remove)
    await races(t, scratch.url)
  })
}
