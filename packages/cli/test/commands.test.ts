// FASTBACK_TEST_FULL: commands as processes.
/** Each command through `main`, in this process. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { describeApi, errors, listRoutes, migrate, newApplication } from '../src/index.js'
import { run } from './terminal.js'

const notes = fileURLToPath(new URL('../templates/notes', import.meta.url))

/** Files of a folder, by path. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.path, entry.name)))
    .sort()

/** A small application whose only data source is what is given. */
const application = (
  dataSource: object,
  models: Record<string, object> = {
    Thing: { name: 'Thing', strict: true, properties: { name: { type: 'string', required: true } } }
  }
) => ({
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': '{ "DATA_DIR": "../data" }',
    'datasources.json': JSON.stringify({ db: dataSource }),
    'model-config.json': JSON.stringify({
      _meta: { sources: ['./models'] },
      ...Object.fromEntries(Object.keys(models).map(name => [name, { dataSource: 'db', public: true }]))
    }),
    'component-config.json': '{ "loopback-component-explorer": null }',
    models: Object.fromEntries(
      Object.entries(models).map(([name, definition]) => [`${name.toLowerCase()}.json`, JSON.stringify(definition)])
    )
  }
})

const expectedTypes = `// Written by "fastback types" from the model definitions: a change here is lost. Run it again after a change of the models.
import type * as fastback from '@fastback/cli'

/** server/models/thing.json */
export type ThingDefinition = {
  name: 'Thing'
  properties: {
    name: { type: 'string', required: true }
    tags: { type: ['string'] }
    size: { type: { w: 'number', 'deep-er': { x: 'date' } } }
    anything: { type: 'any' }
    'it\\'s': { type: 'boolean' }
    at: { type: 'date', default: unknown }
    id: { type: 'number', id: true, generated: true }
    ownerId: { type: 'number' }
    ownerType: { type: 'string' }
  }
  relations: {
    owner: { type: 'belongsTo', foreignKey: 'ownerId' }
    parts: { type: 'hasMany', model: 'spare-part', foreignKey: 'thingId' }
  }
  statics: {
    /** Looks for * / things */
    search: (text: string | undefined, limit: number, argument3?: Array<Date>, options?: fastback.OperationOptions, req?: any) => Promise<[Array<Thing>, number]>
  }
  instanceMethods: {
    drop: () => Promise<void>
  }
  calls: {
    search: { args: { text?: string, limit: number, default?: Array<Date>, options?: fastback.OperationOptions, req?: any }, result: { things: Array<Thing>, total: number } }
    'prototype.drop': { args: {}, result: unknown }
  }
}
export type Thing = fastback.RowType<ThingDefinition>
export type ThingInstance = fastback.Instance<ThingDefinition>
export type ThingModel = fastback.FolderModel<ThingDefinition>

/** server/models/sparepart.json */
export type sparePartDefinition = {
  name: 'spare-part'
  properties: {
    code: { type: 'string', id: true }
    thingId: { type: 'number' }
  }
  relations: {}
}
export type sparePart = fastback.RowType<sparePartDefinition>
export type sparePartInstance = fastback.Instance<sparePartDefinition>
export type sparePartModel = fastback.FolderModel<sparePartDefinition>

/** The model classes by name, as in \`app.models\`. */
export interface Models {
  Thing: ThingModel
  'spare-part': sparePartModel
}

/** What boot scripts are called with. */
export type Application = fastback.Application<Models>

declare module '@fastback/cli' {
  /** Where relations find the definitions of other models. */
  interface ModelTypes {
    Thing: ThingDefinition
    'spare-part': sparePartDefinition
  }
}`

t.test('help, version, and being called wrongly', async t => {
  const cwd = t.testdir()
  const help = await run(cwd, ['--help'])
  t.equal(help.code, 0)
  for (const command of ['new', 'serve', 'routes', 'openapi', 'types', 'migrate', 'acl']) {
    t.match(help.out, command)
    const own = await run(cwd, [command, '--help'])
    t.equal(own.code, 0)
    t.match(own.out, /--debug/)
  }
  t.match((await run(cwd, ['--version'])).out, /^\d+\.\d+\.\d+/)

  const wrong: Array<[string[], RegExp]> = [
    [[], /USAGE/],
    [['srve'], /^error FBK_CLI_USAGE: There is no command "srve"/],
    [['constructor'], /^error FBK_CLI_USAGE: There is no command/],
    [['serve', '--prot', '1'], /There is no option "--prot"\. Did you mean "--port"\? See/],
    [['serve', '-x'], /There is no option "-x"\. See/],
    [['serve', '--port'], /"--port" needs a value/],
    [['serve', '--port', 'http'], /"--port" must be a whole number/],
    [['serve', '--port', '70000'], /"--port" must be a whole number/],
    [['serve', 'a', 'b'], /"b" is one word too many/],
    [['openapi', '--version', '2.0'], /Invalid value/],
    [['new'], /fastback new NAME/]
  ]
  for (const [args, message] of wrong) {
    const { code, out, err } = await run(cwd, args)
    t.equal(code, 2, args.join(' '))
    t.equal(out, '')
    t.match(err, message)
  }
})

