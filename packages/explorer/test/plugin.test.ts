import { readdir } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import core from '@fastback/core'
import { accessReviewIn } from '@fastback/core/remote'
import Fastify from 'fastify'
import t from 'tap'
import { explorer, type ExplorerOptions } from '../src/index.js'
import { application } from './helpers/application.js'

const { app, models } = await application()
t.teardown(() => app.close())

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript', css: 'text/css', svg: 'image/svg', html: 'text/html', txt: 'text/plain'
}

t.test('the page is at /explorer/', async t => {
  const bare = await app.inject('/explorer')
  t.match({ status: bare.statusCode, location: bare.headers.location }, { status: 301, location: './explorer/' })
  for (const url of ['/explorer/', '/explorer/index.html', '/explorer/?x=1']) {
    const { statusCode, headers, body } = await app.inject(url)
    t.equal(statusCode, 200, url)
    t.match(headers, {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      'content-security-policy': /default-src 'none'; script-src 'self'; style-src 'self'/
    })
    t.match(body, '<script type="module" src="main.js">')
    t.notMatch(body, /https?:|<script>|<style|style=|onclick/, 'no outside address, nothing inline')
  }
})

t.test('every file of the page is served, and no other', async t => {
  const names = (await readdir(new URL('../../ui/page/', import.meta.url))).filter(name => name !== 'files.json')
  t.ok(names.includes('main.js') && names.includes('page.css') && names.includes('icons.svg'), names.join(' '))
  for (const name of names) {
    const { statusCode, headers, body } = await app.inject(`/explorer/${name}`)
    t.equal(statusCode, 200, name)
    t.match(headers['content-type'], types[name.split('.').at(-1) as string])
    for (const [, imported] of body.matchAll(/\b(?:from|import)\(?"\.\/([\w-]+\.js)"/g)) {
      t.ok(names.includes(imported as string), `${name} imports ${String(imported)}`)
    }
  }
  for (const name of [
    'nothing.js',
    '..%2fpackage.json',
    '%2e%2e%2fpackage.json',
    '../package.json',
    'main.js.map',
    'files.json',
    'constructor',
    '__proto__',
    'assets',
    'page/main.js'
  ]) {
    t.equal((await app.inject(`/explorer/${name}`)).statusCode, 404, name)
  }
})

t.test('a browser that has a file is told so', async t => {
  for (const url of ['/explorer/', '/explorer/page.css', '/explorer/openapi.json']) {
    const { headers: { etag } } = await app.inject(url)
    const again = await app.inject({ url, headers: { 'if-none-match': `"other", ${String(etag).replace('W/', '')}` } })
    t.match({ status: again.statusCode, body: again.body }, { status: 304, body: '' }, url)
    t.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200)
  }
})

t.test('files are compressed for clients that take it', async t => {
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'], ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip'], ['gzip;q=0', undefined], ['br', undefined], ['xgzip', undefined]
  ] as const) {
    const { headers, rawPayload } = await app.inject({ url: '/explorer/openapi.json', headers: { 'accept-encoding': accepted } })
    t.equal(headers['content-encoding'], encoding, accepted)
    t.equal(headers.vary, 'accept-encoding')
    const bytes = encoding === undefined ? rawPayload : gunzipSync(rawPayload)
    t.equal(JSON.parse(bytes.toString()).openapi, '3.1.0')
  }
})

t.test('a description has the form that is asked for', async t => {
  for (const [version, said] of [['3.1', '3.1.0'], ['3.0', '3.0.3'], ['2.0', '2.0']] as const) {
    const { openapi, swagger } = (await app.inject(`/explorer/openapi.json?version=${version}`)).json()
    t.equal(openapi ?? swagger, said)
  }
  t.equal((await app.inject('/explorer/openapi.json?version=4')).statusCode, 400)
})

t.test('who may call what is told while the application is made', async t => {
  accessReviewIn(app.registry).callersOf = async ({ name }) => name === 'find' ? 'everyone' : 'owner, admin'
  t.match((await app.inject('/explorer/callers.json')).json(), {
    'Note.find': 'everyone', 'Note.prototype.patchAttributes': 'owner, admin'
  })
  t.notMatch((await app.inject('/explorer/callers.json')).body, 'unmentioned')
  const { app: other } = await application({ explorer: { callers: false } })
  t.teardown(() => other.close())
  accessReviewIn(other.registry).callersOf = async () => 'everyone'
  t.same((await other.inject('/explorer/callers.json')).json(), {})
})

t.test('which rows rules leave is said of operations that have such rules, and of no other', async t => {
  const { app } = await application()
  t.teardown(() => app.close())
  const before = (await app.inject('/explorer/openapi.json')).body
  t.notMatch(before, 'x-row-rules')
  const { app: other } = await application()
  t.teardown(() => other.close())
  accessReviewIn(other.registry).rowsOf = ({ fullName, modelName }) =>
    modelName === 'Note' && fullName === 'find' ? 'own rows' : undefined
  const told = (await other.inject('/explorer/openapi.json')).body
  t.equal(told.replace('"x-row-rules":"own rows",', ''), before, 'all else is the same')
  t.not(told, before)
})

