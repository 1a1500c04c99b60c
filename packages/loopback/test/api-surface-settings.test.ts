/**
 * Settings of models and properties, legacy hooks and booting, item by item as code of LoopBack 3 leans on them
 * (headings 5, 8, 11 and 20 beside `api-surface.test.ts` and `api-surface-data.test.ts`).
 */
import t from 'tap'
import loopback from '@fastback/loopback'
import { each, plain, refused, type Loose } from './rows.js'

const app = loopback({ localRegistry: true, loadBuiltinModels: true })
const db = app.dataSource('db', { connector: 'memory' })
t.teardown(async () => { await app.fastify.close() })

let made = 0
/** A model of its own with these properties and settings. */
function define (properties: Loose, settings: Loose = {}, dataSource: Loose = db): Loose {
  const Model = app.registry.createModel(`Made${++made}`, properties, settings)
  app.model(Model, { dataSource: dataSource as typeof db })
  return Model as unknown as Loose
}
t.test('5. Model settings', async t => {
  const text = { title: String }
  const needed = { title: { type: String, required: true } }
  await each(t, [
    ['5. validateUpsert: false', async () => {
      const Model = define(needed, { validateUpsert: false, forceId: false })
      await Model.create({ id: 5, title: 'a' })
      return (await Model.updateOrCreate({ id: 5, title: null })).title
    }, null],
    ['5. validateUpsert: true', async () => await refused(() => define(needed).updateOrCreate({})),
      { title: ['presence'] }],
    ['5. applyDefaultOnWrites: false', async () =>
      (await define({ a: { type: String, default: 'd', applyDefaultOnWrites: false }, b: String })
        .create({ b: 'x' })).toObject().a, null],
    ['5. persistDefaultValues: false stores no default', async () => {
      const Model = define({ a: { type: String, default: 'd', persistDefaultValues: false }, b: String })
      await Model.create({ b: 'x' })
      return (await Model.findOne()).toObject().a
    }, 'd'],
    // LoopBack leaves the condition out and answers more rows than were asked for (security.md, S-13).
    ['5. prohibitHiddenPropertiesInQuery', async () => {
      const Model = define({ secret: String, ...text }, { hidden: ['secret'] })
      return await refused(() => Model.find({ where: { secret: 'a' } }, { prohibitHiddenPropertiesInQuery: true }))
    }, 'HIDDEN_PROPERTY_IN_QUERY'],
    ['5. hidden properties can be asked for in code', async () => {
      const Model = define({ secret: String }, { hidden: ['secret'] })
      await Model.create([{ secret: 'a' }, { secret: 'b' }])
      return (await Model.find({ where: { secret: 'a' } }, { prohibitHiddenPropertiesInQuery: false })).length
    }, 1],
    ['5. maxDepthOfQuery of a call', async () => await refused(() =>
      define(text).find({ where: { and: [{ and: [{ and: [{ title: 'x' }] }] }] } }, { maxDepthOfQuery: 3 })),
    'QUERY_OBJECT_TOO_DEEP'],
    ['5. allowExtendedOperators: false refuses them', async () => await refused(() =>
      define(text).find({ where: { title: { $exists: true } } })) !== 'not refused', true],
    ['5. normalizeUndefinedInQuery: default leaves undefined out', async () => {
      const Model = define(text)
      await Model.create([{ title: 'a' }, { title: null }])
      return (await Model.find({ where: { title: undefined } })).length
    }, 2],
    ['5. normalizeUndefinedInQuery: nullify', async () => {
      const Model = define(text, { normalizeUndefinedInQuery: 'nullify' })
      await Model.create([{ title: 'a' }, { title: null }])
      return (await Model.find({ where: { title: undefined } })).length
    }, 1],
    ['5. normalizeUndefinedInQuery: throw', async () =>
      await refused(() => define(text, { normalizeUndefinedInQuery: 'throw' }).find({ where: { title: undefined } })) !==
        'not refused', true],
    ['5. excludeBaseProperties', () => {
      const Base = define({ a: String, b: String })
      const Child = Base.extend(`Child${made}`, {}, { excludeBaseProperties: ['b'] })
      return Object.keys(Child.definition.properties).sort()
    }, ['a', 'id']],
    ['5. updateOnly of a property', async () => {
      const Model = define({ rating: { type: Number, updateOnly: true }, ...text }, {})
      return Model.getUpdateOnlyProperties?.()
    }, ['rating', 'id']],
    ['5. a property that a model leaves out', () => {
      const Base = define({ a: String, b: String })
      return Object.keys(Base.extend(`Kid${made}`, { b: false }).definition.properties).sort()
    }, ['a', 'id']],
    ['5. acls', () => define(text, { acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }] })
      .settings.acls.length, 1],
    ['5. mixins', () => {
      app.registry.modelBuilder.mixins.define('Stamped', (Model: Loose, options: Loose) => { Model.stamp = options.at })
      return define(text, { mixins: { Stamped: { at: 'here' } } }).stamp
    }, 'here'],
    ['5. replaceOnPUT: false', () => {
      const { methods } = app.handler('rest') as never as { methods?: unknown }
      const Model = define(text, { replaceOnPUT: false })
      const put = Model.sharedClass.findMethodByName('patchOrCreate').http
      return [methods === undefined, (Array.isArray(put) ? put : [put]).some(({ verb }: Loose) => verb === 'put')]
    }, [true, true]],
    ['5. index', () => define({ title: { type: String, index: true } }).definition.indexes().title_index, true],
    ['5. unique', async () => {
      const Model = define({ title: { type: String, index: { unique: true } } })
      await Model.create({ title: 'a' })
      return await refused(() => Model.create({ title: 'a' })) !== 'not refused'
    }, true],
    ['5. nested objects', async () => (await define({ more: { at: Date, tags: [String] } })
      .create({ more: { at: '2020-01-01', tags: [1] } })).toJSON().more,
    { at: '2020-01-01T00:00:00.000Z', tags: ['1'] }]
  ])
})

