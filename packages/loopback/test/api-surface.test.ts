/**
 * What code of LoopBack 3 calls, by its name, heading by heading: it is there, or stands in `missing`, whose names the
 * README explains. What the names do is tested where it is made; here are those forms that no other test calls.
 */
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import loopback from '@fastback/loopback'
import * as juggler from '@fastback/loopback/juggler'
import { boot } from '@fastback/loopback/boot'
import { RemoteObjects } from '@fastback/loopback/remoting'

type Loose = Record<string, any>

/** What is not there. */
const missing = new Set([
  'loopback.defaultDataSources',
  'boot.compile', 'boot.execute', 'boot.Bootstrapper', 'boot.PluginBase',
  'juggler.test', 'RemoteObjects.extend',
  'app.normalizeHttpPath',
  'connector.all',
  ...[
    'changes', 'checkpoint', 'currentCheckpoint', 'replicate', 'rectifyChange', 'rectifyAllChanges', 'diff',
    'enableChangeTracking', 'bulkUpdate'
  ].map(name => `Model.${name}`)
])
const met = new Set<string>()

/** Each of the names is there, or is known not to be. */
function has (t: Test, what: string, holder: unknown, names: string): void {
  for (const name of names.split(/\s+/).filter(Boolean)) {
    const full = `${what}.${name}`
    met.add(full)
    t.equal((holder as Loose)[name] !== undefined, !missing.has(full), full)
  }
}

const app = loopback({ localRegistry: true, loadBuiltinModels: true })
const db = app.dataSource('db', { connector: 'memory' })
const builtin = (name: string): Loose => app.registry.getModel(name) as unknown as Loose
for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Application', 'Scope']) {
  app.model(app.registry.getModel(name), { dataSource: db })
}
t.teardown(async () => { await app.fastify.close() })

const define = (name: string, properties: object = {}, options: object = {}): Loose => {
  const Model = app.registry.createModel(name, properties as Loose, options as Loose)
  app.model(Model, { dataSource: name === 'Cache' ? app.dataSource('kv', { connector: 'kv-memory' }) : db })
  return Model as unknown as Loose
}
const Note = define('Note', { title: { type: String, required: true } }, {
  relations: { author: { type: 'belongsTo', model: 'Author' } }
})
const Author = define('Author', { name: String }, {
  relations: {
    notes: { type: 'hasMany', model: 'Note', options: { nestRemoting: true } },
    profile: { type: 'hasOne', model: 'Profile' },
    tags: { type: 'hasAndBelongsToMany', model: 'Tag' },
    favourites: { type: 'referencesMany', model: 'Note' },
    address: { type: 'embedsOne', model: 'Address' },
    phones: { type: 'embedsMany', model: 'Phone' }
  }
})
for (const name of ['Profile', 'Tag', 'Address', 'Phone']) define(name, { text: String })

t.test('1. Module layout', t => {
  has(t, 'loopback', loopback, `ACL AccessToken Application Change Checkpoint Connector DataSource DateString Email
    GeoPoint KeyValueModel Mail Memory Model PersistedModel Remote Role RoleMapping Route Router Scope User
    ValidationError application configureModel createDataSource createModel defaultDataSources errorHandler favicon
    faviconFile findModel getCurrentContext getModel getModelByType isBrowser isServer memory modelBuilder query
    registry remoteMethod request response rest static status template token urlNotFound version context
    createContext runInContext AccessContext Principal AccessRequest Transaction`)
  has(t, 'juggler', juggler, `ModelBuilder LDL DataSource Schema ModelBaseClass GeoPoint ValidationError Transaction
    KeyValueAccessObject version test ModelDefinition Connector Memory DateString`)
  has(t, 'RemoteObjects', RemoteObjects, 'create extend SharedClass RestAdapter')
  has(t, 'remotes', RemoteObjects.create(), 'convert connect invoke classes methods handler exports')
  has(t, 'boot', boot, 'compile execute Bootstrapper PluginBase')
  t.end()
})

