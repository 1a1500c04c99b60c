/** Who asks, as middleware and models of LoopBack applications have it. */
import { createRequire } from 'node:module'
import { once } from 'node:events'
import http from 'node:http'
import t, { type Test } from 'tap'

const loopback = createRequire(import.meta.url)('@fastback/loopback')

async function served (t: Test, app: any): Promise<string> {
  const server = http.createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.close()
    server.closeAllConnections()
    await app.fastify.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

t.test('LG-55 a signed cookie that a parser among the middleware reads is a token', async t => {
  const app = loopback({ localRegistry: true, loadBuiltinModels: true })
  app.dataSource('db', { connector: 'memory' })
  app.enableAuth({ dataSource: 'db' })
  // What cookie-parser does with its secret.
  app.use((req: any, _res: unknown, next: () => void) => {
    req.signedCookies = req.headers.cookie === undefined ? {} : { access_token: req.headers.cookie.slice('t='.length) }
    next()
  })
  app.use(loopback.token())
  app.get('/who', (req: any, res: any) => res.json({ userId: req.accessToken?.userId ?? null }))
  app.use(loopback.rest())
  const url = await served(t, app)
  const { User } = app.models
  const { id } = await User.create({ email: 'a@x.test', password: 'x' })
  const { id: token } = await User.login({ email: 'a@x.test', password: 'x' })
  const ask = async (path: string, cookie?: string): Promise<Response> =>
    await fetch(url + path, cookie === undefined ? {} : { headers: { cookie } })
  t.equal((await ask(`/Users/${id}`)).status, 401)
  t.equal((await ask(`/Users/${id}`, 't=nobody')).status, 401)
  const answer = await ask(`/Users/${id}`, `t=${token}`)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('cache-control'), 'private, no-cache', 'S-52')
  t.strictSame(await (await ask('/who', `t=${token}`)).json(), { userId: id })
  t.strictSame(await (await ask('/who')).json(), { userId: null })
})

t.test('users of one model own rows of another by its relation to them, and by no id alone', async t => {
  const app = loopback({ localRegistry: true, loadBuiltinModels: true })
  app.dataSource('db', { connector: 'memory' })
  const tokens = { type: 'hasMany', model: 'Pass', polymorphic: { foreignKey: 'userId', discriminator: 'principalType' } }
  const make = (name: string, relations: object, base = 'User'): any =>
    app.registry.createModel({ name, base, relations })
  const Seller = make('Seller', { accessTokens: tokens, customers: { type: 'hasMany', model: 'Customer' } })
  const Customer = make('Customer', { accessTokens: tokens, seller: { type: 'belongsTo', model: 'Seller' } })
  const polymorphic = { idType: 'string', foreignKey: 'userId', discriminator: 'principalType' }
  const Pass = make('Pass', { user: { type: 'belongsTo', idName: 'id', polymorphic } }, 'AccessToken')
  app.model(Pass, { dataSource: 'db', public: false })
  app.model(Seller, { dataSource: 'db' })
  app.model(Customer, { dataSource: 'db' })
  const { models } = app.registry.modelBuilder
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.model(models[name], { dataSource: 'db', public: false })
  app.enableAuth()
  app.use(loopback.rest())
  const url = await served(t, app)
  const [one, other] = [
    await Seller.create({ email: 'one@x.test', password: 'x' }), await Seller.create({ email: 'other@x.test', password: 'x' })
  ]
  const customer = await one.customers.create({ email: 'c@x.test', password: 'x' })
  const foreign = await other.customers.create({ email: 'd@x.test', password: 'x' })
  const statusFor = async (user: any, id: unknown): Promise<number> => {
    const { id: authorization } = await user.createAccessToken({})
    return (await fetch(`${url}/Customers/${String(id)}`, { headers: { authorization } })).status
  }
  t.equal(await statusFor(one, customer.id), 200, 'the seller of this customer')
  t.equal(await statusFor(one, foreign.id), 401, 'another seller\'s')
  t.equal(await statusFor(other, foreign.id), 200)
  t.equal(other.id, foreign.id, 'the same id, which decides nothing')
  t.equal(await statusFor(other, customer.id), 401)
  t.equal(await statusFor(customer, customer.id), 200, 'the customer')
  t.equal(await statusFor(customer, foreign.id), 401)
})

t.test('rules in a property decide about methods that are called like it', async t => {
  const app = loopback({ localRegistry: true, loadBuiltinModels: true })
  app.dataSource('db', { connector: 'memory' })
  app.enableAuth({ dataSource: 'db' })
  const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
  const Shop = app.registry.createModel('Shop', { open: { type: 'boolean', acls: [deny] }, name: 'string' })
  Object.assign(Shop, { open: async () => true, close: async () => true })
  for (const name of ['open', 'close']) Shop.remoteMethod(name, { http: { verb: 'post' } })
  app.model(Shop, { dataSource: 'db' })
  app.use(loopback.rest())
  const url = await served(t, app)
  const ask = async (name: string): Promise<number> => (await fetch(`${url}/Shops/${name}`, { method: 'POST' })).status
  t.equal(await ask('open'), 401)
  t.equal(await ask('close'), 204)
  const { ACL } = app.models
  t.equal(ACL.getStaticACLs('Shop', 'open').length, 1)
  t.match(await ACL.checkPermission('ROLE', '$everyone', 'Shop', 'open', 'EXECUTE'), { permission: 'DENY' })
  t.throws(() => app.registry.createModel('Bad', { open: { type: 'boolean', acls: 'DENY' } }), /property "open", acls/)
})
