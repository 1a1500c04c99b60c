/** Data sources of a folder that name connectors made for LoopBack, or are made with them in code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '../src/index.js'

type Loose = any

/** In LoopBack's form: rows in a list, and a function for models. */
const listConnector = `
function List (settings) { this.settings = settings; this.rows = []; }
List.prototype.create = function (model, data, options, done) {
  const id = this.rows.push(Object.assign({}, data));
  this.rows[id - 1].id = id;
  setImmediate(done, null, id);
};
List.prototype.all = function (model, filter, done) { setImmediate(done, null, this.rows.slice()); };
List.prototype.hello = function (name) { return this.settings.greeting + ' ' + name; };
exports.initialize = function (dataSource, done) {
  const connector = dataSource.connector = new List(dataSource.settings);
  function DataAccessObject () {}
  DataAccessObject.greet = function (name, done) { setImmediate(done, null, connector.hello(name)); };
  DataAccessObject.greet.shared = true;
  DataAccessObject.greet.accepts = [{ arg: 'name', type: 'string', required: true }];
  DataAccessObject.greet.returns = { arg: 'text', type: 'string' };
  DataAccessObject.greet.http = { verb: 'get', path: '/greet' };
  DataAccessObject.prototype.shout = function () { return this.title.toUpperCase(); };
  connector.DataAccessObject = DataAccessObject;
  setImmediate(done);
};
`

const files: Record<string, unknown> = {
  'package.json': { type: 'commonjs' },
  'server/config.json': { port: 0, host: '127.0.0.1', restApiRoot: '/api' },
  'server/datasources.json': {
    file: { connector: './connectors/list', greeting: 'Hello' },
    package: { connector: 'list', greeting: 'Hi' },
    bare: { connector: 'other-list', greeting: 'Ho' }
  },
  'server/connectors/list.js': listConnector,
  'node_modules/loopback-connector-list/package.json': { name: 'loopback-connector-list', main: 'index.js' },
  'node_modules/loopback-connector-list/index.js': listConnector,
  'node_modules/other-list/package.json': { name: 'other-list', main: 'index.js' },
  'node_modules/other-list/index.js': listConnector,
  'server/model-config.json': {
    Note: { dataSource: 'file' }, Card: { dataSource: 'package' }, Page: { dataSource: 'bare' }
  },
  'common/models/note.json': { name: 'Note', base: 'PersistedModel', properties: { title: 'string' } },
  'common/models/card.json': { name: 'Card', base: 'Model' },
  'common/models/page.json': { name: 'Page', base: 'Model' },
  'server/boot/code.js': `
    module.exports = function (app) {
      const list = require('loopback-connector-list');
      const made = app.dataSource('inCode', { connector: list, greeting: 'Hey' });
      app.model(app.registry.createModel('Sheet', {}, { base: 'Model' }), { dataSource: made, public: true });
      app.loopback.createDataSource('byName', { connector: 'list', greeting: 'Oh' });
      class Bare { constructor (settings) { this.settings = settings; } hello () { return this.settings.greeting; } }
      app.set('of class', app.dataSource('ofClass', { connector: Bare, greeting: 'Ah' }).connector.hello());
    };
  `
}

async function serve (t: Test): Promise<Server> {
  const root = t.testdir({})
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const server = await createServer(root, { env: 'test', log: false })
  t.teardown(async () => { await server.stop() })
  return server
}

t.test('by file, by package, and handed over in code', async t => {
  const { fastify, app } = await serve(t)
  const get = async (url: string): Promise<Loose> => (await fastify.inject({ url })).json()

  t.strictSame(await get('/api/Notes/greet?name=Ada'), { text: 'Hello Ada' }, 'a file of the folder')
  t.strictSame(await get('/api/Cards/greet?name=Ada'), { text: 'Hi Ada' }, 'loopback-connector-NAME')
  t.strictSame(await get('/api/Pages/greet?name=Ada'), { text: 'Ho Ada' }, 'a package')
  t.strictSame(await get('/api/Sheets/greet?name=Ada'), { text: 'Hey Ada' }, 'an object')
  t.equal(app.get('of class'), 'Ah', 'a class')
  t.equal((app.dataSources as Loose).file.connector.hello('you'), 'Hello you', 'its own methods are there for code')

  const made = await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'first' } })
  t.strictSame(made.json(), { id: 1, title: 'first' })
  t.strictSame(await get('/api/Notes?filter={"where":{"title":"first"}}'), [{ id: 1, title: 'first' }])
  t.strictSame(await get('/api/Notes?filter={"where":{"title":"second"}}'), [], 'what it does not filter is filtered')
  const note = await (app.models as Loose).Note.findById(1)
  t.equal(note.shout(), 'FIRST', 'functions of instances')
})