t.test('routes says why there are none', async t => {
  const app = application({ connector: 'memory' })
  const cwd = t.testdir({ app: { ...app, server: { ...app.server, 'middleware.json': '{ "routes": {} }' } } })
  t.match(await run(cwd, ['routes', 'app']), {
    code: 0,
    out: '',
    err: /^Nothing mounts REST, so that no route leads to the public models \(Thing\)\. .*"fastback#rest"/
  })
  t.equal((await run(cwd, ['routes', 'app', '--json'])).out, '[]')
})

t.test('errors are one line and the way to more, with the stack only when it is asked for', async t => {
  const cwd = t.testdir({ broken: { server: { 'config.json': '{\n  "port": 1,\n  oops\n}' } } })
  const plain = await run(cwd, ['routes', 'broken'])
  t.equal(plain.code, 1)
  t.match(plain.err, /^error FBK_BOOT_INVALID_JSON: server\/config\.json, line 3: .+\nMore: fastback explain FBK_BOOT_INVALID_JSON$/)
  for (const [args, env] of [[['--debug'], {}], [[], { DEBUG: '1' }]] as const) {
    t.match((await run(cwd, ['routes', 'broken', ...args], env)).err, /\n\s+at /)
  }
  t.match(await run(cwd, ['routes', 'nowhere']), {
    code: 1,
    err: /^error FBK_BOOT_FOLDER: .*nowhere.* there is no such folder/
  })
})

t.test('the README lists every error', async t => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const codes: string[] = Object.values(errors).map(Error => new Error().code)
  t.ok(codes.length > 5)
  t.strictSame([...new Set(readme.match(/FBK_CLI_\w*\w/g))].filter(code => !codes.includes(code)), [])
  for (const code of codes) t.match(readme, `\`${code}\``)
})

t.test('new', async t => {
  const cwd = t.testdir({ full: { 'a.txt': 'a' }, repository: { '.git': { HEAD: 'x' } } })

  const dry = await run(cwd, ['new', 'dry', '--dry-run', '--json'])
  t.equal(dry.code, 0)
  t.match(JSON.parse(dry.out), { name: 'dry', template: 'api-server', written: false, installed: false })
  t.notOk(existsSync(path.join(cwd, 'dry')))

  const made = await run(cwd, ['new', 'apps/my-app', '-t', 'notes'])
  t.equal(made.code, 0)
  t.match(made.out, /cd apps\/my-app\n\s+npm install\n\s+npm start/)
  const folder = path.join(cwd, 'apps/my-app')
  const files = filesIn(folder)
  t.ok(
    [
      '.gitignore',
      'README.md',
      'common/models/note.js',
      'models.d.ts',
      'package.json',
      'server/boot/seed.js',
      'test/notes.test.js'
    ].every(file => files.includes(file))
  )
  t.notOk(files.some(file => path.basename(file).startsWith('_')))
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  t.equal(manifest.name, 'my-app')
  t.equal(manifest.dependencies['@fastback/cli'], `file:${path.resolve(notes, '../..')}`)
  t.match(made.out, /links to the packages in /)
  t.match(readFileSync(path.join(folder, 'README.md'), 'utf8'), /^# my-app\n/)

  t.match(await run(cwd, ['new', '--yes', '--json']), { code: 0, out: /"name": "my-app"/ }, 'a default name')
  t.match(await run(cwd, ['new', 'repository', '-t', 'empty-server']), { code: 0 }, 'a fresh repository is empty')
  const refused: Array<[string[], RegExp]> = [
    [['full'], /^error FBK_CLI_FOLDER_NOT_EMPTY/],
    [['full/a.txt'], /^error FBK_CLI_FOLDER_NOT_EMPTY/],
    [['My App'], /^error FBK_CLI_INVALID_NAME/],
    [['x'.repeat(215)], /^error FBK_CLI_INVALID_NAME/],
    [['other', '-t', 'nots'], /^error FBK_CLI_UNKNOWN_TEMPLATE: .*notes/]
  ]
  for (const [args, message] of refused) {
    t.match(await run(cwd, ['new', ...args]), { code: 1, out: '', err: message }, args.join(' '))
  }
  t.strictSame(filesIn(path.join(cwd, 'full')), ['a.txt'])
})

t.test('new from a checkout: what it makes installs, and passes its tests, without a registry', async t => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'fastback-new-'))
  t.teardown(() => rmSync(cwd, { recursive: true }))
  const { folder } = await newApplication({ name: 'app', template: 'hello-world', cwd })
  const npm = async (...args: string[]) => await promisify(execFile)('npm', args, { cwd: folder })
  await npm('install', '--offline', '--no-audit', '--no-fund')
  t.match((await npm('test')).stdout, /pass 2/)
})

