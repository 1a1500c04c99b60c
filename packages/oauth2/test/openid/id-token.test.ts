/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import { createHash } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import t from 'tap'
import { logIn, makeProvider, get } from './provider.js'

t.test('smoke', async t => {
  const server = await makeProvider(t)
  const { body, claims, header } = await logIn(server, { more: { nonce: 'n-0S6_WzA2Mj', scope: 'openid email profile' } })
  console.log(body, claims, header)
  const set = (await get(server, '/oauth/jwks'))
  console.log(set.body, set.headers)
  await jwtVerify(body.id_token, createLocalJWKSet(set.json()))
  console.log((await get(server, '/oauth/userinfo', { authorization: `Bearer ${body.access_token}` })).body)
  console.log((await get(server, '/.well-known/openid-configuration')).body)
  t.ok(createHash)
})