t.test('descriptions', async t => {
  const openapi = await app.inject('/explorer/openapi.json')
  t.equal(openapi.headers['content-type'], 'application/json; charset=utf-8')
  t.match(openapi.json(), { openapi: '3.1.0', info: { title: 'API', version: '1.0.0' } })
  t.match((await app.inject('/explorer/swagger.json')).json(), {
    swagger: '2.0',
    basePath: '/api',
    definitions: { Note: {} },
    securityDefinitions: { accessToken: { type: 'apiKey' } }
  })
  t.same((await app.inject('/explorer/config.json')).json(), { url: '/explorer/swagger.json' })
})

t.test('a description follows the models', async t => {
  const properties = async (): Promise<string[]> =>
    Object.keys((await app.inject('/explorer/openapi.json')).json().components.schemas.Measure.properties)
  t.notOk((await properties()).includes('late'))
  models.Measure?.defineProperty('late', 'string')
  t.ok((await properties()).includes('late'))
})

t.test('options', async t => {
  const given = async (options: Record<string, unknown>) => {
    const made = await application({ explorer: options as ExplorerOptions })
    t.teardown(() => made.app.close())
    return made.app
  }
  const mounted = await given({
    mountPath: '/docs/',
    openapi: '3.0',
    apiInfo: { title: 'Diary', description: ['Of every day', 'of a year'], contact: 'Ann', license: { name: 'MIT' } },
    version: '4.2.0',
    hiddenHeaders: ['X-Total'],
    resourcePath: 'resources'
  })
  t.match((await mounted.inject('/docs/openapi.json')).json(), {
    openapi: '3.0.3',
    info: {
      title: 'Diary',
      version: '4.2.0',
      description: 'Of every day\nof a year',
      contact: { name: 'Ann' },
      license: { name: 'MIT' }
    }
  })
  t.same((await mounted.inject('/docs/config.json')).json(), { url: '/docs/resources', hiddenHeaders: ['X-Total'] })
  t.equal((await mounted.inject('/docs/resources')).json().swagger, '2.0')
  t.equal((await mounted.inject('/explorer/')).statusCode, 404)

  const prefixed = await given({
    prefix: '/v1/about',
    basePath: 'https://api.example.com/v1',
    info: { title: 'Notes', contact: { name: 'Ann' } }
  })
  t.equal((await prefixed.inject('/v1/about')).headers.location, './about/')
  t.match(
    (await prefixed.inject('/v1/about/')).headers['content-security-policy'],
    "connect-src 'self' https://api.example.com;"
  )
  const described = (await prefixed.inject('/v1/about/openapi.json')).json()
  t.match(described, {
    servers: [{ url: 'https://api.example.com/v1' }],
    info: { title: 'Notes', contact: { name: 'Ann' } }
  })
  t.match((await prefixed.inject('/v1/about/swagger.json')).json(), {
    host: 'api.example.com',
    schemes: ['https'],
    basePath: '/v1'
  })

  const root = await given({ prefix: '/', uiDirs: ['ui'], protocol: 'https' })
  t.equal(
    (await root.inject('/')).statusCode,
    200,
    'the explorer may be the root; options of LoopBack without effect are taken'
  )

  await t.rejects(given({ mountPath: 'docs' }), { code: 'FBK_EXPLORER_INVALID_OPTIONS', message: /"mountPath" must be a text that starts with "\/"/ })
  await t.rejects(given({ openapi: '2.0' }), { code: 'FBK_EXPLORER_INVALID_OPTIONS', message: /"openapi" must be "3.1" or "3.0"/ })
  await t.rejects(given({ mountpath: '/docs' }), { code: 'FBK_EXPLORER_INVALID_OPTIONS', message: /Did you mean "mountPath"/ })
  const alone = Fastify()
  await t.rejects(async () => { await alone.register(explorer) }, { code: 'FBK_EXPLORER_MISSING_REGISTRY' })
})

t.test('two applications in one process share nothing', async t => {
  const both = Fastify()
  t.teardown(() => both.close())
  for (const name of ['Cat', 'Dog']) {
    await both.register(async scope => {
      await scope.register(core, { definitions: [{ name, base: 'Model' }] })
      await scope.register(explorer)
    }, { prefix: `/${name}` })
  }
  for (const name of ['Cat', 'Dog']) {
    t.equal((await both.inject(`/${name}/explorer/`)).statusCode, 200)
    t.match((await both.inject(`/${name}/explorer/openapi.json`)).json(), { paths: {}, tags: [], components: {} })
  }
})