t.test('new --install tells what failed, and leaves a complete application', async t => {
  const cwd = t.testdir({ bin: {} })
  const { PATH } = process.env
  t.teardown(() => { process.env.PATH = PATH })
  process.env.PATH = path.join(cwd, 'bin')
  await t.rejects(newApplication({ name: 'app', template: 'empty-server', cwd, install: true }), {
    code: 'FBK_CLI_INSTALL',
    message: /npm install/
  })
  t.ok(existsSync(path.join(cwd, 'app/package.json')))
})

t.test('what is written with --out has the folders that it lacks', async t => {
  const cwd = t.testdir({})
  for (const [command, file] of [['client', 'web/api.ts'], ['types', 'types/of/models.d.ts']] as const) {
    t.match(await run(cwd, [command, notes, '--out', file]), { code: 0, err: '' }, command)
    t.ok(existsSync(path.join(cwd, file)), file)
  }
  t.match(await run(cwd, ['export-api', 'api/openapi.yaml', notes]), { code: 0, err: '' })
  t.ok(existsSync(path.join(cwd, 'api/openapi.yaml')))
})

t.test('routes', async t => {
  const json = await run('/', ['routes', notes, '--json'])
  const routes = JSON.parse(json.out) as Array<{ verb: string, path: string, method: string, accessType?: string }>
  t.strictSame(routes, JSON.parse(JSON.stringify(await listRoutes(notes))))
  t.match(
    routes.find(route => route.verb === 'PATCH' && route.path === '/api/Notes/:id'),
    { method: 'Note.prototype.patchAttributes', accessType: 'WRITE' }
  )
  t.match(
    routes.find(route => route.path === '/api/Notes/:id/finish'),
    { verb: 'POST', method: 'Note.prototype.finish' }
  )
  t.ok(routes.some(route => route.method === 'Category.prototype.__get__notes'))
  t.notOk(routes.some(route => route.method.startsWith('AccessToken.')), 'only published models')
  t.match((await run('/', ['routes', notes])).out, /^POST +\/api\/Notes\/:id\/finish +Note\.prototype\.finish +WRITE$/m)
  t.notOk(existsSync(path.join(notes, 'data/notes.db')), 'no database was touched')

  const empty = fileURLToPath(new URL('../templates/empty-server', import.meta.url))
  t.match(await run('/', ['routes', empty]), { code: 0, out: '', err: 'No model is published.' })
})