t.test('2. App object', async t => {
  has(t, 'app', app, `model models deleteModelByName dataSource dataSources datasources connector connectors use get
    post set enable route handler listen middleware defineMiddlewarePhases middlewareFromConfig enableAuth
    isAuthEnabled remotes remoteObjects registry loopback settings normalizeHttpPath`)
  const Book = define('address-book')
  for (const name of ['address-book', 'addressBook', 'AddressBook']) t.equal(app.models[name], Book, name)
  t.ok(app.models().includes(Note as never))
  t.equal(app.dataSources.Db, db)
  app.defineMiddlewarePhases(['early', 'late'])
  app.middleware('late', ['/seen'], (req: Loose, _res: unknown, next: () => void) => { req.seen.push('late'); next() })
  app.middleware('early:before', ['/seen'], (req: Loose, _res: unknown, next: () => void) => {
    req.seen = ['early:before']
    next()
  })
  const named = (name: string) => (req: Loose, _res: unknown, next: () => void): void => { req.seen.push(name); next() }
  app.middlewareFromConfig(named, { enabled: true, phase: 'early', paths: ['/seen'], params: 'configured' })
  app.middlewareFromConfig(named, { enabled: false, phase: 'early', params: 'off' })
  app.route('/seen').get((req: Loose, res: Loose) => { res.json(req.seen) })
  app.use('/api', loopback.rest())
  const server = app.listen(0, '127.0.0.1')
  await once(app, 'started')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.equal(app.get('url'), `${url}/`)
  t.strictSame(await (await fetch(`${url}/seen`)).json(), ['early:before', 'configured', 'late'])
  t.strictSame(await (await fetch(`${url}/api/Notes`)).json(), [])
})

t.test('3. Registry', t => {
  has(t, 'registry', app.registry, `createModel configureModel getModel findModel getModelByType createDataSource memory
    modelBuilder`)
  t.equal(app.registry.memory('a'), app.registry.memory('a'))
  t.throws(() => app.registry.getModel('Nobody'), { code: 'FBK_CORE_UNKNOWN_MODEL' })
  t.end()
})

t.test('4. DataSource and ModelBuilder', t => {
  has(t, 'dataSource', db, `define createModel attach models modelBuilder connector adapter settings connected name
    automigrate autoupdate isActual ping disconnect connect supportTypes getTypes getMaxOfflineRequests
    deleteModelByName deleteAllModels getModelDefinition defineProperty idName idNames tableName columnName columnNames
    copyModel buildModelFromInstance enableRemote discoverModelDefinitions discoverModelProperties discoverPrimaryKeys
    discoverForeignKeys discoverExportedForeignKeys discoverSchema discoverSchemas discoverAndBuildModels transaction
    beginTransaction on once`)
  has(t, 'connector', db.connector, `name settings getTypes connect disconnect ping observe removeObserver clearObservers
    notifyObserversOf notifyObserversAround all`)
  has(t, 'modelBuilder', db.modelBuilder, 'define getModel extendModel models definitions mixins')
  has(t, 'ModelBuilder', juggler.ModelBuilder, 'registerType Text Any JSON')
  has(t, 'definition', Note.definition, `build idName ids indexes hasPK tableName columnName columnNames toJSON
    defineProperty properties settings`)
  has(t, 'Model', Note, 'getMergePolicy mixin')
  t.end()
})

t.test('6. CRUD', async t => {
  has(t, 'Model', Note, `create find findOne findById findByIds exists count updateAll update destroyAll remove deleteAll
    destroyById deleteById removeById updateOrCreate upsert patchOrCreate upsertWithWhere patchOrCreateWithWhere
    replaceOrCreate replaceById findOrCreate`)
  const note = new (Note as unknown as new (data: object) => Loose)({ title: 'x' })
  has(t, 'instance', note, `save updateAttribute updateAttributes patchAttributes replaceAttributes destroy remove delete
    reload isNewRecord setAttribute setAttributes unsetAttribute toObject toJSON getId inspect isValid`)
  const [made, created] = await Note.findOrCreate({ where: { title: 'one' } }, { title: 'one' })
  t.match([made.title, created], ['one', true])
  const found = await new Promise(resolve => {
    Note.findOrCreate({ where: { title: 'one' } }, { title: 'one' }, (_error: unknown, each: Loose, isNew: boolean) => {
      resolve([each.id, isNew])
    })
  })
  t.strictSame(found, [made.id, false])
  const other = await Note.create({ title: 'two' })
  const both = await Note.findByIds([other.id, made.id])
  t.strictSame(both.map(({ title }: Loose) => title), ['two', 'one'], 'in the order that was asked for')
  t.strictSame(await Note.updateAll({ title: 'two' }, { title: 'three' }), { count: 1 })
  await t.rejects(Note.replaceById(99, { title: 'x' }), { message: /id 99/ })
})

