/**
 * The functions that LoopBack's documentation names for code in the process, each with a callback and for a promise, on
 * two stores: both forms give the same, and what LoopBack gives.
 */
import t, { type Test } from 'tap'
import loopback from '@fastback/loopback'

type Loose = any
type Callback = (error: unknown, ...results: unknown[]) => void
/** The call, with the callback or without; what it gives, as JSON tells it. */
type Row = [name: string, call: (...callback: Callback[]) => unknown, expected: unknown]

/** Of an access request what it was decided to be. */
function plain (value: unknown): unknown {
  const { permission, model } = (value ?? {}) as { permission?: unknown, model?: unknown }
  if (permission !== undefined && model !== undefined) return { permission }
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

const byCallback = async (call: Row[1]): Promise<unknown> =>
  await new Promise((resolve, reject) => {
    const returned = call((error, ...results) => {
      if (error instanceof Error) reject(error)
      else resolve(results.length > 1 ? results : results[0])
    })
    if (typeof (returned as { then?: unknown } | undefined)?.then === 'function') {
      reject(new Error('a call with a callback gives no promise'))
    }
  })

const stores: Record<string, Loose> = {
  memory: { connector: 'memory' },
  sqlite: { connector: 'sqlite3', file: ':memory:' }
}

/** Transactions in both forms: begun, observed, ended. */
async function transactions (t: Test, db: Loose, Note: Loose): Promise<void> {
  const forms = { promise: async (call: Row[1]) => await call(), callback: byCallback }
  for (const [form, run] of Object.entries(forms)) {
    t.strictSame(plain(await run((...cb) => db.execute('SELECT 1 AS a', [], ...cb))), [{ a: 1 }], `execute, ${form}`)
    for (const ending of ['commit', 'rollback']) {
      await Note.destroyAll()
      const tx: Loose = await run((...cb) => Note.beginTransaction({ isolationLevel: 'SERIALIZABLE' }, ...cb))
      t.type(tx.id, 'string')
      const heard: unknown[] = []
      for (const moment of ['before', 'after']) {
        tx.observe(`${moment} ${ending}`, (context: Loose, next: () => void) => {
          heard.push([moment, context.operation])
          next()
        })
      }
      await run((...cb) => Note.create({ id: 5 }, { transaction: tx }, ...cb))
      await run((...cb) => tx[ending](...cb))
      t.strictSame(heard, [['before', ending], ['after', ending]], `tx.observe, ${ending}, ${form}`)
      t.equal(await Note.count(), ending === 'commit' ? 1 : 0, `${ending}, ${form}`)
    }
  }
  const late = await Note.beginTransaction({ timeout: 20 })
  await new Promise(resolve => late.observe('timeout', (_: unknown, next: () => void) => { next(); resolve(undefined) }))
}

/** Functions that answer at once. */
function told (t: Test, db: Loose, Note: Loose): void {
  const names: string[] = []
  Note.forEachProperty((name: string) => names.push(name))
  t.strictSame(names.sort(), ['id', 'stars', 'title'])
  t.strictSame([Note.isHiddenProperty('title'), Note.isProtectedProperty('title')], [false, false])
  const note = Note({ id: 7, title: 'without new' })
  t.ok(note instanceof Note)
  note.setId(8)
  t.strictSame([note.getId(), note.getIdName(), note.getPropertyType('title')], [8, 'id', 'String'])
  note.odd = 1
  note.reset()
  t.strictSame([note.odd, note.title], [undefined, 'without new'])
  const observer = (): void => {}
  Note.observe('mine', observer)
  t.strictSame(Note.removeObserver('mine', observer), [observer])
  t.equal(Note.removeObserver('mine', observer), undefined)
  t.strictSame(Note.createOptionsFromRemotingContext({ args: {}, req: { accessToken: null } }), { accessToken: null })
  t.equal(Note.definition.idName(), 'id')
  t.strictSame([db.idName('Note'), db.idNames('Note')], ['id', ['id']])
  const { find, save } = db.operations()
  t.match(find, { name: 'find', fnName: 'find', enabled: true, remoteEnabled: true, scope: Function })
  t.match(save, { prototype: true, remoteEnabled: false })
  db.disableRemote('find')
  t.equal(db.getOperation('find').remoteEnabled, false)
  db.enableRemote('find')
  t.equal(db.getOperation('find').remoteEnabled, true)
  t.equal(db.getOperation('nothing'), undefined)
}

for (const [store, settings] of Object.entries(stores)) {
  t.test(store, async t => {
    const app: Loose = loopback({ localRegistry: true, loadBuiltinModels: true })
    const db = app.dataSource('db', settings)
    const names = ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Application']
    const [User, AccessToken, ACL, Role, RoleMapping, Application] = names.map(name => app.registry.getModel(name))
    for (const Model of [User, AccessToken, ACL, Role, RoleMapping, Application]) app.model(Model, { dataSource: 'db' })
    const Note = app.registry.createModel('Note', { title: String, stars: Number }, {
      forceId: false,
      acls: [{ principalType: 'ROLE', principalId: '$unauthenticated', permission: 'DENY', accessType: 'WRITE' }]
    })
    const Line = app.registry.createModel('Line', { text: String })
    Note.hasMany(Line)
    Line.belongsTo(Note)
    for (const Model of [Note, Line]) app.model(Model, { dataSource: 'db' })
    await db.automigrate()
    const ann = await User.create({ email: 'a@x.org', password: 'a secret' })
    const token = await ann.createAccessToken(100)
    const shop = await Application.create({ name: 'shop' })
    const staff = await Role.create({ name: 'staff' })
    const chief = await Role.create({ name: 'chief' })
    const mapping = await staff.principals.create({ principalType: 'USER', principalId: ann.id })
    const ofRole = await staff.principals.create({ principalType: 'ROLE', principalId: chief.id })
    const ofApp = await staff.principals.create({ principalType: 'APP', principalId: shop.id })
    const again = async (): Promise<Loose> => {
      await Promise.all([Note, Line].map(Model => Model.destroyAll()))
      await Note.create([{ id: 1, title: 'a', stars: 1 }, { id: 2, title: 'b', stars: 2 }])
      await Line.create({ text: 'x', noteId: 1 })
      return await Note.findById(1)
    }
    let note: Loose
    const a = { id: 1, title: 'a', stars: 1 }
    const b = { id: 2, title: 'b', stars: 2 }
    const request = { headers: { authorization: token.id }, query: {}, body: {}, signedCookies: {}, params: {} }
    const sessions: Loose[] = [await ann.createAccessToken(5), await ann.createAccessToken(5)]
    const table: Row[] = [
      ['create', (...cb) => Note.create({ id: 3, title: 'c' }, ...cb), { id: 3, title: 'c' }],
      ['create of a list', (...cb) => Note.create([{ id: 3 }, { id: 4 }], ...cb), [{ id: 3 }, { id: 4 }]],
      ['find', (...cb) => Note.find({ order: 'id' }, ...cb), [a, b]],
      ['findOne', (...cb) => Note.findOne({ where: { title: 'b' } }, ...cb), b],
      ['findById', (...cb) => Note.findById(2, ...cb), b],
      ['findById of none', (...cb) => Note.findById(9, ...cb), null],
      ['findByIds', (...cb) => Note.findByIds([2, 1], ...cb), [b, a]],
      ['count', (...cb) => Note.count({ stars: { gt: 1 } }, ...cb), 1],
      ['exists', (...cb) => Note.exists(2, ...cb), true],
      ['updateAll', (...cb) => Note.updateAll({ id: 2 }, { stars: 5 }, ...cb), { count: 1 }],
      ['upsert', (...cb) => Note.upsert({ id: 2, stars: 5 }, ...cb), { ...b, stars: 5 }],
      ['upsertWithWhere', (...cb) => Note.upsertWithWhere({ title: 'b' }, { stars: 6 }, ...cb), { ...b, stars: 6 }],
      ['replaceOrCreate', (...cb) => Note.replaceOrCreate({ id: 2, title: 'z' }, ...cb), { id: 2, title: 'z' }],
      ['replaceById', (...cb) => Note.replaceById(2, { title: 'z' }, ...cb), { id: 2, title: 'z' }],
      ['destroyById', (...cb) => Note.destroyById(2, ...cb), { count: 1 }],
      ['destroyAll', (...cb) => Note.destroyAll({ stars: 1 }, ...cb), { count: 1 }],
      ['include', (...cb) => Note.include([note], 'lines', ...cb), [{ ...a, lines: [{ text: 'x', noteId: 1 }] }]],
      ['notifyObserversOf', (...cb) => Note.notifyObserversOf('mine', { x: 1 }, ...cb), { x: 1 }],
      ['save', (...cb) => Object.assign(note, { stars: 8 }).save(...cb), { ...a, stars: 8 }],
      ['updateAttribute', (...cb) => note.updateAttribute('stars', 7, ...cb), { ...a, stars: 7 }],
      ['patchAttributes', (...cb) => note.patchAttributes({ stars: 7 }, ...cb), { ...a, stars: 7 }],
      ['replaceAttributes', (...cb) => note.replaceAttributes({ title: 'r' }, ...cb), { id: 1, title: 'r' }],
      ['reload', (...cb) => note.reload(...cb), a],
      ['destroy', (...cb) => note.destroy(...cb), { count: 1 }],
      ['relation create', (...cb) => note.lines.create({ text: 'y' }, ...cb), { text: 'y', noteId: 1 }],
      ['relation find', (...cb) => note.lines.find({}, ...cb), [{ text: 'x', noteId: 1 }]],
      ['relation count', (...cb) => note.lines.count(...cb), 1],
      ['ping', (...cb) => db.ping(...cb), undefined],
      ['autoupdate', (...cb) => db.autoupdate('Note', ...cb), undefined],
      ['isActual', (...cb) => db.isActual('Note', ...cb), true],
      ['ACL.checkPermission',
        (...cb) => ACL.checkPermission('ROLE', '$unauthenticated', 'Note', 'create', 'WRITE', ...cb),
        { permission: 'DENY' }],
      ['ACL.checkAccessForContext', (...cb) => ACL.checkAccessForContext(
        { principals: [{ type: 'USER', id: ann.id }], model: 'Note', property: 'find', accessType: 'READ' }, ...cb
      ), { permission: 'ALLOW' }],
      ['ACL.checkAccessForToken', (...cb) => ACL.checkAccessForToken(token, 'Note', 1, 'create', ...cb), true],
      ['ACL.resolvePrincipal', (...cb) => ACL.resolvePrincipal('ROLE', 'staff', ...cb), { name: 'staff' }],
      ['ACL.isMappedToRole', (...cb) => ACL.isMappedToRole('USER', ann.id, 'staff', ...cb), true],
      ['Role.isInRole', (...cb) => Role.isInRole('staff', { principalType: 'USER', principalId: ann.id }, ...cb), true],
      ['Role.getRoles', (...cb) => Role.getRoles({ principalType: 'USER', principalId: ann.id }, ...cb),
        ['$authenticated', '$everyone', staff.id]],
      ['Role.isAuthenticated',
        (...cb) => Role.isAuthenticated({ principalType: 'USER', principalId: ann.id }, ...cb), true],
      ['RoleMapping.user', (...cb) => mapping.user(...cb), { email: 'a@x.org' }],
      ['RoleMapping.childRole', (...cb) => ofRole.childRole(...cb), { name: 'chief' }],
      ['RoleMapping.application', (...cb) => ofApp.application(...cb), { name: 'shop' }],
      ['AccessToken.resolve', (...cb) => AccessToken.resolve(token.id, ...cb), { userId: ann.id }],
      ['AccessToken.findForRequest', (...cb) => AccessToken.findForRequest(request, {}, ...cb), { userId: ann.id }],
      ['AccessToken.validate', (...cb) => token.validate(...cb), true],
      ['User.login', (...cb) => User.login({ email: 'a@x.org', password: 'a secret' }, ...cb), { userId: ann.id }],
      ['User.hasPassword', (...cb) => ann.hasPassword('a secret', ...cb), true],
      ['findOrCreate', (...cb) => Note.findOrCreate({ where: { title: 'b' } }, { title: 'x' }, ...cb), [b, false]],
      ['findOrCreate of none', (...cb) => Note.findOrCreate({ where: { id: 9 } }, { id: 9 }, ...cb), [{ id: 9 }, true]],
      ['checkAccess', (...cb) => Note.checkAccess(token, 1, { name: 'find', accessType: 'READ' }, {}, ...cb), true],
      ['checkAccess, refused',
        (...cb) => Note.checkAccess(null, 1, { name: 'create', accessType: 'WRITE' }, {}, ...cb), false],
      ['Role.isOwner', (...cb) => Role.isOwner('Note', 1, ann.id, ...cb), false],
      ['Role.isOwner of a row', (...cb) => Role.isOwner('User', ann.id, ann.id, ...cb), true],
      ['role.users', (...cb) => staff.users(...cb), [{ email: 'a@x.org' }]],
      ['role.roles', (...cb) => staff.roles(...cb), [{ name: 'chief' }]],
      ['role.applications', (...cb) => staff.applications(...cb), [{ name: 'shop' }]],
      ['User.logout', (...cb) => User.logout(sessions.pop().id, ...cb), undefined],
      ['connect', (...cb) => db.connect(...cb), undefined],
      ['automigrate', (...cb) => db.automigrate('Line', ...cb), undefined],
      ['User.createAccessToken', (...cb) => ann.createAccessToken(5, ...cb), { ttl: 5, userId: ann.id }]
    ]
    for (const [name, call, expected] of table) {
      const forms = { promise: async () => await call(), callback: async () => await byCallback(call) }
      for (const [form, run] of Object.entries(forms)) {
        note = await again()
        try {
          const given = plain(await run())
          if (expected !== null && typeof expected === 'object') t.match(given, expected, `${name}, ${form}`)
          else t.equal(given, expected, `${name}, ${form}`)
        } catch (error) { t.error(error, `${name}, ${form}`) }
      }
    }
    if (store === 'sqlite') await transactions(t, db, Note)
    told(t, db, Note)
    // These two have no promise in LoopBack either.
    t.equal(await byCallback((...cb) => Note.getApp(...cb)), app)
    const five = (_: unknown, done: Callback): void => { done(null, 5) }
    t.equal(await byCallback((...cb) => Note.notifyObserversAround('mine', {}, five, ...cb)), 5)
    const resolver = (_: unknown, context: unknown, next: Callback): void => { next(null, context !== null) }
    Role.registerResolver('present', resolver)
    t.equal(Role.resolvers.present, resolver)
    t.ok(['$owner', '$everyone', 'present'].every(name => name in Role.resolvers))
    t.equal(await byCallback((...cb) => Role.resolvers.$everyone('$everyone', {}, ...cb)), true)
    delete Role.resolvers.present
    t.equal(await Role.isInRole('present', {}), false)
    Role.resolvers.present = resolver
    t.equal(await Role.isInRole('present', {}), true)
    t.match(await byCallback((...cb) => AccessToken.createAccessTokenId(...cb)), /^\w{64}$/)
    t.equal(User.validatePassword('a secret'), true)
    t.strictSame(User.normalizeCredentials({ email: 'acme:x@x' }, true, ':'), { realm: 'acme', email: 'x@x' })
    t.strictSame(User.normalizeCredentials({ username: 'acme:x' }), { username: 'acme:x' })
    t.not(User.hashPassword('a secret'), 'a secret')
    t.equal(ACL.getMatchingScore({ model: 'Note', property: '*', accessType: '*' }, { model: 'Book' }), -1)
    t.equal(AccessToken.getIdForRequest(request), token.id)
    await db.disconnect()
  })
}