t.test('acl explain', async t => {
  const rule = (permission: string, principalId: string) => ({ principalType: 'ROLE', principalId, permission })
  const Thing = {
    name: 'Thing',
    strict: true,
    properties: { name: 'string', userId: 'number' },
    acls: [rule('DENY', '$everyone'), rule('ALLOW', '$owner'), rule('ALLOW', 'admin')]
  }
  const files = application({ connector: 'memory', file: '../data/rows.json' }, { Thing })
  const config = JSON.parse(files.server['model-config.json'])
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) {
    config[name] = { dataSource: 'db', public: false }
  }
  const rows = {
    Thing: { 1: JSON.stringify({ id: 1, userId: 7 }) },
    Role: { 1: JSON.stringify({ id: 1, name: 'admin' }) },
    RoleMapping: { 1: JSON.stringify({ id: 1, roleId: 1, principalType: 'USER', principalId: '9' }) }
  }
  const cwd = t.testdir({
    ...files,
    data: { 'rows.json': JSON.stringify({ ids: {}, models: rows }) },
    server: {
      ...files.server,
      'model-config.json': JSON.stringify(config),
      boot: {
        'auth.js': 'export default async app => { app.enableAuth(); await app.models.Thing.create({ userId: 8 }) }'
      }
    }
  })
  const before = readFileSync(path.join(cwd, 'data/rows.json'), 'utf8')
  const explain = async (...args: string[]) =>
    JSON.parse((await run(cwd, ['acl', 'explain', 'Thing', ...args, '--json'])).out)
  t.match(await explain('findById', '--user', '7', '--id', '1'), {
    allowed: true,
    enforced: true,
    method: 'Thing.findById',
    accessType: 'READ',
    rule: { principalId: '$owner' }
  })
  t.match(
    await explain('findById', '--user', '8', '--id', '1'),
    { allowed: false, rule: { principalId: '$everyone' } },
    'rows of boot scripts do not count'
  )
  t.match(await explain('updateAttributes', '--user', '9'), {
    allowed: true,
    method: 'Thing.prototype.patchAttributes',
    rule: { principalId: 'admin' }
  })
  t.match(await run(cwd, ['acl', 'explain', 'Thing', 'find']), {
    code: 0,
    out: /^refused {2}Thing\.find \(READ\)\nbecause: DENY for ROLE \$everyone\n.*does not fit.*admin.*\n.*\n.*decides.*\$everyone/
  })
  t.equal(readFileSync(path.join(cwd, 'data/rows.json'), 'utf8'), before, 'nothing is written')
  t.match(await run(cwd, ['acl', 'explain', 'Thing', 'fnd']), { code: 1, err: /^error FBK_ACL_UNKNOWN_METHOD/ })
  t.match(await run(cwd, ['acl', 'explain', 'Thong', 'find']), { code: 1, err: /^error FBK_/ })
  t.match(await run(cwd, ['acl', 'show', 'Thing', 'find']), { code: 2, err: /can "explain", "matrix" and "shadow"/ })
  t.equal((await run(cwd, ['acl', 'explain', 'Thing'])).code, 2)
  t.match(
    await run('/', [
      'acl',
      'explain',
      'Thing',
      'find',
      path.relative('/', t.testdir(application({ connector: 'memory' })))
    ]),
    { code: 0, out: /^allowed/, err: /Access control is off/ }
  )
})

t.test('openapi', async t => {
  const cwd = t.testdir(application({ connector: 'memory' }))
  const { code, out } = await run(cwd, ['openapi'])
  t.equal(code, 0)
  const document = JSON.parse(out)
  t.match(document.openapi, /^3\.1/)
  t.match(document.paths['/Things/{id}'].get.operationId, /^Thing\.findById/)
  t.match((await describeApi(cwd, { version: '3.0' })).openapi, /^3\.0/)
  t.match(await run(cwd, ['openapi', '--out', 'api.json', '--json']), {
    code: 0,
    out: JSON.stringify({ file: path.join(cwd, 'api.json') })
  })
  t.strictSame(JSON.parse(readFileSync(path.join(cwd, 'api.json'), 'utf8')), document)
})

t.test('types', async t => {
  const cwd = t.testdir(
    application(
      { connector: 'memory' },
      {
        Thing: {
          name: 'Thing',
          strict: true,
          properties: {
            name: { type: 'string', required: true },
            tags: ['string'],
            size: { w: 'number', 'deep-er': { x: 'date' } },
            anything: 'any',
            "it's": 'boolean',
            at: { type: 'date', defaultFn: 'now' }
          },
          relations: {
            owner: { type: 'belongsTo', polymorphic: true },
            parts: { type: 'hasMany', model: 'spare-part' }
          },
          methods: {
            search: {
              description: 'Looks\nfor */ things',
              accepts: [
                { arg: 'text', type: 'string' },
                { arg: 'limit', type: 'number', required: true },
                { arg: 'default', type: ['date'] },
                { arg: 'options', type: 'object', http: 'optionsFromRequest' },
                { arg: 'req', type: 'object', http: { source: 'req' } }
              ],
              returns: [
                { arg: 'things', type: ['Thing'] },
                { arg: 'total', type: 'number' }
              ]
            },
            'prototype.drop': { http: { verb: 'post' } }
          }
        },
        Sparepart: {
          name: 'spare-part',
          idInjection: false,
          base: 'PersistedModel',
          properties: { code: { type: 'string', id: true } }
        }
      }
    )
  )
  // The model's name is not that of its file here.
  writeFileSync(
    path.join(cwd, 'server/model-config.json'),
    JSON.stringify({
      _meta: { sources: ['./models'] },
      Thing: { dataSource: 'db' },
      'spare-part': { dataSource: 'db' }
    })
  )

  t.match(await run(cwd, ['types', '--check']), { code: 1, err: /^error FBK_CLI_OUT_OF_DATE/ })
  t.match(await run(cwd, ['types', '--dry-run']), {
    code: 0,
    out: /^Would write .*models\.d\.ts: Thing, spare-part\.$/
  })
  t.notOk(existsSync(path.join(cwd, 'models.d.ts')))
  const printed = await run(cwd, ['types', '--out', '-'])
  t.equal(printed.out, expectedTypes)
  t.notOk(existsSync(path.join(cwd, 'models.d.ts')))
  t.match(await run(cwd, ['types', '--json']), { code: 0, out: /"written": true/ })
  t.equal(readFileSync(path.join(cwd, 'models.d.ts'), 'utf8'), printed.out + '\n')
  t.match(await run(cwd, ['types']), { code: 0, out: /is up to date/ })
  t.match(await run(cwd, ['types', '--check']), { code: 0 })
})

