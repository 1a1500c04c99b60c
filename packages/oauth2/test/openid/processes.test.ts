// FASTBACK_TEST_FULL: several processes.
/**
 * Several servers on one database share keys, sessions and codes (OI-07, OI-33, OI-37). What they share is the store:
 * each has its own models, keys that it opened and rows that it remembers. SQLite, and databases that are reached.
 */
import path from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { makeScratch, whyLeftOut } from '../../../../test-fixtures/scratch.mjs'
import { Browser, type Server } from '../server.js'
import { get, logIn, makeProvider, readTokens, redeem, secretOf, userinfo, visit } from './provider.js'

const kids = async (server: Server): Promise<string[]> =>
  (await get(server, '/oauth/jwks')).json().keys.map(({ kid }: { kid: string }) => kid)

async function together (t: Test, url: string): Promise<void> {
  const parts = {
    connector: sqlConnector, settings: { url, migrate: 'update' },
    openid: { signingAlgorithms: ['RS256', 'ES256'], keys: { rotateEvery: 1000, publishBefore: 100 } }
  }
  const first = await makeProvider(t, parts)
  const another = async (): Promise<Server> => await makeProvider(t, { ...parts, seed: false })
  const servers = [first, await another(), await another()]
  const rows = async (): Promise<Array<{ alg: string, state: string }>> => await first.model('OAuthKey').find()
  const current = async (): Promise<string[]> =>
    (await rows()).filter(({ state }) => state === 'current').map(({ alg }) => alg).sort()

  const sets = await Promise.all(servers.flatMap(server => [kids(server), kids(server)]))
  t.equal(new Set(sets.map(set => set.sort().join())).size, 1, 'OI-33: whoever comes first makes the keys, all have them')
  t.equal((await rows()).length, 2, 'one for each algorithm')

  const rotations = await Promise.all(servers.map(async ({ provider }) => await provider.keys.rotate()))
  t.strictSame(await current(), ['ES256', 'RS256'], 'OI-38: one current key of each, whoever rotates at once')
  for (const { current } of rotations) t.equal(current.length, 2)
  const [one, two] = [await logIn(first), await logIn(servers[1] as Server)]
  t.equal(one.header.kid, two.header.kid)

  const { now } = Date
  t.teardown(() => { Date.now = now })
  Date.now = () => now() + 950_000
  await Promise.all(servers.map(kids))
  t.equal((await rows()).filter(({ state }) => state === 'next').length, 2, 'OI-37: one process publishes the next')
  Date.now = () => now() + 1_060_000
  await Promise.all(servers.map(kids))
  t.strictSame(await current(), ['ES256', 'RS256'], 'OI-37: one process lets it sign')
  Date.now = now

  const { revoked } = await (servers[2] as Server).provider.keys.rotate({ revoke: one.header.kid })
  t.equal(revoked, one.header.kid)
  for (const server of servers) t.notOk((await kids(server)).includes(one.header.kid), 'revoked for all, at once')

  const browser = new Browser(first)
  const { code, secret } = await visit(first, { browser })
  const redeemed = await Promise.all(servers.map(async server =>
    readTokens(await redeem(server, { code, secret }, {}, secretOf('rp')))))
  t.strictSame(redeemed.map(({ status }) => status).sort(), [200, 400, 400], 'OI-07: a code works once')
  const fresh = await visit(servers[1] as Server, { browser: new Browser(servers[1] as Server, browser.cookies) })
  t.notOk(fresh.answer.asked, 'OI-07: a login and a consent count in each')
  const { body } = readTokens(await redeem(servers[2] as Server, fresh, {}, secretOf('rp')))
  t.equal((await userinfo(first, body.access_token)).json().sub, '1')
}

t.test('OI-07, OI-33, OI-37: servers on one SQLite file', async t => {
  await together(t, `sqlite:${path.join(t.testdir(), 'db.sqlite')}`)
})

for (const name of ['postgres', 'mysql'] as const) {
  t.test(`OI-07, OI-33, OI-37: servers on one database: ${name}`, { skip: await whyLeftOut(name) }, async t => {
    const scratch = await makeScratch(name)
    t.teardown(scratch.remove)
    await together(t, scratch.url)
  })
}
