/** The models of this package are typed where an application names them: this file compiles, or does not. */
import Fastify from 'fastify'
import t from 'tap'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core, type BuiltinModelTypes, type TypedModels } from '@fastback/core'
import { oauth2 } from '@fastback/oauth2'

t.test('clients and tokens', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  await app.register(oauth2, {
    dataSource: 'db',
    supportedGrantTypes: ['clientCredentials'],
    async checkAccessToken (_request, text) {
      const given = await app.oauth2.tokens.find(text)
      return given !== undefined && !given.revoked && given.expiredAt > new Date() ? { accessToken: given } : undefined
    }
  })
  await app.register(auth, { dataSource: 'db' })
  app.oauth2.authenticate(['/orders'], { scope: 'orders' })
  app.get('/orders', async () => ['a lamp'])
  await app.ready()
  const models = app.getDecorator<TypedModels<BuiltinModelTypes>>('models')
  const client = await models.OAuthClientApplication.create({
    id: 'stock', name: 'Stock', clientType: 'confidential', clientSecret: 'a long random text', scopes: ['orders'],
    grantTypes: ['client_credentials']
  })
  const kind: string | null | undefined = client.clientType
  t.equal(kind, 'confidential')
  // @ts-expect-error kinds are texts
  await t.rejects(models.OAuthClientApplication.create({ id: 'x', name: 'X', clientType: 7 }))
  const answer = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: {
      authorization: `Basic ${btoa('stock:a long random text')}`, 'content-type': 'application/x-www-form-urlencoded'
    },
    payload: 'grant_type=client_credentials&scope=orders'
  })
  const { access_token: token } = answer.json<{ access_token: string }>()
  t.equal((await app.inject({ url: '/orders', headers: { authorization: `Bearer ${token}` } })).statusCode, 200)
  const [row] = await models.OAuthAccessToken.find({ where: { appId: 'stock' } })
  t.same(row?.scopes, ['orders'])
})
