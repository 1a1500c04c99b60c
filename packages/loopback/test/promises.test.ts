/** Promises of applications that have bluebird, and of those that have not. */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const facade = fileURLToPath(new URL('../cjs/index.cjs', import.meta.url))
const bluebird = dirname(createRequire(import.meta.url).resolve('bluebird/package.json'))

const script = `
  const loopback = require(${JSON.stringify(facade)})
  const boot = require('loopback-boot')
  const app = loopback()
  const booted = boot(app, { appRootDir: __dirname, dataSources: { db: { connector: 'memory' } } })
  const Note = app.registry.createModel('Note', { title: 'string' })
  const Page = app.registry.createModel('Page', { text: 'string' })
  Note.hasMany(Page)
  const { db } = app.dataSources
  app.model(Note, { dataSource: db })
  app.model(Page, { dataSource: db })
  app.model(loopback.User, { dataSource: db })
  const has = promise => [typeof promise.spread, typeof promise.tap, typeof promise.asCallback].join()
  ;(async () => {
    const note = await Note.create({ title: 'one' })
    const said = {}
    const tell = async (name, promise) => { said[name] = has(promise); await promise.then(() => {}, () => {}) }
    await tell('boot', booted)
    await tell('static', Note.find())
    await tell('instance', note.updateAttributes({ title: 'two' }))
    await tell('relation', note.pages.create({ text: 'x' }))
    await tell('accessor', note.pages(true))
    await tell('user', loopback.User.login({ username: 'x', password: 'x' }))
    await tell('data source', db.autoupdate())
    const { DataSource } = require('loopback-datasource-juggler')
    await tell('without an application', new DataSource('memory').define('Thing').find())
    await tell('transaction', db.transaction(async () => {}))
    if (typeof Note.find().spread === 'function') {
      said.spread = await Note.findOrCreate({ where: { title: 'three' } }, { title: 'three' })
        .spread((found, created) => [found.title, created])
      said.callback = await new Promise(done => Note.count().asCallback((error, count) => done([error, count])))
      said.filtered = await Note.replaceById(77, {}).catch({ statusCode: 404 }, () => 'caught')
    }
    console.log(JSON.stringify(said))
    process.exit()
  })()
`

function run (t: Test, packages: NonNullable<Parameters<Test['testdir']>[0]>): Record<string, unknown> {
  const dir = t.testdir({ 'package.json': '{}', 'index.js': script, node_modules: packages })
  // The scripts of package managers let all programs find what they have installed.
  const env = { ...process.env, NODE_PATH: '' }
  const said = execFileSync(process.execPath, [`${dir}/index.js`], { encoding: 'utf8', env })
  return JSON.parse(said) as Record<string, unknown>
}

const operations =
  ['boot', 'static', 'instance', 'relation', 'accessor', 'user', 'data source', 'without an application', 'transaction']

t.test('an application that has bluebird gets its promises', async t => {
  const said = run(t, { bluebird: t.fixture('symlink', bluebird) })
  for (const name of operations) t.equal(said[name], 'function,function,function', name)
  t.match(said, { spread: ['three', true], callback: [null, 2], filtered: 'caught' })
})

t.test('one that has it not gets native promises', async t => {
  const said = run(t, {})
  for (const name of operations) t.equal(said[name], 'undefined,undefined,undefined', name)
})

t.test('what has the name and is another library is not taken for it', async t => {
  const said = run(t, { bluebird: { 'index.js': 'module.exports = { resolve: () => 7 }' } })
  t.equal(said.static, 'undefined,undefined,undefined')
})
