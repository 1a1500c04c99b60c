import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { upgrade, writeFiles, type UpgradeFinding, type UpgradeOptions } from '../src/entries/folder.js'
import { address, start } from './child.js'
import { run } from './terminal.js'

type Files = Readonly<Record<string, unknown>>

/** A folder of version 3: what is in `files` is put over it. Texts are written as they are, the rest as JSON. */
function folderOf (t: Test, files: Files = {}): string {
  const all: Files = {
    'package.json': { name: 'a', dependencies: { loopback: '^3.0.0' } },
    'server/config.json': { restApiRoot: '/api', remoting: { context: false, cors: false, rest: { handleErrors: false } } },
    'server/middleware.json': { initial: { cors: {} }, 'final:after': { 'strong-error-handler': { params: { log: true } } } },
    'server/datasources.json': { db: { name: 'db', connector: 'memory' } },
    'server/model-config.json': { Pet: { dataSource: 'db' } },
    'common/models/pet.json': { name: 'Pet', base: 'PersistedModel', replaceOnPUT: true, forceId: true, properties: { name: 'string' } },
    ...files
  }
  const tree: Record<string, unknown> = {}
  for (const [file, content] of Object.entries(all)) {
    const names = file.split('/')
    const last = names.pop() as string
    let at = tree
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>
    at[last] = typeof content === 'string' ? content : JSON.stringify(content, null, 2) + '\n'
  }
  return t.testdir(tree as never)
}

const pet = (more: object): object =>
  ({ name: 'Pet', base: 'PersistedModel', replaceOnPUT: true, forceId: true, properties: { name: 'string' }, ...more })
const script = (body: string): string => `module.exports = function (Pet) {\n  ${body}\n}\n`
const boot = (body: string): string => `'use strict'\nvar loopback = require('loopback')\nmodule.exports = function (app) {\n  ${body}\n}\n`
const config = (remoting: object) =>
  ({ remoting: { context: false, cors: false, rest: { handleErrors: false }, ...remoting } })

interface Case {
  readonly rule: string
  /** What breaks the rule. */
  readonly bad: Files
  /** What looks like it and is none. */
  readonly good?: Files
  /** By hand, when left out. */
  readonly fixed?: Readonly<Record<string, RegExp>>
  readonly options?: UpgradeOptions
}

