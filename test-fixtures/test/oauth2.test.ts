// FASTBACK_TEST_FULL: applications as processes, with full hashing.
/** The OAuth provider in application folders: component, middleware, boot script; its pages in a browser. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as httpServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer, type Server } from '@fastback/boot'
import t, { type Test } from 'tap'
import { browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'

const seed = `
module.exports = async app => {
  await app.models.User.create({ username: 'ada', email: 'ada@op.test', password: 'correct horse' })
  await app.models.OAuthClientApplication.create({ id: 'web', name: 'Web shop', clientType: 'confidential', clientSecret: 'secret', redirectURIs: [process.env.OAUTH_TEST_CALLBACK || 'https://client.test/cb'], scopes: ['read', 'write'] })
}`
const note = `
module.exports = Note => {
  Note.who = (options, done) => { const token = options.accessToken || {}; done(null, { client: token.appId || null }) }
  Note.remoteMethod('who', { accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' }, returns: { arg: 'data', type: 'object', root: true }, http: { verb: 'get' } })
}`

function writeFolder (t: Test, files: Record<string, unknown>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-oauth2-'))
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  const all: Record<string, unknown> = {
    'package.json': { name: 'oauth' },
    'server/config.json': { restApiRoot: '/api', host: '127.0.0.1', port: 0 },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Note: { dataSource: 'db', public: true },
      User: { dataSource: 'db', public: true },
      ...Object.fromEntries(
        ['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])
      )
    },
    'common/models/note.json': { name: 'Note', properties: { title: 'string' } },
    'common/models/note.js': note,
    'server/boot/1-auth.js': 'module.exports = app => { app.enableAuth() }',
    'server/boot/2-seed.js': seed,
    ...files
  }
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

async function boot (t: Test, files: Record<string, unknown>): Promise<Server> {
  const server = await createServer(writeFolder(t, files), { log: false })
  t.teardown(() => server.stop())
  return server
}

const bearerOf = async ({ fastify }: Server): Promise<{ authorization: string }> => {
  const { json } = await fastify.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials&scope=read&client_id=web&client_secret=secret'
  })
  return { authorization: `Bearer ${json().access_token as string}` }
}

async function isGuarded (t: Test, server: Server, url: string, what: string): Promise<void> {
  t.equal((await server.fastify.inject(url)).statusCode, 401, `${what}: without a token`)
  const answer = await server.fastify.inject({ url, headers: await bearerOf(server) })
  t.equal(answer.statusCode, 200, `${what}: with a token`)
  t.match(answer.json(), { client: 'web' }, what)
}

t.test('the component, under both names; authenticate in its options (O-286, O-287)', async t => {
  for (const name of ['@fastback/oauth2', 'loopback-component-oauth2']) {
    const server = await boot(t, {
      'server/component-config.json': { [name]: { dataSource: 'db', authenticate: [{ paths: ['/api/notes/who'] }] } }
    })
    await isGuarded(t, server, '/api/Notes/who', name)
    t.equal((await server.fastify.inject('/api/Notes')).statusCode, 200, 'O-196')
    t.equal((await server.fastify.inject('/login')).statusCode, 200)
    t.equal((await server.fastify.inject('/api/OAuthAccessTokens')).statusCode, 404, 'O-273')
  }
})

t.test('folders without the component do not load what a provider is made of', async t => {
  const script = `
    import { createServer } from '@fastback/boot'
    import { createRequire } from 'node:module'
    const server = await createServer(process.argv[1], { log: false })
    await server.stop()
    process.stdout.write(Object.keys(createRequire(import.meta.url).cache).some(file => file.includes('oauth2-server')) ? 'loaded' : 'not loaded')`
  const start = (component: Record<string, unknown>): string =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        script,
        writeFolder(t, { 'server/component-config.json': component, 'server/boot/2-seed.js': '' })
      ],
      { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } }
    )
  t.equal(start({}), 'not loaded')
  t.equal(start({ '@fastback/oauth2': { dataSource: 'db' } }), 'loaded')
})

t.test('middleware.json, Express code, pages of the application (O-287)', async t => {
  const server = await boot(t, {
    'server/component-config.json': { '@fastback/oauth2': { dataSource: 'db' } },
    'server/middleware.json': {
      auth: {
        'loopback-component-oauth2#authenticate': {
          paths: ['/api/Notes/who', '/express'],
          params: [{ session: false, scope: 'read' }, { scope: 'read write' }]
        }
      },
      routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } } // eslint-disable-line no-template-curly-in-string
    },
    'server/boot/3-routes.js': `module.exports = app => {
      app.get('/express', (req, res) => res.json({ client: req.accessToken.appId, user: req.user, app: req.authInfo.app.id }))
      app.get('/login', (req, res) => res.send('my own page'))
    }`
  })
  await isGuarded(t, server, '/api/Notes/who', 'middleware.json')
  await isGuarded(t, server, '/express', 'Express code')
  t.equal((await server.fastify.inject('/EXPRESS/')).statusCode, 401, 'O-200')
  t.equal((await server.fastify.inject('/login')).body, 'my own page')
  await t.rejects(boot(t, {
    'server/middleware.json': { auth: { '@fastback/oauth2#authenticate': { paths: ['/api'] } } },
    'server/boot/2-seed.js': 'module.exports = () => {}'
  }), { code: 'FBK_OAUTH2_NO_PROVIDER' })
})

t.test('a boot script (O-287)', async t => {
  const server = await boot(t, {
    'server/boot/1-auth.js': `module.exports = async app => {
      app.enableAuth()
      const oauth2 = await app.oauth2Provider({ dataSource: app.dataSources.db })
      oauth2.authenticate(['/api/Notes/who'], { session: false, scope: 'read' })
    }`
  })
  await isGuarded(t, server, '/api/Notes/who', 'code')
})

t.test('wrong options stop the start (O-288)', async t => {
  await t.rejects(
    boot(t, { 'server/component-config.json': { '@fastback/oauth2': { dataSource: 'db', tokenPath: 'token' } } }),
    { code: 'FBK_OAUTH2_INVALID_OPTIONS', message: /component-config\.json.*tokenPath/ }
  )
})

const chromium = browserPath()

t.test(
  'login and consent in a browser without JavaScript',
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const client = httpServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>client</title>')
    }).listen(0, '127.0.0.1')
    t.teardown(() => client.close())
    await new Promise(resolve => client.once('listening', resolve))
    const callback = `http://localhost:${(client.address() as AddressInfo).port}/cb`
    process.env.OAUTH_TEST_CALLBACK = callback
    t.teardown(() => {
      delete process.env.OAUTH_TEST_CALLBACK
    })
    const server = await boot(t, { 'server/component-config.json': { '@fastback/oauth2': { dataSource: 'db' } } })
    const address = await server.start()
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    const start = `${address}/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: 'web', redirect_uri: callback, scope: 'read write', state: 'x y' }).toString()}`

    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const complaints: string[] = []
    page.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    const signIn = async (password: string): Promise<void> => {
      await page.getByLabel('User name or e-mail').fill('ada')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await page.goto(start)
    await signIn('wrong')
    await page.getByRole('alert').waitFor()
    await signIn('correct horse')
    await page.getByRole('heading', { name: 'Allow Web shop?' }).waitFor()
    t.match(await page.locator('main').innerText(), /signed in as ada[\s\S]*read[\s\S]*write/, 'O-057')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${callback}**`)
    t.equal(
      new URL(page.url()).searchParams.get('error'),
      'access_denied',
      'O-025: the policy of the page lets the answer through'
    )
    await page.goto(start)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${callback}**`)
    t.match(
      Object.fromEntries(new URL(page.url()).searchParams),
      { code: String, state: 'x y', iss: address.replace(/\/$/, '') },
      'O-040, O-016, O-018'
    )
    await page.goto(`${start}&response_mode=form_post`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(callback)
    t.strictSame(
      complaints.filter(text => !text.includes('Failed to load resource')),
      [],
      'no policy is broken'
    )

    const scripted = await browser.newContext({ storageState: await context.storageState() })
    const other = await scripted.newPage()
    other.setDefaultTimeout(20_000)
    await other.goto(`${start}&response_mode=form_post`)
    await other.waitForURL(callback)
    t.equal(await other.title(), 'client', 'O-034: sent on by its script')
  }
)

t.test(
  'the pages pass an automatic accessibility check',
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const server = await boot(t, { 'server/component-config.json': { '@fastback/oauth2': { dataSource: 'db' } } })
    const address = await server.start()
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    // The check is a script of ours, which the pages' policy would refuse.
    const page = await (await browser.newContext({ bypassCSP: true })).newPage()
    page.setDefaultTimeout(20_000)
    const axe = readFileSync(
      createRequire(new URL('../../packages/explorer/package.json', import.meta.url)).resolve('axe-core/axe.min.js'),
      'utf8'
    )
    const check = async (what: string): Promise<void> => {
      await page.evaluate(axe)
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: Array<{ id: string; nodes: Array<{ html: string }> }>
      }
      t.strictSame(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`),
        [],
        what
      )
    }
    await page.goto(`${address}/oauth/authorize?client_id=ghost`)
    await check('error page')
    await page.goto(`${address}/oauth/authorize?response_type=code&client_id=web&scope=read`)
    await check('login page')
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await check('login page with an error')
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Allow Web shop?' }).waitFor()
    await check('decision page')
  }
)
