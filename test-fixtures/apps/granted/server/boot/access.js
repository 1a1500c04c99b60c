/**
 * Access control, and programs of others: the client `shop` gets tokens of customers. Tests open further paths to its
 * tokens with `Customer.guard`.
 */
export default async app => {
  app.enableAuth({ dataSource: 'db' })
  const oauth2 = await app.oauth2Provider({ dataSource: 'db', userModel: 'Customer', rateLimit: false, ...app.get('provider') })
  const { Customer, OAuthClientApplication } = app.models
  oauth2.authenticate(['/api/Notes'])
  oauth2.authenticate(['/page'], { session: true })
  app.get('/page', (req, res) => { res.json({ customer: req.accessToken.userId }) })
  const guard = (...paths) => { oauth2.authenticate(paths) }
  Object.assign(Customer, { provider: oauth2, guard, email: { send: async mail => mail } })
  await OAuthClientApplication.create({
    id: 'shop', name: 'Shop', clientType: 'confidential', clientSecret: 'secret of the shop', redirectURIs: ['https://shop.test/cb']
  })
  await OAuthClientApplication.create({ id: 'other', name: 'Other', clientType: 'confidential', clientSecret: 'secret of the shop', redirectURIs: ['https://other.test/cb'] })
}