t.test('9. Relations', async t => {
  const { notes } = Author.relations
  t.match(notes.toJSON(), { name: 'notes', type: 'hasMany', modelFrom: 'Author', keyTo: 'authorId', multiple: true })
  has(t, 'relation', notes, 'type name modelFrom keyFrom modelTo keyTo multiple toJSON')
  const author = await Author.create({ name: 'a' })
  has(t, 'hasMany', author.notes, `getAsync create build findById exists updateById destroy destroyAll count find
    findOne`)
  has(t, 'hasAndBelongsToMany', author.tags, 'add remove exists create find findById count destroyAll')
  has(t, 'hasOne', author.profile, 'create build update destroy getAsync')
  has(t, 'embedsOne', author.address, 'create build update destroy value getAsync')
  has(t, 'embedsMany', author.phones, `create build findById updateById destroy get set unset at value exists count find
    findOne`)
  has(t, 'referencesMany', author.favourites, `create build findById updateById destroy add remove at exists count find
    findOne getAsync`)
  await author.notes.create({ title: 'of author' })
  t.match(await author.notes.getAsync(), [{ title: 'of author' }])
  t.match(author.notes(), [{ title: 'of author' }], 'what was loaded last')
})

t.test('10. Scopes', async t => {
  Note.scope('short', { where: { title: { nlike: '%long%' } } })
  has(t, 'scope', Note.short, 'find findOne findById count updateAll build create destroyAll getAsync')
  t.ok(Array.isArray(await Note.short()))
})

t.test('11. Hooks, 12. Validations', t => {
  has(t, 'Model', Note, `observe removeObserver clearObservers notifyObserversOf notifyObserversAround validate
    validateAsync validatesPresenceOf validatesAbsenceOf validatesLengthOf validatesNumericalityOf validatesInclusionOf
    validatesExclusionOf validatesFormatOf validatesUniquenessOf validatesDateOf`)
  const empty = new (Note as unknown as new () => Loose)()
  t.equal(empty.isValid(), false)
  t.strictSame(empty.errors.codes, { title: ['presence'] })
  const error = new loopback.ValidationError(empty as never)
  t.match(error, { statusCode: 422, name: 'ValidationError', details: { context: 'Note' } })
  t.end()
})

t.test('13. Types', t => {
  const here = new loopback.GeoPoint({ lat: 0, lng: 0 })
  t.equal(here.distanceTo(new loopback.GeoPoint('0, 0')), 0)
  t.equal(String(loopback.DateString('2026-01-02')), '2026-01-02')
  t.equal(loopback.Transaction, juggler.Transaction)
  t.equal(loopback.Connector, juggler.Connector)
  define('Place', { at: { type: 'geopoint', default: '0.1' } })
  t.pass('a default that does not fit is lived with, as there')
  t.end()
})

t.test('14. Key-value', async t => {
  const Cache = define('Cache', {}, { base: 'KeyValueModel' })
  has(t, 'KeyValueModel', Cache, 'set get expire ttl keys iterateKeys delete deleteAll')
  await Cache.set('a', 1, { ttl: 60_000 })
  t.equal(await Cache.iterateKeys({ match: 'a*' }).next(), 'a')
  t.ok(await Cache.ttl('a') > 0)
})

t.test('15. Remote methods, 16. REST shape of PersistedModel', t => {
  has(t, 'Model', Note, `remoteMethod disableRemoteMethod disableRemoteMethodByName beforeRemote afterRemote
    afterRemoteError nestRemoting createOptionsFromRemotingContext sharedClass createChangeStream checkAccess
    _getAccessTypeForMethod`)
  has(t, 'SharedClass', Note.sharedClass, `methods find findMethodByName disableMethod disableMethodByName defineMethod
    resolve`)
  has(t, 'app.remotes()', app.remotes(), `before after afterError classes methods options registerPhaseHandler phases
    defineType toJSON`)
  const names = Note.sharedClass.methods().map(({ stringName }: Loose) => stringName)
  for (const name of ['find', 'replaceOrCreate', 'prototype.patchAttributes', 'prototype.__get__author']) {
    t.ok(names.includes(`Note.${name}`), name)
  }
  t.ok(Author.sharedClass.findMethodByName('prototype.__get__notes__author'), 'options.nestRemoting')
  const { adapter } = app.handler('rest') as unknown as { adapter: Loose }
  const routes = adapter.allRoutes().map(({ verb, path }: Loose) => `${verb} ${path}`)
  for (const route of ['get /Notes', 'patch /Notes/:id', 'get /Notes/:id/author']) t.ok(routes.includes(route), route)
  t.equal(app.remotes().findMethod('Note.find')?.stringName, 'Note.find')
  const [find] = adapter.getClasses().find(({ name }: Loose) => name === 'Note').methods
    .filter(({ name }: Loose) => name === 'find')
  t.strictSame(find.getEndpoints(), [{ verb: 'GET', fullPath: '/Notes' }])
  t.equal(typeof find.accepts.at(-1).http, 'function', 'options come from the request, not from clients')
  Note.hello = Object.assign((done: (error: null, text: string) => void) => { done(null, 'hello') }, { shared: true })
  t.ok(Note.sharedClass.findMethodByName('hello'), 'a function that is marked itself')
  t.equal(Note._getAccessTypeForMethod('deleteById'), 'WRITE')
  t.equal(Note._getAccessTypeForMethod({ name: 'hello', http: { verb: 'GET' } }), 'READ')
  t.equal(Note._getAccessTypeForMethod('unknown'), 'EXECUTE')
  t.end()
})