t.test('5. Settings of users', async t => {
  const user = (name: string, settings: Loose = {}): Loose => {
    const Model = app.registry.createModel(name, {}, { base: 'User', ...settings })
    app.model(Model, { dataSource: db })
    return Model as unknown as Loose
  }
  app.model(app.registry.getModel('AccessToken'), { dataSource: db })
  const account = { email: 'Ann@example.com', password: 'secret12' }
  await each(t, [
    ['5. caseSensitiveEmail: false', async () =>
      (await user('Insensitive', { caseSensitiveEmail: false }).create(account)).email, 'ann@example.com'],
    ['5. ttl, maxTTL', async () => {
      const User = user('Brief', { ttl: 10, maxTTL: 20 })
      await User.create(account)
      const tokens = await Promise.all([undefined, 15, 99].map(ttl => User.login({ ...account, ttl })))
      return tokens.map(({ ttl }: Loose) => ttl)
    }, [10, 15, 20]],
    ['5. allowEternalTokens', async () => {
      const User = user('Eternal', { allowEternalTokens: true })
      await User.create(account)
      return (await User.login({ ...account, ttl: -1 })).ttl
    }, -1],
    ['5. emailVerificationRequired', async () => {
      const User = user('Verified', { emailVerificationRequired: true })
      await User.create(account)
      return await refused(() => User.login(account))
    }, 'LOGIN_FAILED_EMAIL_NOT_VERIFIED'],
    ['5. realmRequired, realmDelimiter', async () => {
      const User = user('Realms', { realmRequired: true, realmDelimiter: ':' })
      const known = await User.create({ ...account, realm: 'east', username: 'ann' })
      return [
        await refused(() => User.login(account)),
        (await User.login({ username: 'east:ann', password: 'secret12' })).userId === known.id
      ]
    }, ['REALM_REQUIRED', true]],
    ['5. rejectPasswordChangesViaPatchOrReplace', async () => {
      const User = user('Guarded', { rejectPasswordChangesViaPatchOrReplace: true })
      const { id } = await User.create(account)
      return await refused(async () => await (await User.findById(id)).patchAttributes({ password: 'other123' }))
    }, 'PASSWORD_CHANGE_NOT_ALLOWED'],
    ['5. rejectPasswordChangesViaPatchOrReplace, with the option setPassword and more than the password', async () => {
      const User = user('Guarded2', { rejectPasswordChangesViaPatchOrReplace: true })
      const known = await User.findById((await User.create(account)).id)
      await known.setPassword('other123')
      await known.patchAttributes({ realm: 'x' })
      return await refused(() => known.patchAttributes({ password: 'third123', realm: 'y' }, { setPassword: true }))
    }, 'FBK_AUTH_SET_PASSWORD_OPTION']
  ])
})

