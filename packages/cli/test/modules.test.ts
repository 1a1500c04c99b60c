/** Each command on a module that exports an application, and on the application itself. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { core } from '@fastback/core'
import { explorer } from '@fastback/explorer'
import { rest } from '@fastback/rest'
import t, { type Test } from 'tap'
import { audit, describeApi, explainAccess, listRoutes, migrate, writeClient, writeModelTypes } from '../src/index.js'
import { run } from './terminal.js'

/** Packages of an application that the command line does not need itself. */
const boot = createRequire(new URL('../../boot/package.json', import.meta.url))
const address = (name: string): string => pathToFileURL(boot.resolve(name)).href
const from = (name: string): string => JSON.stringify(address(name))
const { sqlConnector } = (await import(address('@fastback/connector-sql'))) as typeof import('../../connector-sql/src/index.js')
const bin = fileURLToPath(new URL('../bin/fastback.js', import.meta.url))

/** Code that makes an application with its rows in the file beside it. */
const source = (body: string): string => `
import Fastify from ${from('fastify')}
import { acl } from ${from('@fastback/acl')}
import { auth } from ${from('@fastback/auth')}
import { core } from ${from('@fastback/core')}
import { sqlConnector } from ${from('@fastback/connector-sql')}
import { explorer } from ${from('@fastback/explorer')}
import { rest } from ${from('@fastback/rest')}

async function make () {
  const app = Fastify()
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url: 'sqlite:rows.db', migrate: 'update' }, other: { connector: sqlConnector, url: 'sqlite:other.db' } },
    definitions: [
      { name: 'Shelf', base: 'PersistedModel', strict: true, properties: { name: 'string' } },
      { name: 'Book', base: 'PersistedModel', strict: true, properties: { title: { type: 'string', required: true } },
        relations: { shelf: { type: 'belongsTo', model: 'Shelf' } }, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', accessType: 'WRITE' }] }
    ],
    models: { Shelf: { dataSource: 'other' }, Book: { dataSource: 'db' } },
    baseDir: ${JSON.stringify('BASE')}
  })
  await app.register(auth, { dataSource: 'db' })
  await app.register(acl, { dataSource: 'db' })
  await app.register(rest, { prefix: '/api' })
  await app.register(explorer, { info: { title: 'Books of ' + (process.env.NODE_ENV ?? 'nobody'), version: '3.0.0' } })
  return app
}
${body}
`

const bodies: Record<string, string> = {
  'instance.mjs': 'const app = await make()\nexport default app',
  'promise.mjs': 'export const app = make()',
  'function.mjs': 'export async function build () { return await make() }',
  'sync.mjs': 'export const createApp = () => { const app = Fastify(); app.register(core, { dataSources: { db: { connector: sqlConnector, url: "sqlite:rows.db" } }, definitions: [{ name: "Book" }], models: { Book: { dataSource: "db" } }, baseDir: "BASE" }); return app }',
  'eager.mjs': 'const app = await make()\nawait app.ready()\nawait app.listen({ port: 0 })\nexport { app }',
  'eager-callback.mjs': 'export const app = await make()\napp.ready(() => {})\napp.listen({ port: 0 })'
}

/** A folder with the modules, and what `BASE` stands for. */
function modules (t: Test): string {
  const dir = t.testdir({ 'package.json': '{ "type": "module" }' })
  const files = Object.entries(bodies).map(([name, body]) => [name, source(body).replaceAll('BASE', dir)])
  return t.testdir({ 'package.json': '{ "type": "module" }', ...Object.fromEntries(files) as Record<string, string> })
}

t.test('a module exports an instance, a promise or a function; nothing listens, no database is opened', async t => {
  const dir = modules(t)
  for (const name of ['instance', 'promise', 'function', 'eager', 'eager-callback']) {
    const routes = await run(dir, ['routes', `${name}.mjs`, '--json'])
    t.equal(routes.err, '', name)
    t.match(JSON.parse(routes.out), [{ path: '/api/Shelves', verb: 'POST' }], name)
  }
  t.match((await run(dir, ['types', 'sync.mjs', '--out', '-'])).out, 'export type BookDefinition')
  t.notOk(existsSync(path.join(dir, 'rows.db')), 'no file of a database has been made')
})

t.test('every command knows modules', async t => {
  const dir = modules(t)
  const module = 'function.mjs'
  const before = process.env.NODE_ENV
  const described = JSON.parse((await run(dir, ['openapi', module, '--env', 'staging'])).out) as { info: object }
  t.match(described.info, { title: 'Books of staging', version: '3.0.0' })
  t.equal(process.env.NODE_ENV, before)
  t.match((await run(dir, ['client', module])).out, 'export function createClient')
  t.match(await run(dir, ['types', module]), { code: 0, out: /Wrote .*models\.d\.ts: ACL, AccessToken, Book, .*Shelf/ })
  t.match(readFileSync(path.join(dir, 'models.d.ts'), 'utf8'), 'shelfId')
  t.match(await run(dir, ['types', module, '--check']), { code: 0 })

  const dry = JSON.parse((await run(dir, ['migrate', module, '--data-source', 'db', '--dry-run', '--json'])).out) as unknown
  t.match(dry, [{ dataSource: 'db', upToDate: false, changed: false }])
  t.match((await run(dir, ['migrate', module, '--data-source', 'nowhere'])).err, /FBK_CLI_UNKNOWN_DATA_SOURCE/)
  t.match(await run(dir, ['migrate', module]), { code: 0, out: /^db: brought up to date \(.*Book.*\)\nother: brought up/ })
  t.match(JSON.parse((await run(dir, ['migrate', module, '--json'])).out), [{ upToDate: true, changed: false }, {}])

  const explained = await run(dir, ['acl', 'explain', 'Book', 'create', module])
  t.match(explained, { code: 0, err: '', out: /^refused {2}Book\.create \(WRITE\)/ })
  const audited = await run(dir, ['audit', module])
  t.match(audited, { code: 3, err: /FBK_CLI_FINDINGS/ })
  t.match(audited.out, /FBK_AUDIT_OPEN_MODEL +definition of Shelf {2}acls/)
  t.match(audited.out, /\d+ rules are about the files of a folder, and were left out\.$/)
})

