/** Two processes on one database (O-113, O-129): a code and a refresh token work once. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import t from 'tap'
import { asWeb, callback, codeOf, makeServer, verifier, challengeOf } from './server.js'

const rounds = Number(process.env.FASTBACK_OAUTH2_RACES ?? 25)

t.test('codes and refresh tokens of two processes', async t => {
  const file = path.join(t.testdir(), 'db.sqlite')
  const server = await makeServer(t, { connector: sqlConnector, settings: { url: `sqlite:${file}` } })
  const children: ChildProcess[] = [1, 2].map(() => fork(fileURLToPath(new URL('process.js', import.meta.url)), [file], { execArgv: [] }))
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
  // The first request of each process verifies the client's secret, which takes longer than a race.
  await race({ grant_type: 'client_credentials' })
  await codeOf(server)
  const winners: string[] = []
  for (let i = 0; i < rounds; i++) {
    const secret = verifier()
    const code = await server.provider.codes.issue({
      appId: 'web', userId: 1, scopes: ['read'], redirectURI: callback, redirectURIGiven: true, codeChallenge: challengeOf(secret), expiresIn: 300
    })
    winners.push((await race({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: secret })).sort().join(' '))
  }
  t.strictSame(winners, Array(rounds).fill('200 400'), 'O-113')
  winners.length = 0
  const client = await server.provider.clients.find('web')
  for (let i = 0; i < rounds; i++) {
    const { refreshToken } = await server.provider.tokens.issue({
      client: client as never, user: undefined, userId: 1, scopes: ['read'], grantType: 'password', refreshable: true
    })
    winners.push((await race({ grant_type: 'refresh_token', refresh_token: refreshToken as string })).sort().join(' '))
  }
  t.strictSame(winners, Array(rounds).fill('200 400'), 'O-129')
})
