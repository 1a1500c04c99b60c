/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** What strangers leave behind at the OAuth provider, in the name of public clients: S-192. */
import t from 'tap'
import { basic, challengeOf, verifier, type Server } from '../../../packages/oauth2/test/server.js'
import { makeExtended } from '../../../packages/oauth2/test/extensions/provider.js'

const options = { deviceFlow: { maxPerHour: 3 }, pushedRequests: { maxPerHour: 3 }, rateLimit: false }

const request = {
  response_type: 'code', scope: 'read', code_challenge: challengeOf(verifier()), code_challenge_method: 'S256'
}
/** A path, what a public client sends there, and what a confidential one does. */
const ways = {
  device: ['/oauth/device_authorization', { client_id: 'tv', scope: 'read' }, { scope: 'read' }],
  pushed: [
    '/oauth/par', { ...request, client_id: 'spa', redirect_uri: 'https://spa.test/cb' },
    { ...request, client_id: 'guest', redirect_uri: 'https://guest.test/cb' }
  ]
} as const

const send = async ({ app }: Server, url: string, fields: object, remoteAddress: string, headers: object = {}) =>
  await app.inject({
    method: 'POST', url, remoteAddress, payload: new URLSearchParams(fields as Record<string, string>).toString(),
    headers: { host: 'op.test', 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })

t.test('S-192, OI-148, OI-168: public clients leave so many rows from one network', async t => {
  // Seen to fail: reserve of StrangersLimit in oauth2/failures empty: all were 200 and 201
  for (const [name, [url, fields, confidential]] of Object.entries(ways)) {
    const server = await makeExtended(t, { options })
    const rows = async (): Promise<number> => await server.model('OAuthState').count()
    const good = name === 'device' ? 200 : 201
    for (const [network, addresses] of [
      ['IPv4', ['192.0.2.1']], ['IPv6', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:7::']]
    ] as const) {
      for (let i = 0; i < 3; i++) {
        const response = await send(server, url, fields, addresses[i % addresses.length] as string)
        t.equal(response.statusCode, good, `${name} ${network}: ${response.body}`)
      }
      const before = await rows()
      const refused = await send(server, url, fields, addresses[0])
      t.match([refused.statusCode, refused.json()], [429, { error: 'temporarily_unavailable' }], `${name} ${network}`)
      t.ok(Number(refused.headers['retry-after']) > 0)
      t.equal(await rows(), before, 'nothing is stored')
    }
    const bad = await send(server, url, { ...fields, scope: 'none' }, '192.0.2.9')
    t.equal(bad.statusCode, 400, 'what is refused for another reason')
    for (let i = 0; i < 3; i++) t.equal((await send(server, url, fields, '192.0.2.9')).statusCode, good, 'is not counted')
    const as = name === 'device' ? basic('box', 'box secret') : basic('guest', 'guest secret')
    for (let i = 0; i < 5; i++) {
      t.equal((await send(server, url, confidential, '192.0.2.1', as)).statusCode, good, 'who authenticates is not counted')
    }
  }
})