t.test('modules that give no application', async t => {
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    'nothing.mjs': 'export const server = 1',
    'other.mjs': 'export default () => ({ listen () {} })',
    'broken.mjs': 'throw new Error("no way")',
    'thrown.cjs': 'exports.build = () => { throw new Error("no setting") }',
    'bare.cjs': `const { createRequire } = require('node:module')\nmodule.exports = createRequire(${from('fastify')})('fastify')()`,
    'coded.mjs': source('export default async () => { const app = await make(); await app.register(core); return app }').replaceAll('BASE', '.'),
    'app.ts': source('const app: unknown = make()\nexport default app').replaceAll('BASE', '.')
  })
  for (const [name, message] of [
    ['nothing.mjs', /^error FBK_CLI_NO_APPLICATION: .*as "default", "app", "build" or "createApp": it exports none\.$/m],
    ['other.mjs', /^error FBK_CLI_NO_APPLICATION: .*gives no Fastify instance\.$/m],
    ['broken.mjs', /^error FBK_CLI_MODULE: .*broken\.mjs" gives no application: no way$/m],
    ['thrown.cjs', /^error FBK_CLI_MODULE: .*no setting$/m],
    ['bare.cjs', /^error FBK_CLI_NO_REGISTRY: /],
    ['coded.mjs', /^error FBK_CORE_ALREADY_REGISTERED: /]
  ] as const) {
    const { code, err } = await run(dir, ['routes', name])
    t.equal(code, 1, name)
    t.match(err, message)
  }
  t.match((await run(dir, ['audit', 'bare.cjs'])).err, /^error FBK_CLI_NO_REGISTRY: /)
  const typed = spawnSync(process.execPath, [bin, 'routes', 'app.ts'], { cwd: dir, encoding: 'utf8', env: { PATH: process.env.PATH } })
  if (['strip', 'transform'].includes(String((process.features as { typescript?: unknown }).typescript))) {
    t.match(typed.stdout, '/api/Books')
  } else {
    t.match(typed.stderr, /^error FBK_CLI_TYPESCRIPT: This Node\.js does not run ".*app\.ts"\. Use Node\.js 22\.18 .*--import tsx/)
  }
})

t.test('each command is a function of an application, which goes on', async t => {
  const dir = t.testdir({})
  const opened: string[] = []
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url: 'sqlite:rows.db' } },
    definitions: [
      { name: 'Note', base: 'PersistedModel', strict: true, properties: { title: 'string' } },
      { name: 'Draft', base: 'Note' }
    ],
    models: { Note: { dataSource: 'db' }, Draft: { dataSource: 'db', public: false } },
    settings: { queryLimits: { rows: 1e9 } },
    baseDir: dir
  })
  app.registry.dataSources.db?.on('connected', () => { opened.push('db') })
  await app.register(rest, { prefix: '/api' })
  await app.register(explorer, { info: { title: 'Notes', version: '1.2.3' } })

  t.match((await listRoutes(app))[0], { verb: 'POST', path: '/api/Notes', method: 'Note.create' })
  t.match((await describeApi(app)).info, { title: 'Notes', version: '1.2.3' })
  t.match((await writeClient(app)).text, 'Note')
  t.match((await writeModelTypes(app, { dryRun: true })).models, ['Draft', 'Note'])
  const report = await audit(app)
  t.match(
    report.findings.map(({ code, file, key }) => ({ code, file, key })),
    [
      { code: 'FBK_AUDIT_ACCESS_CONTROL_OFF', file: 'plugins of the application', key: '' },
      { code: 'FBK_AUDIT_QUERY_LIMITS', file: 'settings of the application', key: 'queryLimits.rows' }
    ]
  )
  t.ok(report.leftOut.includes('FBK_AUDIT_SECRET_FILE'))
  t.match(opened, [], 'those that only look have opened nothing')

  t.match(await migrate(app), [{ dataSource: 'db', models: ['Draft', 'Note'], upToDate: false, changed: true }])
  t.match(opened, ['db'])
  t.equal(app.registry.dataSources.db?.connected, false, 'what was opened is closed')
  t.match(await explainAccess(app, { model: 'Note', method: 'find' }), { allowed: true, enforced: false })

  await app.ready()
  t.match(await migrate(app, { dryRun: true }), [{ upToDate: true, changed: false }])
  t.equal(app.registry.dataSources.db?.connected, true, 'what was open stays open')
  const { statusCode } = await app.inject('/api/Notes')
  t.equal(statusCode, 200)
  t.equal((await listRoutes(app)).length, (await listRoutes(app)).length)
})
