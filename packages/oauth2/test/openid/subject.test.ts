/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Who a user is for a client (OI-70, OI-71, OI-77). */
import { createHmac } from 'node:crypto'
import t from 'tap'
import { Browser, answerOf } from '../server.js'
import { callback, logIn, makeProvider, openIdRequest, post, secretOf, userinfo } from './provider.js'

t.test('OI-70, OI-77: the id as text, which no name changes', async t => {
  const server = await makeProvider(t)
  const { body, claims } = await logIn(server)
  t.equal(claims.sub, '1')
  t.equal((await userinfo(server, body.access_token)).json().sub, '1')
  await server.model('User').updateAll({ id: 1 }, { username: 'adele' })
  t.equal((await logIn(server, { who: { username: 'adele' } })).claims.sub, '1')
  const other = await logIn(server, { client: 'rp2', who: { username: 'adele' }, more: { redirect_uri: 'https://other.test/cb' } })
  t.equal(other.claims.sub, '1', 'the same for all clients')
  t.equal((await logIn(server, { who: { username: 'bob', password: 'battery staple' } })).claims.sub, '2')
})

t.test('OI-70: an id that is too long', async t => {
  const server = await makeProvider(t, {
    seed: false,
    prepare: app => {
      app.registry.getModel('User')?.defineProperty('id', { type: 'string', id: true, length: 400 })
    }
  })
  await server.model('User').create({ id: 'x'.repeat(256), username: 'long', email: 'long@op.test', password: 'correct horse' })
  await server.model('OAuthClientApplication').create({
    id: 'rp', name: 'Party', clientType: 'confidential', clientSecret: 'w3b secret:&+', redirectURIs: [callback]
  })
  const { query } = await new Browser(server).walk(openIdRequest(), { username: 'long' })
  t.equal(query.get('error'), 'server_error')
  t.match(server.logs.join(''), /longer than 255/)
})

t.test('OI-71: pairwise', async t => {
  const pairwiseSecret = 'a secret for pairs of names'
  const server = await makeProvider(t, { openid: { subject: 'pairwise', pairwiseSecret } })
  const expected = (sector: string): string => createHmac('sha256', pairwiseSecret).update(`${sector}\n1`).digest('base64url')
  const { body, claims } = await logIn(server)
  t.equal(claims.sub, expected('client.test'))
  t.equal((await userinfo(server, body.access_token)).json().sub, claims.sub, 'OI-77')
  const introspected = (await post(server, '/oauth/introspect', { token: body.access_token }, secretOf('rp'))).json()
  t.equal(introspected.sub, claims.sub, 'introspection')
  t.notOk('username' in introspected, 'which would say who it is')
  const other = await logIn(server, { client: 'rp2', more: { redirect_uri: 'https://other.test/cb' } })
  t.equal(other.claims.sub, expected('other.test'), 'another one for another sector')
  const Client = server.model('OAuthClientApplication')
  const several = {
    id: 'many', name: 'Many', clientType: 'confidential', clientSecret: 'w3b secret:&+',
    redirectURIs: [callback, 'https://elsewhere.test/cb']
  }
  await t.rejects(Client.create(several), { statusCode: 422, message: /sectorIdentifierURI/ })
  await Client.create({ ...several, sectorIdentifierURI: 'https://client.test/sector.json' })
  t.equal((await logIn(server, { client: 'many' })).claims.sub, claims.sub, 'one sector')
  await Client.create({ ...several, id: 'open', subjectType: 'public' })
  t.equal((await logIn(server, { client: 'open' })).claims.sub, '1', 'a client may be public')
  const broken = answerOf(await new Browser(server).authorize(openIdRequest({ client_id: 'many', redirect_uri: 'https://x.test/' })))
  t.equal(broken.response.statusCode, 400)
})
