/** More of what public applications contain and LoopBack 3 takes: views, and entries that say too much. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '../src/index.js'

async function serve (test: Test, files: Record<string, unknown>): Promise<Server & { warnings: string[] }> {
  const root = test.testdir({})
  const all: Record<string, unknown> = {
    'package.json': { type: 'commonjs' },
    'server/config.json': { port: 0, host: '127.0.0.1' },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/model-config.json': { Note: { dataSource: 'db' } },
    'common/models/note.json': { name: 'Note', properties: { title: 'string', secret: 'string' } },
    ...files
  }
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const warnings: string[] = []
  const nothing = (): void => {}
  const warn = (first: unknown, second?: string): void => { warnings.push(second ?? String(first)) }
  const log = {
    level: 'warn', trace: nothing, debug: nothing, info: nothing, warn, error: nothing, fatal: nothing, child: () => log
  }
  const server = await createServer(root, { env: 'test', log: log as never })
  test.teardown(async () => { await server.stop() })
  return Object.assign(server, { warnings })
}

t.test('a view engine that only the application has installed', async t => {
  // Seen to fail: 500, Express asks for the engine's package beside itself
  const engine = 'exports.__express = (file, { who }, done) => done(null, require("fs").readFileSync(file, "utf8").replace("WHO", who))'
  const { fastify } = await serve(t, {
    'node_modules/plainly/index.js': engine,
    'server/views/hello.plainly': 'Hello, WHO.',
    'server/boot/pages.js': `module.exports = app => {
      app.set('views', require('path').join(__dirname, '../views'))
      app.set('view engine', 'plainly')
      app.get('/hello', (req, res) => res.render('hello', { who: 'Ann' }))
      app.get('/with-extension', (req, res) => res.render('hello.plainly', { who: 'Bob' }))
      app.get('/missing', (req, res) => res.render('hello.nothing'))
    }`
  })
  t.equal((await fastify.inject('/hello')).body, 'Hello, Ann.')
  t.equal((await fastify.inject('/with-extension')).body, 'Hello, Bob.')
  t.equal((await fastify.inject('/missing')).statusCode, 500)
})

t.test('properties of Express that an application sets itself', async t => {
  // Seen to fail: "Cannot set property engines … which has only a getter"
  const { fastify } = await serve(t, {
    'server/views/hello.own': 'Hello.',
    'server/boot/pages.js': `module.exports = app => {
      app.engines = { '.own': (file, options, done) => done(null, 'by its own engine') }
      app.set('views', require('path').join(__dirname, '../views'))
      app.get('/hello', (req, res) => res.render('hello.own'))
    }`
  })
  t.equal((await fastify.inject('/hello')).body, 'by its own engine')
})

t.test('settings beside "dataSource" count as if they stood under "options"', async t => {
  // Seen to fail: FBK_BOOT_INVALID_CONFIG, where LoopBack starts
  const { fastify, warnings } = await serve(t, {
    'server/model-config.json': {
      Note: { dataSource: 'db', hidden: ['secret'], remoting: { sharedMethods: { '*': false, find: true, create: true } } }
    }
  })
  const payload = { title: 'a', secret: 'b' }
  t.strictSame((await fastify.inject({ method: 'POST', url: '/api/Notes', payload })).json(), { title: 'a', id: 1 })
  t.equal((await fastify.inject('/api/Notes/1')).statusCode, 404)
  for (const key of ['hidden', 'remoting']) {
    t.ok(warnings.includes(`configuration of the model "Note": "${key}" counts as if it stood under "options"; put it there`), key)
  }
})