const cases: readonly Case[] = [
  {
    rule: 'UP-01',
    bad: { 'package.json': { dependencies: { express: '4', loopback: '^2.38.0', 'loopback-datasource-juggler': '^2.0.0' } } },
    good: { 'package.json': { dependencies: { loopback: '^3.2.0', 'loopback-boot': '^2.6.5' } } },
    fixed: { 'package.json': /"express": "4",\s+"loopback": "npm:@fastback\/loopback@1"\s+}/ }
  },
  {
    rule: 'UP-02',
    bad: {
      'server/middleware.json': { 'final:after': { 'loopback#errorHandler': {} }, initial: { cors: {} } },
      'server/config.json': { remoting: { context: false, cors: false, errorHandler: { disableStackTrace: true } } },
      'server/boot/a.js': boot('app.use(loopback.errorHandler())\n  console.log(1)'),
      'server/server.js': 'var loopback = require("loopback")\nvar app = module.exports = loopback()\napp.use(loopback.errorHandler())\n'
    },
    good: { 'server/boot/a.js': boot('app.use(other.errorHandler())') },
    fixed: {
      'server/middleware.json': /"final:after": {\s+"strong-error-handler": {\s+"params": {\s+"debug": false,\s+"log": true/,
      'server/config.json': /"cors": false,\s+"rest": {\s+"handleErrors": false/,
      'server/boot/a.js': /function \(app\) {\n {2}console/,
      'server/server.js': /loopback\(\)\n$/
    }
  },
  {
    rule: 'UP-03',
    bad: {
      'server/middleware.json': { initial: { 'loopback#cookieParser': {}, 'loopback#favicon': {} } },
      'server/boot/a.js': boot('app.use(loopback.compress({ threshold: 1 })) // small'),
      'server/boot/b.mjs': 'import loopback from \'loopback\';\nexport default app => app.use(loopback.vhost());\n',
      'server/boot/c.ts': 'import loopback from \'loopback\'\nexport default (app: any): void => app.use(loopback!.logger(<any>\'dev\'))\n'
    },
    good: {
      'server/middleware.json': { initial: { 'loopback#favicon': {}, 'loopback#static': {} } },
      'server/boot/a.js': boot('// loopback.compress()\n  var text = "loopback.session()"\n  app.use(loopback.static(text))')
    },
    fixed: {
      'server/middleware.json': /"cookie-parser": {},\s+"loopback#favicon": {}/,
      'server/boot/a.js': /require\('loopback'\)\nvar compression = require\('compression'\)\n[^]*app.use\(compression\({ threshold: 1 }\)\) \/\/ small/,
      'server/boot/b.mjs': /'loopback';\nimport vhost from 'vhost';\n.*use\(vhost\(\)\)/,
      'server/boot/c.ts': /import morgan from 'morgan'\n.*app.use\(morgan\(<any>'dev'\)\)/
    }
  },
  {
    rule: 'UP-04',
    bad: { 'common/models/pet.json': { name: 'Pet' } },
    good: { 'server/model-config.json': { Pet: { dataSource: 'db', public: false } }, 'common/models/pet.json': { name: 'Pet' } },
    fixed: { 'common/models/pet.json': /"replaceOnPUT": false/ },
    options: { keepPut: true }
  },
  {
    rule: 'UP-05',
    bad: { 'common/models/pet.json': pet({ mixins: { TimeStamp: true } }) },
    good: { 'common/models/pet.json': pet({ mixins: { TimeStamp: true } }), 'common/mixins/time-stamp.js': 'module.exports = () => {}' }
  },
  {
    rule: 'UP-06',
    bad: {
      'common/models/pet.json': pet({ methods: { greet: { isStatic: true }, rename: { isStatic: false } } }),
      'common/models/pet.js': script(`var yes = true;
  Pet.remoteMethod('rename', { isStatic: false, http: { verb: 'put' } });
  Pet.remoteMethod('greet', {
    http: { verb: 'get' }, // stays
    isStatic: true
  });
  Pet.disableRemoteMethod("find", yes);
  Pet.disableRemoteMethod('patch', false);
  Pet.disableRemoteMethod(name, false);`)
    },
    good: { 'common/models/pet.js': script('Pet.disableRemoteMethodByName("find"); helper({ isStatic: true })') },
    fixed: {
      'common/models/pet.json': /"greet": {},\s+"prototype.rename": {}/,
      'common/models/pet.js': /remoteMethod\('prototype.rename', { http: { verb: 'put' } }\);[^]*verb: 'get' }[^]*ByName\("find"\);\n.*ByName\('prototype.patch'\);\n.*ByName\('prototype.' \+ name\)/
    }
  },
  {
    rule: 'UP-07',
    bad: {
      'common/models/pet.json': pet({ properties: { 'address.city': 'string' } }),
      'server/datasources.json': { db: { connector: 'loopback-connector-postgresql' } }
    },
    good: { 'common/models/pet.json': pet({ properties: { address_city: 'string' } }) },
    fixed: { 'common/models/pet.json': /"address_city": {\s+"type": "string",\s+"postgresql": {\s+"columnName": "address.city"/ },
    options: { renameDots: '_' }
  },
  {
    rule: 'UP-08',
    bad: {
      'common/models/file.json': { name: 'File', replaceOnPUT: true, forceId: true, relations: { parts: { type: 'hasMany', model: 'Pet' } } },
      'common/models/pet.json': pet({ relations: { file: { type: 'belongsTo', model: 'File' } } }),
      'server/model-config.json': { File: { dataSource: 'db' }, Pet: { dataSource: 'db' } },
      'server/boot/a.js': boot('app.models.File.find(); loopback.getModel("File")')
    },
    good: { 'server/boot/a.js': boot('new File("x"); app.File = 1') },
    fixed: {
      'common/models/file.json': /"name": "UserFile"[^]*"foreignKey": "fileId"[^]*"plural": "files"/,
      'common/models/pet.json': /"model": "UserFile"/,
      'server/model-config.json': /"UserFile": {/,
      'server/boot/a.js': /app.models.UserFile.find\(\); loopback.getModel\('UserFile'\)/
    }
  },
  {
    rule: 'UP-09',
    bad: { 'common/models/pet.json': { name: 'Pet', replaceOnPUT: true } },
    good: {
      'common/models/pet.json': { name: 'Pet', replaceOnPUT: true, properties: { sku: { type: 'string', id: true } } },
      'common/models/pet.js': script('Pet.create({ id: 1 }); stripe.create({ id: 1 })')
    },
    fixed: { 'common/models/pet.json': /"forceId": false/ },
    options: { keepIds: true }
  },
  {
    rule: 'UP-10',
    bad: { 'common/models/pet.js': script('var made = Pet.create({}, function (error) {}); Pet.create({}, done).then(x)') },
    good: { 'common/models/pet.js': script('return Pet.create({}, done); var made = Pet.create({}); var o = Object.create({}, done)') }
  },
  {
    rule: 'UP-11',
    bad: { 'common/models/pet.js': script('Pet.observe("loaded", function (ctx, next) { if (ctx.instance) next() })') },
    good: { 'common/models/pet.js': script('Pet.observe("loaded", async ctx => ctx.data); Pet.observe("access", async ctx => ctx.instance)') }
  },
  {
    rule: 'UP-12',
    bad: { 'common/models/pet.js': script('Pet.on(\'deleted\', function (id) {\n    clean(id);\n  });') },
    good: { 'common/models/pet.js': script('socket.on("changed", x); Pet.on("attached", x)') },
    fixed: { 'common/models/pet.js': /\n {2}Pet.observe\('after delete', async ctx => {\n {4}\/\/ Pet.on\('deleted', function \(id\) {\n {4}\/\/ {3}clean\(id\);\n {4}\/\/ }\);\n {2}}\);\n/ },
    options: { stub: true }
  },
  {
    rule: 'UP-13',
    bad: { 'common/models/pet.js': script('Pet.updateOrCreate([a, Pet.upsert([b])])') },
    good: { 'common/models/pet.js': script('Pet.upsert(status); var options = {}; Pet.upsert(options); db.upsert([1])') },
    fixed: { 'common/models/pet.js': /Promise.all\(\[a, Promise.all\(\[b\].map\(each => Pet.upsert\(each\)\)\)\].map\(each => Pet.updateOrCreate\(each\)\)\)/ }
  },
  {
    rule: 'UP-14',
    bad: {
      'common/models/customer.json': { name: 'Customer', base: 'User', replaceOnPUT: true, forceId: true, scopes: { fresh: { where: { status: 'new' } } } },
      'server/boot/a.js': boot('app.models.Customer.find({ order: "x", where: { lastUpdated: 1 } })')
    },
    good: {
      'server/boot/a.js': boot('app.models.Customer.find({ include: { relation: "orders", scope: { where: { created: 1 } } } })'),
      'common/models/customer.json': { name: 'Customer', base: 'User', replaceOnPUT: true, forceId: true, properties: { status: 'string' } },
      'common/models/customer.js': script('Pet.find({ where: { status: 1 } }); Pet.status = 1; error.status = 401; response.created')
    },
    fixed: { 'common/models/customer.json': /"properties": {\s+"status": "string",\s+"lastUpdated": "date"\s+}/ }
  },
  {
    rule: 'UP-15',
    bad: {
      'common/models/pet.json': pet({ methods: { near: { accepts: { arg: 'spot', type: 'object' }, http: { verb: 'get' } } } }),
      'common/models/pet.js': script('Pet.remoteMethod("far", { accepts: [{ arg: "n", type: "number", http: { source: "query" } }] })')
    },
    good: {
      'common/models/pet.json': pet({ methods: { near: { accepts: { arg: 'spot', type: 'object' } } } }),
      'common/models/pet.js': script(`Pet.remoteMethod("far", {
    accepts: [{ arg: "req", type: "object", http: { source: "req" } }, { arg: "o", type: "object", http: ctx => ctx }], http: { verb: "get" } })`),
      'server/config.json': config({ rest: { handleErrors: false, normalizeHttpPath: false } })
    }
  },
  {
    rule: 'UP-16',
    bad: {
      'server/config.json': config({ context: { enableHttpContext: true } }),
      'server/middleware.json': { initial: { cors: {}, 'loopback#context': {} } },
      'server/boot/a.js': boot('app.use(loopback.context())')
    },
    good: { 'server/boot/a.js': 'var loopback = require("loopback-context")\nloopback.getCurrentContext()\ncanvas.context()\n' },
    fixed: { 'server/config.json': /"context": false/, 'server/middleware.json': /"cors": {}\s+}/, 'server/boot/a.js': /\(app\) {\n}/ }
  },
  {
    rule: 'UP-17',
    bad: { 'common/models/pet.js': script('global.Promise = require("bluebird"); Pet.find().then(x).spread(y); Pet.find().map(z)') },
    good: { 'common/models/pet.js': script('Bluebird.all([Pet.find()]).spread(x); list.map(y); Pet.find().then(rows => rows.map(z))') }
  },
  {
    rule: 'UP-18',
    bad: { 'server/config.json': config({ cors: { origin: 'https://a.example' } }), 'server/middleware.json': {} },
    good: { 'server/middleware.json': {} },
    fixed: { 'server/config.json': /"cors": false/, 'server/middleware.json': /"initial": {\s+"cors": {\s+"params": {\s+"origin": "https:\/\/a.example",\s+"credentials": true,\s+"maxAge": 86400/ }
  },
  { rule: 'UP-19', bad: { 'server/config.json': { restApiRoot: '/api/v1' } }, good: { 'server/config.json': { restApiRoot: '/api/vets' } } },
  {
    rule: 'UP-20',
    bad: { 'server/boot/a.js': boot('app.model("Pet", { dataSource: "db" })') },
    good: { 'server/boot/a.js': boot('app.model(Pet, { dataSource: "db" }); mongoose.model("Pet", {})') }
  }
]

for (const { rule, bad, good, fixed, options } of cases) {
  t.test(rule, async t => {
    const only = { only: [rule] }
    t.same((await upgrade(folderOf(t), only)).findings, [], 'nothing in a folder of version 3')
    if (good !== undefined) t.same((await upgrade(folderOf(t, good), only)).findings, [], 'what looks like it')
    const folder = folderOf(t, bad)
    const looked = await upgrade(folder, only)
    t.ok(looked.findings.length > 0)
    t.same(looked.changes.changes, [], 'nothing is planned')
    const { findings, changes } = await upgrade(folder, { ...only, ...options, fix: true })
    t.ok(findings.every(({ before, line, column }) => before !== '' && line > 0 && column > 0))
    if (fixed === undefined) {
      t.same(changes.changes, [], 'nothing is mended by itself')
      return
    }
    t.ok(findings.every(({ fix }) => fix === 'done'))
    t.same(changes.changes.map(({ file }) => file).sort(), Object.keys(fixed).sort())
    writeFiles(folder, changes.changes)
    for (const [file, text] of Object.entries(fixed)) t.match(readFileSync(path.join(folder, file), 'utf8'), text, file)
    const again = await upgrade(folder, { ...options, ...only, fix: true })
    t.same(again.findings, [], 'nothing is found again')
    t.same(again.changes.changes, [], 'and nothing is changed')
  })
}

const broken: Files = {
  'package.json': { name: 'old', dependencies: { loopback: '^2.38.0', 'loopback-datasource-juggler': '^2.0.0' } },
  'server/config.json': {
    restApiRoot: '/api/v1',
    remoting: {
      context: { enableHttpContext: true },
      cors: { origin: true },
      errorHandler: { disableStackTrace: true },
      rest: { normalizeHttpPath: false }
    }
  },
  // eslint-disable-next-line no-template-curly-in-string -- as boot reads it
  'server/middleware.json': { 'initial:before': { 'loopback#compress': {} }, initial: { 'loopback#context': {} }, routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } }, 'final:after': { 'loopback#errorHandler': {} } },
  'server/model-config.json': { Pet: { dataSource: 'db' }, File: { dataSource: 'db' }, Customer: { dataSource: 'db' } },
  'common/models/file.json': { name: 'File', base: 'PersistedModel', relations: { pets: { type: 'hasMany', model: 'Pet' } } },
  'common/models/customer.json': { name: 'Customer', base: 'User', scopes: { fresh: { where: { status: 'new' } } } },
  'common/models/pet.json': {
    name: 'Pet', base: 'PersistedModel', properties: { 'address.city': 'string' }, mixins: { TimeStamp: true }, methods: { greet: { isStatic: true } }
  },
  'common/models/pet.js': `module.exports = function (Pet) {
  // Greets.
  Pet.greet = function (done) { done() }
  Pet.disableRemoteMethod('exists', true)
  Pet.observe('loaded', function (ctx, next) { if (ctx.instance) ctx.instance.x = 1; next() })
  Pet.on('deleted', function (id) {})
  Pet.remoteMethod('near', { accepts: { arg: 'spot', type: 'object' }, http: { verb: 'get' } })
  Pet.near = function (spot, done) { done() }
  Pet.fill = function () {
    var made = Pet.create({ id: 7 }, function () {})
    Pet.updateOrCreate([made])
    return Pet.find().spread(function () {})
  }
}
`,
  'server/boot/all.js': `var loopback = require('loopback')
module.exports = function (app) {
  app.use(loopback.context())
  app.noContext = function () { return loopback.getCurrentContext() }
  app.made = function () { app.model('Made', { dataSource: 'db' }) }
}
`
}

t.test('a folder of version 2 that breaks every rule becomes one that serves', async t => {
  const folder = folderOf(t, broken)
  const check = await run(folder, ['upgrade', '.', '--check', '--json'])
  t.equal(check.code, 3)
  t.match(check.err, 'FBK_CLI_UPGRADE_LEFT')
  const rules = new Set((JSON.parse(check.out).findings as UpgradeFinding[]).map(({ rule }) => rule))
  t.equal(rules.size, 20, [...rules].join(' '))

  const fixed = await run(folder, ['upgrade', '.', '--fix', '--rename-dots', '_', '--stub', '--allow-dirty'])
  t.equal(fixed.code, 0, fixed.err)
  t.match(fixed.err, 'it was not tried whether the application starts: something is left by hand')
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  const link = /^file:(.*)$/.exec(dependencies.loopback ?? '')?.[1] as string
  t.equal(JSON.parse(readFileSync(path.join(link, 'package.json'), 'utf8')).name, '@fastback/loopback', 'what npm finds')
  const left = await upgrade(folder)
  t.same(left.findings.filter(({ severity, isWeak }) => severity === 'breaks' && !isWeak).map(({ rule }) => rule).sort(), ['UP-05', 'UP-16', 'UP-20'])

  const edit = (file: string, from: string | RegExp, to: string) => {
    const full = path.join(folder, file)
    writeFileSync(full, readFileSync(full, 'utf8').replace(from, to))
  }
  edit('common/models/pet.json', /"TimeStamp": true/, '')
  edit('server/boot/all.js', 'loopback.getCurrentContext()', 'undefined')
  edit('server/boot/all.js', 'app.model(\'Made\', { dataSource: \'db\' })', '')
  // What is in front of the response is a package of its own, and none that this folder has.
  edit('server/middleware.json', /"compression": {}/, '')
  const again = await run(folder, ['upgrade', '.', '--check'])
  t.equal(again.code, 0, again.err)
  t.match((await run(folder, ['upgrade', '.', '--fix', '--rename-dots', '_', '--stub', '--allow-dirty'])).out, 'Nothing to do.')

  const server = start(t, ['serve', folder, '--port', '0'])
  const root = await address(server)
  for (const [verb, name] of [['GET', 'Pets'], ['GET', 'files'], ['POST', 'Pets/greet'], ['GET', 'Customers/fresh']] as const) {
    const answer = await fetch(`${root}/api/v1/${name}`, { method: verb })
    t.match(answer.status, /20[04]/, `${name}: ${await answer.text()}`)
  }
  t.equal((await fetch(`${root}/api/v1/Pets/1/exists`)).status, 404, 'the method that was disabled')
})

t.test('what was mended is started as "serve" would, LoopBack\'s names included', async t => {
  const script = (text: string) => `'use strict'\nvar loopback = require('loopback')\nmodule.exports = function (app) { ${text} }\n`
  const folder = folderOf(t, {
    'server/config.json': config({ cors: true }),
    'server/boot/router.js': script('app.use(loopback.Router())')
  })
  const good = start(t, ['upgrade', folder, '--fix', '--only', 'UP-18', '--allow-dirty'])
  t.equal(await good.exited, 0, good.err)
  t.notMatch(good.err, 'not tried')
  t.match(readFileSync(path.join(folder, 'server/config.json'), 'utf8'), /"cors": false/)

  const broken = folderOf(t, { 'server/config.json': config({ cors: true }), 'server/boot/a.js': script('loopback.nothing()') })
  const refused = start(t, ['upgrade', broken, '--fix', '--only', 'UP-18', '--allow-dirty'])
  t.equal(await refused.exited, 1)
  t.match(refused.err, /FBK_CLI_WRITTEN_BROKEN.*nothing/)
  t.match(readFileSync(path.join(broken, 'server/config.json'), 'utf8'), /"cors": true/, 'all is as it was')
})

t.test('wrong use, files that are none, what is tried', async t => {
  const folder = folderOf(t, { 'server/boot/a.js': 'this is (no code', 'server/middleware.json': {}, 'server/config.json': config({ cors: true }) })
  t.match(await run(folder, ['upgrade', '.', '--only', 'UP-99']), { code: 2, err: /There is no rule "UP-99"/ })
  t.match(await run(folder, ['upgrade', '.', '--fix', '--check']), { code: 2 })
  t.match(await run(folder, ['upgrade', '.', '--rename-dots', '.']), { code: 2 })
  t.match(await run(folder, ['upgrade', '.']), { code: 0, err: /warning: server\/boot\/a\.js was not looked at: Unexpected token/, out: /UP-18\n {2}changes/ })
  const refused = await run(folder, ['upgrade', '.', '--fix', '--allow-dirty'])
  t.match(refused, { code: 1, err: /FBK_CLI_WRITTEN_BROKEN/ }, 'the folder would not start')
  t.match(readFileSync(path.join(folder, 'server/config.json'), 'utf8'), /"cors": true/, 'all is as it was')
  const shown = await run(folder, ['upgrade', '.', '--fix', '--dry-run'])
  t.match(shown.out, /\+ {4}"cors": false/)
  t.notOk(existsSync(path.join(folder, '.fastback')))
})
