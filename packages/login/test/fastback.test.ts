/** Single sign-on between two Fastbacks on real sockets. */
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { oauth2 } from '@fastback/oauth2'
import { rest } from '@fastback/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { application } from './server.js'

const mapping = [{ userField: 'email', providerField: 'emails[0].value' }]

/** A browser for several servers on real sockets. */
class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()

  async request (address: string, form?: Record<string, string>): Promise<Response> {
    const { origin } = new URL(address)
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, jar)
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: [...jar].map(pair => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) })
    })
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each) as unknown as [string, string, string]
      jar.set(name, value)
    }
    return response
  }

  /** Follows redirects, logs in and consents wherever it is asked, until a page at the path comes. */
  async walk (address: string, password: string, path: string): Promise<Response> {
    let [at, response] = [address, await this.request(address)]
    for (let steps = 0; steps < 20; steps++) {
      const location = response.headers.get('location')
      if (location !== null) {
        at = new URL(location, at).href
        if (new URL(at).pathname === path) return response
        response = await this.request(at)
        continue
      }
      const page = await response.text()
      const action = /<form[^>]* action="([^"]*)"/.exec(page)?.[1]
      if (action === undefined) throw new Error(`no form at ${at}: ${response.status} ${page}`)
      const hidden = [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) =>
        [/name="([^"]*)"/.exec(tag)?.[1] as string, /value="([^"]*)"/.exec(tag)?.[1] ?? ''])
      const person: Record<string, string> = page.includes('name="password"') ? { username: 'ada', password } : {}
      at = new URL(action.replaceAll('&amp;', '&'), at).href
      response = await this.request(at, { ...Object.fromEntries(hidden) as object, ...person })
    }
    throw new Error('the walk does not end')
  }
}

async function ownProvider (t: Test): Promise<{ app: FastifyInstance, issuer: string, model (name: string): any }> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  await app.register(oauth2, { dataSource: 'db', ttl: { token: 20 }, authenticate: [{ paths: ['/api/Users'], options: { scope: 'read' } }] } as never)
  await app.register(auth, { rateLimit: false } as never)
  app.registry.attach('User', 'db', { public: true })
  app.registry.attach('AccessToken', 'db')
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) app.registry.attach(name, 'db')
  await app.register(rest, { prefix: '/api' })
  const issuer = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, issuer, model: name => app.registry.getModel(name) }
}

t.test('LG-70, LG-47, LG-80: users of one Fastback log in at another', async t => {
  const { issuer, model: there } = await ownProvider(t)
  await there('User').create({ username: 'ada', email: 'ada@example.com', password: 'correct horse', emailVerified: true })
  const { app, model } = await application(t, {
    origin: undefined,
    providers: {
      plain: { preset: 'fastback', issuer, clientId: 'shop', clientSecret: 'a secret of the shop', session: true, successRedirect: '/in' },
      company: {
        preset: 'fastback', issuer, clientId: 'shop', clientSecret: 'a secret of the shop', session: true, successRedirect: '/in',
        failureRedirect: '/out', failureQueryString: true, scope: 'staff read', userInfoURL: `${issuer}/api/Users/{sub}`,
        profileMapping: mapping, roles: { claim: 'scope', map: { staff: 'editor', boss: 'admin' } }
      }
    }
  } as never, { before: app => { app.get('/in', () => 'in'); app.get('/out', () => 'out') } })
  for (const name of ['Role', 'RoleMapping']) if (model(name).dataSource === null) app.registry.attach(name, 'db')
  await model('Role').create([{ name: 'editor' }, { name: 'admin' }])
  const here = await app.listen({ port: 0, host: '127.0.0.1' })
  await there('OAuthClientApplication').create({
    id: 'shop', name: 'Shop', clientType: 'confidential', clientSecret: 'a secret of the shop', scopes: ['read', 'staff'],
    grantTypes: ['authorization_code', 'refresh_token'], responseTypes: ['code'],
    redirectURIs: [`${here}/auth/plain/callback`, `${here}/auth/company/callback`]
  })

  const visitor = new Visitor()
  const back = await visitor.walk(`${here}/auth/company`, 'correct horse', '/in')
  t.equal(back.headers.get('location'), '/in')
  const who = async (by: Visitor): Promise<any> => await (await by.request(`${here}/whoami`)).json()
  const { id } = await who(visitor)
  const user = await model('User').findById(id)
  t.match(user, { email: 'ada@example.com', emailVerified: true }, 'made at the first login')
  t.match(await model('UserIdentity').findOne({}), { provider: 'company', profile: { username: 'ada', _json: { scope: /staff/ } } })
  const roles = async (): Promise<string[]> => {
    const found = []
    for (const { roleId } of await model('RoleMapping').find({ where: { principalId: String(id) } })) found.push((await model('Role').findById(roleId)).name)
    return found
  }
  t.strictSame(await roles(), ['editor'], 'roles by scopes')
  const again = new Visitor()
  await again.walk(`${here}/auth/company`, 'correct horse', '/in')
  t.equal((await who(again)).id, id, 'found at the next')
  t.equal(await model('User').count(), 1)

  const three = new Visitor()
  await three.walk(`${here}/auth/plain`, 'correct horse', '/in')
  t.match(await model('User').findById((await who(three)).id), { username: 'plain.ada', email: 'ada@plain.invalid', emailVerified: false },
    'three lines are enough')

  const identity = await model('UserIdentity').findOne({ where: { provider: 'company' } })
  const before = identity.credentials.accessToken
  const tokens = await Promise.all([identity.providerToken(), identity.providerToken()])
  t.equal(tokens[0], tokens[1])
  t.not(tokens[0], before, 'one that is about to end was refreshed')
  const answer = await fetch(`${issuer}/api/Users/${String(identity.externalId)}`, { headers: { authorization: `Bearer ${String(tokens[0])}` } })
  t.match(await answer.json(), { username: 'ada' }, 'and opens what the user may')

  await there('User').destroyAll({})
  await there('User').create({ username: 'ada', email: 'other@example.com', password: 'another horse' })
  const stranger = new Visitor()
  await stranger.walk(`${here}/auth/company`, 'another horse', '/in')
  t.not((await who(stranger)).id, id, 'a name there proves nothing here')
  await t.rejects(application(t, { providers: { company: { preset: 'fastback', issuer, clientId: 'shop' } } }), { code: 'FBK_LOGIN_INVALID_PROVIDER' })
  await t.rejects(application(t, { providers: { company: { preset: 'fastback', clientId: 'a', clientSecret: 'b' } } }), { code: 'FBK_LOGIN_INVALID_PROVIDER' })
})