t.test('17. Access control, 18. User', t => {
  has(t, 'ACL', builtin('ACL'), `checkPermission checkAccessForContext checkAccessForToken getStaticACLs
    resolvePrincipal isMappedToRole ALL DENY ALLOW READ WRITE EXECUTE USER APP ROLE`)
  has(t, 'Role', builtin('Role'), `isInRole getRoles isOwner registerResolver OWNER AUTHENTICATED UNAUTHENTICATED
    EVERYONE RELATED`)
  const made = (name: string): Loose => new (builtin(name) as unknown as new () => Loose)()
  has(t, 'role', made('Role'), 'users roles applications')
  has(t, 'Scope', builtin('Scope'), 'checkPermission')
  has(t, 'AccessToken', builtin('AccessToken'), 'findForRequest resolve')
  has(t, 'accessToken', made('AccessToken'), 'validate ttl')
  has(t, 'User', builtin('User'), `create login logout confirm resetPassword setPassword changePassword hashPassword
    validatePassword getVerifyOptions generateVerificationToken`)
  has(t, 'user', made('User'), 'verify hasPassword setPassword changePassword createAccessToken')
  has(t, 'Application', builtin('Application'), 'register authenticate resetKeys')
  has(t, 'Email', builtin('Email'), 'send')
  t.end()
})

t.test('19. Replication', t => {
  has(t, 'Model', Note, `changes checkpoint currentCheckpoint replicate rectifyChange rectifyAllChanges
    enableChangeTracking bulkUpdate diff`)
  t.end()
})

t.test('what is not there stands in the README, and was asked for', t => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const name of missing) {
    t.ok(met.has(name), `${name} is asked for`)
    t.ok(readme.includes(`\`${name}\``), `${name} is explained`)
  }
  t.end()
})

t.test('further names: events of remotes, the path within another application, keys of one application', async t => {
  const heard: unknown[] = []
  app.remotes().on('reloaded', (what: unknown) => { heard.push(what) }).emit('reloaded', 'all')
  t.strictSame(heard, ['all'])
  const made = (): Loose => loopback({ localRegistry: true }) as unknown as Loose
  const [outer, inner, inmost] = [made(), made(), made()]
  t.equal(outer.path(), '')
  outer.use('/v1', inner)
  inner.use('/deep', inmost)
  t.strictSame([inner.path(), inmost.path()], ['/v1', '/v1/deep'])
  const Client = builtin('Application')
  const client = await Client.create({ name: 'shop', owner: 'ann' })
  const { clientKey: before, id } = client
  t.equal(await client.resetKeys(), client)
  t.not(client.clientKey, before)
  t.equal((await Client.findById(id)).clientKey, client.clientKey, 'they are stored')
  await new Promise<void>(resolve => client.resetKeys((error: unknown, changed: unknown) => {
    t.strictSame([error, changed === client], [null, true])
    resolve()
  }))
  const Scoped = define('Scoped', { title: String }, { scopes: { as: { where: { title: 'a' } } } })
  Scoped.scope('bs', { where: { title: 'b' } })
  t.match(Scoped.scopes, { as: { name: 'as', isStatic: true, params: { where: { title: 'a' } } }, bs: { name: 'bs' } })
  t.equal(define('Unscoped').scopes, undefined, 'a model without scopes has none')
  t.equal(Scoped.Transaction.READ_COMMITTED, 'READ COMMITTED')
  t.ok(Scoped.ValidationError.prototype instanceof Error)
})
