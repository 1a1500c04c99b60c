// FASTBACK_TEST_FULL: folders are served by processes.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** A folder of LoopBack's kind, as the public example of its passport component is, served by the command. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { scriptedProvider } from './provider.js'

const cli = fileURLToPath(new URL('../../cli/bin/fastback.js', import.meta.url))

const server = `'use strict'
var loopback = require('loopback')
var boot = require('loopback-boot')
var app = module.exports = loopback()
var loopbackPassport = require('loopback-component-passport')
var PassportConfigurator = loopbackPassport.PassportConfigurator
var passportConfigurator = new PassportConfigurator(app)
var config = require('../providers.json')
boot(app, __dirname)
app.middleware('auth', loopback.token({ model: app.models.accessToken }))
passportConfigurator.init()
passportConfigurator.setupModels({
  userModel: app.models.user,
  userIdentityModel: app.models.userIdentity,
  userCredentialModel: app.models.userCredential
})
for (var s in config) {
  var c = config[s]
  c.session = c.session !== false
  passportConfigurator.configureProvider(s, c)
}
app.get('/auth/account', function (req, res) {
  res.json({ in: req.isAuthenticated(), id: req.user && req.user.id, profiles: req.user && req.user.profiles.length,
    accounts: req.user && req.user.accounts.length })
})
app.get('/auth/logout', function (req, res) { req.logout(); res.redirect('/') })
app.start = function () {
  return app.listen(function () { app.emit('started'); console.log('listening at ' + app.get('url')) })
}
if (require.main === module) app.start()
`

const model = (name: string, base: string): object => ({ name, base, properties: {} })

function folder (t: Test, providers: object, more: Record<string, string | object> = {}): string {
  const files: Record<string, string | object> = {
    'package.json': { name: 'example', main: 'server/server.js', dependencies: { loopback: '^3.0.0', 'loopback-component-passport': '^3.0.0' } },
    'providers.json': providers,
    'server/server.js': server,
    'server/config.json': { restApiRoot: '/api', host: '127.0.0.1', port: 0, login: { secret: 'sixteen letters and more', rateLimit: false } },
    'server/datasources.json': { db: { name: 'db', connector: 'memory' } },
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', '../common/models', './models'] },
      AccessToken: { dataSource: 'db', public: false },
      ACL: { dataSource: 'db', public: false },
      RoleMapping: { dataSource: 'db', public: false },
      Role: { dataSource: 'db', public: false },
      user: { dataSource: 'db', public: true },
      accessToken: { dataSource: 'db', public: false },
      userIdentity: { dataSource: 'db', public: true },
      userCredential: { dataSource: 'db', public: false }
    },
    'server/boot/authentication.js': 'module.exports = function enableAuthentication (server) { server.enableAuth() }',
    'common/models/user.json': {
      ...model('user', 'User'),
      relations: { accessTokens: { type: 'hasMany', model: 'accessToken', foreignKey: 'userId' } }
    },
    'common/models/access-token.json': { ...model('accessToken', 'AccessToken'), relations: { user: { type: 'belongsTo', model: 'user', foreignKey: 'userId' } } },
    'common/models/user-identity.json': { ...model('userIdentity', 'UserIdentity'), relations: { user: { type: 'belongsTo', model: 'user', foreignKey: 'userId' } } },
    'common/models/user-credential.json': { ...model('userCredential', 'UserCredential'), relations: { user: { type: 'belongsTo', model: 'user', foreignKey: 'userId' } } },
    ...more
  }
  const tree: Record<string, any> = {}
  for (const [file, content] of Object.entries(files)) {
    const names = file.split('/')
    const name = names.pop() as string
    const dir = names.reduce((at, each) => (at[each] ??= {}) as Record<string, any>, tree)
    dir[name] = typeof content === 'string' ? content : JSON.stringify(content)
  }
  return t.testdir(tree)
}

async function serve (t: Test, dir: string): Promise<{ url: string, output: () => string }> {
  const child = spawn(process.execPath, [cli, 'serve', dir, '--port', '0'], { env: { ...process.env, NODE_ENV: 'development' } })
  t.teardown(() => { child.kill('SIGKILL') })
  let output = ''
  return await new Promise((resolve, reject) => {
    const read = (data: Buffer): void => {
      output += String(data)
      const found = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)
      if (found !== null) resolve({ url: found[0], output: () => output })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', code => { reject(new Error(`ended with ${String(code)}: ${output}`)) })
  })
}

