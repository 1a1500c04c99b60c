'use strict'

const path = require('node:path')
const { promisify } = require('node:util')
const loopback = require('loopback')
const boot = require('loopback-boot')

// The benchmark's application folder (packages/bench/app) under LoopBack 3 itself.

const { BENCH_APP, BENCH_FILE, BENCH_PORT, BENCH_STORE, BENCH_TOKEN } = process.env
const BUILT_IN = ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']
const STORES = {
  sqlite: { connector: 'sqlite3', file: BENCH_FILE },
  memory: { connector: 'memory' }
}
const app = loopback()

/** Past the model: with this connector the id of a token that the model creates is a row number. */
async function prepareFile (db, token) {
  const sql = (text, values = []) => new Promise((resolve, reject) => {
    db.connector.execute(text, values, (error, rows) => error ? reject(error) : resolve(rows))
  })
  await sql('PRAGMA synchronous = NORMAL')
  await promisify(db.autoupdate.bind(db))(BUILT_IN)
  await sql('INSERT OR IGNORE INTO "accesstoken" ("id", "ttl", "created", "userid") VALUES (?, ?, ?, ?)',
    [token.id, token.ttl, Date.now(), token.userId])
}

/** One user and one token of it. */
async function prepare () {
  const { User, AccessToken } = app.models
  const token = JSON.parse(BENCH_TOKEN)
  if (BENCH_STORE === 'memory') await AccessToken.create(token)
  else await prepareFile(app.dataSources.db, token)
  if (await User.count() === 0) await User.create({ email: 'bench@example.com', password: 'benchmark' })
}

/** Rules are asked for the guarded model only; see the note in src/servers/loopback3.js. */
function guardOnly (name) {
  app.enableAuth({ dataSource: 'db' })
  const remotes = app.remotes()
  const authorize = remotes.authorization
  remotes.authorization = (context, next) => {
    if (context.method.sharedClass.name === name) authorize(context, next)
    else next()
  }
}

boot(app, {
  appRootDir: path.join(BENCH_APP, 'server'),
  dataSources: { db: STORES[BENCH_STORE] },
  middleware: {}
}, async error => {
  if (error) throw error
  await prepare()
  guardOnly('Guarded')
  app.use('/api/Guarded', loopback.token({ model: app.models.AccessToken }))
  app.use('/api', loopback.rest())
  app.listen(Number(BENCH_PORT), '127.0.0.1')
})