t.test('8. Include', async t => {
  const Tag = define({ text: String })
  const Book = define({ title: String }, {
    relations: {
      tags: { type: 'referencesMany', model: Tag.modelName, foreignKey: 'tagIds' },
      closed: { type: 'hasMany', model: Tag.modelName, foreignKey: 'bookId', options: { disableInclude: true } }
    }
  })
  const tag = await Tag.create({ text: 'l' })
  await Book.create({ title: 'one', tagIds: [tag.id] })
  await each(t, [
    ['8. referencesMany', async () => (plain(await Book.findOne({ include: 'tags' })) as Loose).tags[0].text, 'l'],
    ['8. disableInclude', async () =>
      Object.keys(plain(await Book.findOne({ include: 'closed' })) as Loose).includes('closed'), false]
  ])
})

t.test('11. Legacy hooks', async t => {
  const seen: string[] = []
  const Model = define({ title: { type: String, required: true }, by: String })
  for (const moment of ['before', 'after']) {
    for (const action of ['Initialize', 'Validate', 'Create', 'Save', 'Update', 'Destroy']) {
      Model[`${moment}${action}`] = function (this: Loose, next?: () => void, data?: Loose) {
        const what = data === undefined ? '' : data === this ? ' itself' : ' data'
        if (action !== 'Initialize') seen.push(`${moment}${action}${what}`)
        next?.()
      }
    }
  }
  /** What the hooks heard while a call ran. */
  const heard = async (call: () => unknown): Promise<string[]> => {
    seen.length = 0
    await call()
    return [...seen]
  }
  const Gate = define({ title: String, at: Number })
  Gate.beforeCreate = function (this: Loose, next: (error?: unknown) => void) {
    this.at = 7
    if (this.title === 'bad') next(new Error('not this one'))
    else next()
  }
  Gate.beforeUpdate = function (this: Loose, next: () => void, data: Loose) { data.at = 8; next() }
  const Sub = Gate.extend(`Sub${made}`, {})
  Sub.attachTo(db)

  let row: Loose
  await each(t, [
    ['11. create', () => heard(async () => { row = await Model.create({ title: 'a' }) }), [
      'beforeValidate itself', 'afterValidate', 'beforeCreate itself', 'beforeSave itself', 'afterSave', 'afterCreate'
    ]],
    ['11. save', () => heard(() => { row.title = 'b'; return row.save() }), [
      'beforeValidate itself', 'afterValidate', 'beforeSave data', 'beforeUpdate data', 'afterUpdate', 'afterSave'
    ]],
    ['11. updateAttributes', () => heard(() => row.updateAttributes({ title: 'c' })), [
      'beforeValidate data', 'afterValidate', 'beforeSave data', 'beforeUpdate data', 'afterUpdate', 'afterSave'
    ]],
    ['11. destroy', () => heard(() => row.destroy()), ['beforeDestroy itself', 'afterDestroy']],
    ['11. operations by condition tell nobody', async () => {
      const { id } = await Model.create({ title: 'd' })
      return await heard(async () => {
        await Model.updateAll({ id }, { title: 'e' })
        await Model.destroyAll({ id })
      })
    }, []],
    ['11. what a hook sets is stored', async () => {
      const gate = await Gate.create({ title: 'good' })
      await gate.updateAttributes({ title: 'better' })
      return (await Gate.findById(gate.id)).at
    }, 8],
    ['11. what a hook sets on the new instance is stored', async () =>
      (await Gate.findById((await Gate.create({ title: 'good' })).id)).at, 7],
    ['11. an error of a hook stops the operation', async () =>
      [await refused(() => Gate.create({ title: 'bad' })), await Gate.count({ title: 'bad' })], ['refused', 0]],
    ['11. models that extend it have its hooks', async () => (await Sub.create({ title: 'good' })).at, 7],
    ['11. afterInitialize', async () => {
      const Shown = define({ title: String })
      Shown.afterInitialize = function (this: Loose) { this.loud = this.title?.toUpperCase() }
      await Shown.create({ title: 'x' })
      return [new (Shown as never as new (data: Loose) => Loose)({ title: 'y' }).loud, (await Shown.findOne()).loud]
    }, ['Y', 'X']]
  ])
})