t.test('migrate', async t => {
  // eslint-disable-next-line no-template-curly-in-string -- for the loader of the configuration
  const cwd = t.testdir(application({ connector: 'sql', url: 'sqlite:${DATA_DIR}/things.db' }))
  t.teardown(() => { delete process.env.DATA_DIR })
  mkdirSync(path.join(cwd, 'server/boot'))
  writeFileSync(
    path.join(cwd, 'server/boot/seed.js'),
    "export default async app => { await app.models.Thing.create({ name: 'from the boot script' }) }"
  )

  t.match(JSON.parse((await run(cwd, ['migrate', '--dry-run', '--json'])).out), [
    { dataSource: 'db', models: ['Thing'], upToDate: false, changed: false, changes: [{ kind: 'create table' }], differences: [] }
  ])
  t.match(await run(cwd, ['migrate']), { code: 0, out: 'db: brought up to date (Thing)' })
  t.ok(existsSync(path.join(cwd, 'data/things.db')), 'relative to the server folder')
  t.match(await run(cwd, ['migrate']), { code: 0, out: 'db: up to date (Thing)' })

  const definition = path.join(cwd, 'server/models/thing.json')
  writeFileSync(
    definition,
    JSON.stringify({ name: 'Thing', strict: true, properties: { name: 'string', colour: 'string' } })
  )
  t.match(await migrate(cwd, { dryRun: true }), [{ upToDate: false, changed: false }])
  t.match(await migrate(cwd), [{ upToDate: false, changed: true }])
  t.match(await migrate(cwd), [{ upToDate: true, changed: false }])

  t.match(await run(cwd, ['migrate', '--rebuild']), { code: 1, err: /^error FBK_CLI_CONFIRM/ })
  t.match(await run(cwd, ['migrate', '--rebuild', '--yes', '--data-source', 'db']), {
    code: 0,
    out: 'db: brought up to date (Thing)'
  })
  t.match(await run(cwd, ['migrate', '--data-source', 'dv']), {
    code: 1,
    err: /^error FBK_CLI_UNKNOWN_DATA_SOURCE: .*dv.*db/
  })
})

t.test('audit', async t => {
  const cwd = t.testdir(
    application(
      { connector: 'memory' },
      { Thing: { name: 'Thing', acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }] } }
    )
  )
  const { code, out, err } = await run(cwd, ['audit'])
  t.equal(code, 3)
  t.match(
    out,
    /^high {4}FBK_AUDIT_ACCESS_CONTROL_OFF {2}server\/boot\/authentication\.js\n {8}One model is published, .*\n {8}why: .*\n {8}fix: export default .*\n\n1 finding: 1 high \(environment "production"\)$/
  )
  t.equal(err, 'error FBK_CLI_FINDINGS: 1 finding: 1 high.')
  t.match(JSON.parse((await run(cwd, ['audit', '--json'])).out), {
    env: 'production',
    findings: [{ code: 'FBK_AUDIT_ACCESS_CONTROL_OFF', severity: 'high' }],
    accepted: []
  })
  t.match(await run(cwd, ['audit', '--severity', 'worst']), {
    code: 2,
    err: /^error FBK_CLI_USAGE: There is no severity "worst"\. There are: high, medium, low\./
  })

  writeFileSync(
    path.join(cwd, 'server/config.json'),
    JSON.stringify({ audit: { accepted: [{ code: 'FBK_AUDIT_ACCESS_CONTROL_OFF', reason: 'it is a test' }] } })
  )
  t.strictSame(await run(cwd, ['audit']), {
    code: 0,
    out: 'Nothing found (environment "production"), 1 accepted in config.json',
    err: ''
  })
})
