/** Limits of attempts at the OAuth endpoints: S-77. */
import tap from 'tap'
import { atOnce, statuses } from './clients.js'
import { inTurn, max, secretOfAll, start } from './guesses.js'
import type { Answer } from './harness.js'

const client = {
  id: 'web',
  name: 'web',
  clientType: 'confidential',
  clientSecret: 'web secret',
  grantTypes: ['client_credentials', 'password', 'authorization_code'],
  scopes: ['read']
}

tap.test('S-77 OAuth: users at the login page and in the password grant, clients by their secrets', async t => {
  // Seen to fail: before this change 300 guesses at once all ran, a user had one count per spelling, and a locked
  // client was locked for itself
  const server = await start(t, 'memory')
  await server.models.OAuthClientApplication?.create(client)
  const form = async (path: string, values: Record<string, string>, address = '10.0.0.1'): Promise<Answer> =>
    await server.send('POST', path, {
      prefix: '',
      payload: new URLSearchParams(values).toString(),
      type: 'application/x-www-form-urlencoded',
      headers: { 'x-forwarded-for': address }
    })
  const grant = (username: string, password: string, address?: string) => async (): Promise<Answer> =>
    await form(
      '/oauth/token',
      { grant_type: 'password', client_id: 'web', client_secret: 'web secret', username, password, scope: 'read' },
      address
    )
  const page = (username: string, password: string, address?: string) => async (): Promise<Answer> =>
    await form('/login', { username, password }, address)
  const secret =
    (text: string, address?: string, id = 'web') =>
      async (): Promise<Answer> =>
        await form(
          '/oauth/token',
          { grant_type: 'client_credentials', client_id: id, client_secret: text, scope: 'read' },
          address
        )

  t.same(
    await inTurn([
      page('ann', 'no'),
      grant('ann@x.test', 'no'),
      page('ann', 'no'),
      grant('ann', secretOfAll),
      page('ann@x.test', secretOfAll)
    ]),
    [303, 400, 303, 429, 429],
    'page and grant, name and e-mail together'
  )
  t.same(
    await inTurn([page('nobody', 'no'), page('NOBODY', 'no'), page(' nobody', 'no'), page('nobody', 'no')]),
    [303, 303, 303, 429],
    'nobody counts alike'
  )
  t.same(
    statuses(await atOnce(40, async i => await grant('ben', `guess ${i}`)())),
    { 400: max, 429: 40 - max },
    'many guesses at once'
  )
  t.same(
    await inTurn(Array.from({ length: 6 }, () => grant('cid', secretOfAll))),
    [200, 200, 200, 200, 200, 200],
    'what is right does not count'
  )
  t.equal((await page('cid', secretOfAll, '10.0.0.9')()).status, 303)
  for (let i = 0; i < 6; i++) await page('cid', 'no', `10.0.1.${i}`)()
  t.same(
    await inTurn([
      grant('cid', secretOfAll),
      page('cid', secretOfAll, '10.0.0.9'),
      page('cid', secretOfAll, '10.0.0.77')
    ]),
    [200, 303, 429],
    'a lock is for addresses that were not right lately'
  )

  t.same(
    statuses(await atOnce(40, async i => await secret(`guess ${i}`, '10.0.2.1')())),
    { 401: max, 429: 40 - max },
    'guesses at a secret at once'
  )
  t.equal((await secret('web secret', '10.0.0.1')()).status, 200, 'the client goes on where it was right before')
  t.equal((await secret('web secret', '10.0.2.1')()).status, 429, 'and not where it was not')
  t.same(
    await inTurn(['a', 'b', 'c', 'd'].map(text => secret(text, '10.0.3.1', 'nobody'))),
    [401, 401, 401, 429],
    'unknown clients count alike'
  )
  await server.models.OAuthClientApplication?.create({ ...client, id: 'fresh' })
  t.same(
    statuses(await atOnce(40, async () => await secret('web secret', '10.0.4.1', 'fresh')())),
    { 200: 40 },
    'a client that begins with many requests at once is right forty times'
  )
})