class Jar {
  readonly cookies = new Map<string, string>()
  constructor (readonly origin: string) {}

  async get (address: string, init: RequestInit = {}): Promise<{
    status: number, location: string, text: string,
    cookies: string[]
  }> {
    const url = new URL(address, this.origin)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const own: Record<string, string> = url.origin === this.origin && cookie !== '' ? { cookie } : {}
    const answer = await fetch(url, { redirect: 'manual', ...init, headers: { ...own, ...init.headers as object } })
    const cookies = answer.headers.getSetCookie()
    if (url.origin === this.origin) {
      for (const each of cookies) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(each) as unknown as [string, string, string]
        if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(each)) this.cookies.delete(name)
        else this.cookies.set(name, value)
      }
    }
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text(), cookies }
  }

  async whole (path: string): Promise<Awaited<ReturnType<Jar['get']>>> {
    const begun = await this.get(path)
    return begun.location.startsWith('http') ? await this.get((await this.get(begun.location)).location) : begun
  }
}

t.test('LG-01, LG-02, LG-05, LG-06, LG-07, LG-17, LG-19, LG-20: the public example logs in, links and logs out', async t => {
  const provider = await scriptedProvider(t)
  const common = {
    provider: 'oidc', module: 'passport-openidconnect', issuer: provider.issuer, clientID: 'client', clientSecret: 'secret',
    authorizationURL: `${provider.issuer}/authorize`, tokenURL: `${provider.issuer}/token`, userInfoURL: `${provider.issuer}/userinfo`,
    authScheme: 'openid connect', scope: ['email', 'profile']
  }
  const dir = folder(t, {
    'oidc-login': { ...common, callbackPath: '/auth/oidc/callback', callbackURL: '/auth/oidc/callback', authPath: '/auth/oidc', successRedirect: '/auth/account', failureRedirect: '/login' },
    'oidc-link': { ...common, callbackPath: '/link/oidc/callback', callbackURL: '/link/oidc/callback', authPath: '/link/oidc', successRedirect: '/auth/account', failureRedirect: '/login', link: true },
    local: { provider: 'local', module: 'passport-local', usernameField: 'username', passwordField: 'password', authPath: '/auth/local', successRedirect: '/auth/account', failureRedirect: '/local', failureFlash: true }
  })
  const { url, output } = await serve(t, dir)
  const jar = new Jar(url)
  t.strictSame(await jar.get('/link/oidc').then(({ status, location }) => [status, location]), [302, '/login'], 'LG-61')
  const answer = await jar.whole('/auth/oidc')
  t.strictSame([answer.status, answer.location], [302, '/auth/account'], output())
  t.match(answer.cookies.join('\n'), /access_token=s%3A/)
  const account = JSON.parse((await jar.get('/auth/account')).text) as { id: unknown }
  t.match(account, { in: true, profiles: 1, accounts: 0 })
  const user = JSON.parse((await jar.get(`/api/users/${String(account.id)}`)).text) as object
  t.match(user, { username: 'oidc.ada', email: 'ada@loopback.oidc.com' }, 'LG-55: the cookie opens the owner\'s row')
  provider.person = { sub: 'second', name: 'Other' }
  const linked = await jar.whole('/link/oidc')
  t.strictSame([linked.status, linked.location], [302, '/auth/account'])
  t.match(JSON.parse((await jar.get('/auth/account')).text), { in: true, profiles: 1, accounts: 1 }, 'LG-60')
  const stranger = new Jar(url)
  t.equal((await stranger.get('/api/userIdentities')).status, 401, 'LG-96')
  t.equal((await stranger.get('/api/userIdentities?filter={"where":{"credentials.accessToken":"x"}}')).status, 401)
  const own = JSON.parse((await jar.get(`/api/users/${String(account.id)}/identities`)).text) as object[]
  t.equal(own.length, 1)
  t.notMatch(JSON.stringify(own), /at-1|credentials/)
  t.equal((await jar.get('/auth/logout')).status, 302)
  t.match(JSON.parse((await jar.get('/auth/account')).text), { in: false }, 'LG-59')
  const wrong = await jar.get('/auth/local', { method: 'POST', body: new URLSearchParams({ username: 'a', password: 'b' }) })
  t.strictSame([wrong.status, wrong.location], [302, '/local'])
})

