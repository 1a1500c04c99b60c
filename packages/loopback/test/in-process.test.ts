/**
 * What LoopBack's functions for code in the process give at once: events of models, what a model says of itself, its
 * shared class, data sources, access requests. Each value is also what LoopBack 3.28 gives (which has access requests
 * in `loopback/lib/access-context`, and no `loopback.Transaction`). Functions that take a callback are in
 * `both-forms.test.ts`.
 */
import { inspect } from 'node:util'
import t from 'tap'
import loopback from '@fastback/loopback'
import { each, type Loose } from './rows.js'

const app = loopback({ localRegistry: true, loadBuiltinModels: true })
t.teardown(async () => { await app.fastify.close() })
const stores: Record<string, Loose> = {
  memory: { connector: 'memory' },
  SQLite: { connector: 'sqlite3', file: ':memory:' }
}
/** The names of events that a model tells of while `work` runs. */
function told (Model: Loose, names: readonly string[], work: () => void): string[] {
  const heard: string[] = []
  for (const name of names) Model.once(name, () => { heard.push(name) })
  work()
  return heard
}

let made = 0
const define = (properties: Loose = {}, settings: Loose = {}): Loose =>
  app.registry.createModel(`Made${++made}`, properties, settings) as unknown as Loose

for (const [name, settings] of Object.entries(stores)) {
  t.test(name, async t => {
    const db = app.dataSource(`db${made}`, settings) as unknown as Loose
    const attached = (Model: Loose): Loose => {
      app.model(Model as never, { dataSource: db as never })
      return Model
    }
    const Note = attached(define({ title: { type: String, required: true }, stars: Number }, { hidden: ['stars'] }))
    const note = (data: Loose): Loose => new (Note as unknown as new (data: Loose) => Loose)(data)
    await db.automigrate?.()

    await each(t, [
      ['events of attaching', () => {
        const Model = define()
        return told(Model, ['attached', 'dataSourceAttached', 'dataAccessConfigured'], () => attached(Model)).sort()
      }, ['attached', 'dataAccessConfigured', 'dataSourceAttached']],
      ['remoteMethodAdded', () => told(Note, ['remoteMethodAdded'], () => Note.remoteMethod('hello', {})),
        ['remoteMethodAdded']],
      ['remoteMethodDisabled', () => told(Note, ['remoteMethodDisabled'], () => {
        Note.disableRemoteMethodByName('hello')
      }), ['remoteMethodDisabled']],
      ['events of rows are observers', () => {
        Note.observe('mine', () => {})
        Note.clearObservers('mine')
        return Note.removeObserver('mine', () => {})
      }, null],
      ['setup is called by extend', () => {
        const Base = define()
        let times = 0
        Base.setup = () => { times++ }
        Base.extend(`Kid${made}`, {})
        return times > 0
      }, true],
      ['sharedCtor', () => typeof Note.sharedCtor, 'function'],
      ['inspect', () => inspect(note({ title: 'a' })).includes('title: \'a\''), true],
      ['trigger', () => {
        let done = 0
        note({ title: 'a' }).trigger('anything', (next: (done: () => void) => void) => { next(() => { done++ }) })
        return done
      }, 1],
      ['errors.codes', () => {
        const row = note({})
        row.isValid()
        return row.errors.codes
      }, { title: ['presence'] }],
      ['definition.rawProperties', () => Object.keys(Note.definition.rawProperties), ['title', 'stars', 'id']],
      ['definition.idName, tableName, columnName', () => {
        const { definition } = Note
        return [definition.idName(), definition.tableName('x') === Note.modelName, definition.columnName('x', 'title')]
      }, ['id', true, 'title']],
      ['sharedClass.find', () => {
        const { name, isStatic, http } = Note.sharedClass.find('create', true)
        return { name, isStatic, http }
      }, { name: 'create', isStatic: true, http: { verb: 'post', path: '/' } }],
      ['sharedClass.methods: accepts and returns', () => {
        const count = Note.sharedClass.methods().find(({ name }: Loose) => name === 'count')
        return [count.accepts[0].arg, count.returns[0].arg]
      }, ['where', 'count']],
      ['sharedClass.resolve', () => {
        Note.late = (done: () => void) => { done() }
        Note.sharedClass.resolve((define: (name: string, options: object) => void) => {
          define('late', { isStatic: true, http: { verb: 'get' } })
        })
        return Note.sharedClass.methods().some(({ name }: Loose) => name === 'late')
      }, true],
      ['app.remotes().methods()', () => app.remotes().methods()
        .some(({ stringName }: Loose) => stringName === `${Note.modelName}.find`), true],
      ['app.remotes().phases', () => typeof app.remotes().phases, 'object'],
      ['app.remotes().authorization', () => typeof app.remotes().authorization, 'undefined'],
      ['modelBuilder, getModel', () =>
        [db.getModel(Note.modelName) === Note, typeof db.modelBuilder.define], [true, 'function']],
      ['define, createModel', () => {
        const Defined = db.define(`Defined${made}`, { a: String })
        const Created = db.createModel(`Created${made}`, { a: String })
        return [Defined, Created].map(Model => [typeof Model.create, Model.dataSource === db])
      }, [['function', true], ['function', true]]],
      ['attach', () => {
        const Model = define()
        db.attach(Model)
        return Model.dataSource === db
      }, true],
      ['isRelational', () => db.isRelational(), name === 'SQLite'],
      ['columnName', () => db.columnName(Note.modelName, 'title'), 'title'],
      ['freeze', () => {
        db.freeze?.()
        return typeof db.freeze
      }, 'function'],
      ['on, once', () => typeof db.on(`x${made}`, () => {}) + typeof db.once(`y${made}`, () => {}), 'objectobject'],
      ['ping', () => new Promise(resolve => { db.ping((error?: unknown) => { resolve(error ?? null) }) }), null],
      ['connected', () => db.connected, true]
    ])
  })
}

t.test('access', async t => {
  const loose = loopback as unknown as Loose
  const [ACL, Role, AccessToken, User] = ['ACL', 'Role', 'AccessToken', 'User']
    .map(name => app.registry.getModel(name) as unknown as Loose) as [Loose, Loose, Loose, Loose]
  const db = app.dataSource('accounts', { connector: 'memory' })
  for (const Model of [ACL, Role, AccessToken, User, app.registry.getModel('RoleMapping')]) {
    app.model(Model as never, { dataSource: db })
  }
  const request = (accessType: string): Loose => new loose.AccessRequest('Note', 'find', accessType, 'DEFAULT', [], app.registry)
  const rule = (permission: string, principalId: string, property = '*'): Loose =>
    new (ACL as unknown as new (data: Loose) => Loose)({
      model: 'Note', property, accessType: '*', principalType: 'ROLE', principalId, permission
    })
  await each(t, [
    ['ACL.getMatchingScore', () => {
      const score = (each: Loose): number => ACL.getMatchingScore(each, request('READ'))
      return score(rule('ALLOW', '$owner', 'find')) > score(rule('DENY', '$everyone', '*'))
    }, true],
    ['ACL.resolvePermission', () =>
      ACL.resolvePermission([rule('DENY', '$everyone'), rule('ALLOW', '$owner', 'find')], request('READ')).permission,
    'ALLOW'],
    ['ACL.resolvePermission without a rule', () => ACL.resolvePermission([], request('READ')).permission, 'ALLOW'],
    ['AccessRequest', () => {
      const asked = request('READ')
      return [asked.model, asked.property, asked.accessType, asked.permission, asked.isWildcard()]
    }, ['Note', 'find', 'READ', 'DEFAULT', false]],
    ['Principal', () => {
      const principal = new loose.Principal('USER', 7)
      return [principal.type, principal.id, principal.equals(new loose.Principal('USER', 7))]
    }, ['USER', 7, true]],
    ['AccessContext', () => {
      const context = new loose.AccessContext({
        registry: app.registry, model: 'User', property: 'find', accessType: 'READ'
      })
      context.addPrincipal('USER', 7)
      return [context.getUserId(), context.isAuthenticated(), context.principals.length]
    }, [7, true, 1]],
    ['AccessToken.ANONYMOUS', () => AccessToken.ANONYMOUS.id, '$anonymous'],
    ['AccessToken.getIdForRequest', () =>
      AccessToken.getIdForRequest({
        headers: { authorization: 'abc' }, query: {}, params: {},
        header (name: string) { return (this.headers as Loose)[name] }
      }) ?? 'undefined', 'abc'],
    ['User.normalizeCredentials', () => User.normalizeCredentials({ username: 'east:ann', password: 'x' }, true, ':'),
      { realm: 'east', username: 'ann' }],
    ['User.hashPassword', () => /^\$/.test(User.hashPassword('secret12')), true],
    ['Role.resolvers', () => typeof Role.resolvers.$owner, 'function'],
    ['app.loopback', () => [
      'Principal', 'AccessContext', 'AccessRequest', 'GeoPoint', 'DateString', 'ValidationError', 'Transaction',
      'DataSource', 'Connector', 'Memory', 'Mail', 'template'
    ].filter(name => (app.loopback as unknown as Loose)[name] === undefined), []],
    ['loopback.version', () => /^3\./.test(String(loose.version)), true]
  ])
})