/** As `express-session` does it: a new id takes a moment, and what is there when the response ends is saved. */
const sessions = `var rows = new Map()
app.middleware('session', function (req, res, next) {
  var make = function (id, data) {
    req.session = Object.assign(Object.create({
      regenerate: function (done) {
        rows.delete(id)
        setImmediate(function () { make(require('crypto').randomUUID(), {}); done() })
      },
      save: function (done) { rows.set(id, JSON.stringify(req.session)); done() }
    }), data)
    req.sessionId = id
  }
  var id = (/\\bsid=([\\w-]+)/.exec(req.headers.cookie) || [])[1]
  make(rows.has(id) ? id : require('crypto').randomUUID(), JSON.parse(rows.get(id) || '{}'))
  var end = res.end
  res.end = function () {
    rows.set(req.sessionId, JSON.stringify(req.session))
    res.setHeader('set-cookie', [].concat(res.getHeader('set-cookie') || [], 'sid=' + req.sessionId + '; Path=/; HttpOnly'))
    return end.apply(res, arguments)
  }
  next()
})
passportConfigurator.init()`

t.test('LG-08, LG-59, LG-90: a folder with a session middleware of its own logs in, and out at once', async t => {
  const provider = await scriptedProvider(t)
  const dir = folder(t, {
    oidc: { module: 'passport-openidconnect', issuer: provider.issuer, clientID: 'client', clientSecret: 'secret', successRedirect: '/in' }
  }, { 'server/server.js': server.replace('passportConfigurator.init()', () => sessions) })
  const { url, output } = await serve(t, dir)
  const jar = new Jar(url)
  await jar.get('/auth/account')
  const before = jar.cookies.get('sid')
  t.equal((await jar.whole('/auth/oidc')).location, '/in', output())
  const logged = jar.cookies.get('sid') as string
  t.not(logged, before, 'another id')
  t.match(JSON.parse((await jar.get('/auth/account')).text), { in: true, profiles: 1 })
  // Seen to fail: where the user leaves the session only with its id, the response that goes out at once keeps him
  // there.
  t.equal((await jar.get('/auth/logout')).location, '/')
  t.match(JSON.parse((await jar.get('/auth/account')).text), { in: false })
  jar.cookies.set('sid', logged)
  t.match(JSON.parse((await jar.get('/auth/account')).text), { in: false }, 'nor by the id of before')
})

t.test('LG-03: providers that nothing sets up are set up from the file', async t => {
  const provider = await scriptedProvider(t)
  const dir = folder(t, {
    oidc: { module: 'passport-openidconnect', issuer: provider.issuer, clientID: 'client', clientSecret: 'secret', successRedirect: '/in' }
  }, { 'server/server.js': server.replace(/var loopbackPassport[^]*?json'\)\n/, '').replace(/passportConfigurator\.init[^]*?\n}\n/, '') })
  const { url, output } = await serve(t, dir)
  const jar = new Jar(url)
  t.equal((await jar.whole('/auth/oidc')).location, '/in', output())
})

t.test('the models of the passport component, listed as sources and published under their own names', async t => {
  // Seen to fail: FBK_CORE_DUPLICATE_MODEL, as the component's files define what stands there already
  const package_ = 'node_modules/loopback-component-passport'
  const properties = { provider: { type: 'String', index: { unique: true } } }
  const { url } = await serve(t, folder(t, {}, {
    [`${package_}/package.json`]: { name: 'loopback-component-passport', version: '3.12.0' },
    [`${package_}/index.js`]: 'throw new Error("the installed component was loaded")',
    [`${package_}/lib/models/user-identity.json`]: { name: 'UserIdentity', base: 'PersistedModel', properties },
    [`${package_}/lib/models/user-credential.json`]: { name: 'UserCredential', base: 'PersistedModel', properties },
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', '../common/models', `../${package_}/lib/models`] },
      AccessToken: { dataSource: 'db', public: false },
      user: { dataSource: 'db' },
      accessToken: { dataSource: 'db', public: false },
      UserIdentity: { dataSource: 'db' },
      UserCredential: { dataSource: 'db' }
    }
  }))
  t.equal((await fetch(`${url}/api/users`)).status, 401)
})
