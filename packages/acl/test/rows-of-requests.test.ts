/** Requests under rules about rows and properties: what a caller sees and may change. */
import t from 'tap'
import { call, makeApp, row, type App } from './app.js'

type Loose = any

const properties = { text: 'string', ownerId: 'number', isPublic: 'boolean', secret: 'string' }
const deny = row('DENY', '$everyone')
const own = { ownerId: '$user.id' }
const rules = [
  deny,
  row('ALLOW', '$authenticated', { accessType: 'READ', rows: { or: [own, { isPublic: true }] }, fields: { read: ['*', '-secret'] } }),
  row('ALLOW', '$unauthenticated', { accessType: 'READ', rows: { isPublic: true }, fields: { read: ['text'] } }),
  row('ALLOW', '$authenticated', { accessType: 'WRITE', rows: own, preset: { ownerId: '$user.id' }, fields: { write: ['text', 'isPublic'] } }),
  row('ALLOW', 'admin', { accessType: 'READ' }),
  row('ALLOW', 'admin', { accessType: 'WRITE' })
]

async function notes (
  test: Loose, { acls = rules, model = {}, settings = {}, definitions = [], prepare }: Loose = {}
): Promise<App> {
  return await makeApp(test, {
    definitions: [{ name: 'Note', properties, acls, ...model }, ...definitions],
    settings,
    prepare: async (models: Loose, app: Loose) => {
      await models.Note.create([
        { text: 'of ann', ownerId: 1, isPublic: false, secret: 's1' },
        { text: 'of ben', ownerId: 2, isPublic: false, secret: 's2' },
        { text: 'public', ownerId: 2, isPublic: true, secret: 's3' }
      ])
      await prepare?.(models, app)
    }
  } as Loose)
}
const ids = ({ body }: Loose): unknown => Array.isArray(body) ? body.map(({ id }: Loose) => id) : body

t.test('lists, counts and rows by id', async t => {
  const app = await notes(t)
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [1, 3])
  t.same(ids(await call(app, 'ben', 'GET', '/Notes')), [2, 3])
  t.same(ids(await call(app, 'adam', 'GET', '/Notes')), [1, 2, 3])
  t.same(ids(await call(app, undefined, 'GET', '/Notes')), [3])
  t.same((await call(app, 'ann', 'GET', '/Notes/count')).body, { count: 2 })
  t.equal((await call(app, 'ann', 'GET', '/Notes/2')).status, 404, 'not found, and never refused')
  t.equal((await call(app, undefined, 'GET', '/Notes/1')).status, 404)
  t.same((await call(app, 'ann', 'GET', '/Notes/2/exists')).body, { exists: false })
})

t.test('writes', async t => {
  const app = await notes(t)
  t.match(await call(app, 'ann', 'POST', '/Notes', { text: 'new' }), { status: 200, body: { text: 'new', ownerId: 1 } })
  t.equal((await call(app, 'ann', 'PATCH', '/Notes/1', { text: 'changed' })).status, 200)
  t.equal((await call(app, 'ann', 'PATCH', '/Notes/2', { text: 'changed' })).status, 404)
  t.equal((await call(app, 'ann', 'PATCH', '/Notes/3', { text: 'changed' })).status, 404, 'one may read it, and not change it')
  t.equal((await call(app, 'ann', 'PATCH', '/Notes/1', { ownerId: 2 })).status, 403)
  t.equal((await call(app, 'ann', 'DELETE', '/Notes/2')).status < 300 && await app.models.Note.exists(2), true)
  t.same((await call(app, 'ann', 'DELETE', '/Notes/1')).status, 200)
  t.equal(await app.models.Note.exists(1), false)
  t.equal((await call(app, undefined, 'PATCH', '/Notes/3', { text: 'x' })).status, 401, 'who may write nothing is refused as ever')
})

const boxes = (extra: object = {}): object => ({
  name: 'Box',
  properties: { name: 'string' },
  relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'boxId' } },
  ...extra
})
const withBox = { ...properties, boxId: 'number' }
const fill = async ({ Box, Note }: Loose): Promise<void> => {
  await Box.create({ name: 'one' })
  await Note.updateAll({}, { boxId: 1 })
}

t.test('relations and includes are narrowed, and conditions on related rows', async t => {
  const app = await notes(t, { model: { properties: withBox }, definitions: [boxes()], prepare: fill })
  t.same(ids(await call(app, 'ann', 'GET', '/Boxes/1/notes')), [1, 3])
  t.same((await call(app, 'ann', 'GET', '/Boxes/1/notes/count')).body, { count: 2 })
  t.equal((await call(app, 'ann', 'GET', '/Boxes/1/notes/2')).status, 404)
  const included = async (who?: string): Promise<unknown> =>
    ids({ body: (await call(app, who, 'GET', '/Boxes/1?filter[include]=notes')).body.notes })
  t.same(await included('ann'), [1, 3])
  t.same(await included(undefined), [3])
  t.same(await included('adam'), [1, 2, 3])
  const having = async (text: string): Promise<unknown> =>
    ids(await call(app, 'ann', 'GET', `/Boxes?filter=${encodeURIComponent(JSON.stringify({ where: { notes: { some: { text } } } }))}`))
  t.same(await having('of ann'), [1])
  t.same(await having('of ben'), [], 'what one may not read one cannot find')
  t.equal((await call(app, 'ann', 'PUT', '/Boxes/1/notes/2', { text: 'x' })).status, 404)
  t.equal((await call(app, undefined, 'PUT', '/Boxes/1/notes/3', { text: 'x' })).status, 401, 'a plain DENY refuses')
})

t.test('"parent" leaves relations to the model that has them', async t => {
  const app = await notes(t, {
    model: { properties: withBox, relatedAccess: 'parent' }, definitions: [boxes()], prepare: fill
  })
  t.same(ids(await call(app, 'ann', 'GET', '/Boxes/1/notes')), [1, 2, 3])
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [1, 3])
})

t.test('rows of others decide in conditions of rules, whatever "relatedConditions" says', async t => {
  const app = await notes(t, {
    acls: [deny, row('ALLOW', '$authenticated', { rows: { 'box.members': { some: { userId: '$user.id' } } } })],
    model: { properties: withBox, relatedConditions: false, relations: { box: { type: 'belongsTo', model: 'Box', foreignKey: 'boxId' } } },
    definitions: [
      boxes({ relations: { members: { type: 'hasMany', model: 'Member', foreignKey: 'boxId' } } }),
      { name: 'Member', properties: { userId: 'number', boxId: 'number' }, acls: [deny] }
    ],
    prepare: async (models: Loose) => {
      await fill(models)
      await models.Box.create({ name: 'two' })
      await models.Note.updateAll({ id: 2 }, { boxId: 2 })
      await models.Member.create({ userId: 1, boxId: 1 })
    }
  })
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [1, 3])
  t.same(ids(await call(app, 'ben', 'GET', '/Notes')), [])
  await app.models.Member.create({ userId: 2, boxId: 2 })
  t.same(ids(await call(app, 'ben', 'GET', '/Notes')), [2], 'a membership holds with the next request')
  t.equal((await call(app, 'ben', 'PATCH', '/Notes/2', { text: 'x' })).status, 200)
  t.equal((await call(app, 'ben', 'PATCH', '/Notes/1', { text: 'x' })).status, 404)
})

t.test('stored rules say rows where the ACL model stores them', async t => {
  const app = await notes(t, { acls: [deny] })
  const { ACL, Role } = app.models
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401)
  const rule = await ACL.create({
    model: 'Note', accessType: 'READ', permission: 'ALLOW', principalType: 'ROLE', principalId: '$authenticated', rows: own
  })
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [1])
  await ACL.updateAll({ id: rule.id }, { rows: { isPublic: true } })
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [3])
  await ACL.updateAll({ id: rule.id }, { rows: { isPublik: true } })
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401, 'one that cannot be read grants nothing')
  await ACL.destroyAll()
  await Role.destroyAll()
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401)
})

t.test('a role that is taken away counts with the next request', async t => {
  const app = await notes(t)
  t.same(ids(await call(app, 'adam', 'GET', '/Notes')), [1, 2, 3])
  await app.models.RoleMapping.destroyAll()
  t.same(ids(await call(app, 'adam', 'GET', '/Notes')), [3])
})

t.test('owners of rows and rules about rows together', async t => {
  const acls = [deny, row('ALLOW', '$owner', { accessType: 'READ' }), row('ALLOW', '$authenticated', { accessType: 'READ', rows: { isPublic: true } })]
  const app = await notes(t, {
    acls,
    model: { properties: { ...withBox, userId: 'number' } },
    definitions: [boxes()],
    prepare: async (models: Loose) => {
      await fill(models)
      for (const id of [1, 2, 3]) await models.Note.updateAll({ id }, { userId: id === 1 ? 1 : 2 })
    }
  })
  t.equal((await call(app, 'ann', 'GET', '/Notes/1')).status, 200)
  t.equal((await call(app, 'ann', 'GET', '/Notes/2')).status, 404)
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [3], 'a list has no owner')
  t.same(ids({ body: (await call(app, 'ann', 'GET', '/Boxes/1?filter[include]=notes')).body.notes }), [1, 3])
  t.equal((await call(app, 'ann', 'DELETE', '/Notes/3')).status, 401)
})

t.test('a role of the application for some rows', async t => {
  const app = await notes(t, {
    acls: [deny, row('ALLOW', 'member')],
    prepare: ({ Role }: Loose) => {
      Role.registerResolver('member', (_: string, { accessToken }: Loose) => ({ where: { ownerId: accessToken.userId ?? -1 } }))
    }
  })
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [1])
  t.equal((await call(app, 'ann', 'GET', '/Notes/2')).status, 404)
  t.same(ids(await call(app, undefined, 'GET', '/Notes')), [])
})

t.test('rows of a role leave the others to the rules behind', async t => {
  const acls = [
    deny, row('ALLOW', 'member', { rows: { isPublic: false } }), row('ALLOW', '$authenticated', { rows: { isPublic: true } }),
    row('DENY', 'blocked')
  ]
  const resolve = (name: string, where: object) => ({ Role }: Loose) => {
    Role.registerResolver(name, () => ({ where }))
  }
  const seen = async (rules: object[], ...roles: Array<(models: Loose) => void>): Promise<unknown> => {
    const app = await notes(t, { acls: rules, prepare: (models: Loose) => { for (const each of roles) each(models) } })
    return ids(await call(app, 'ann', 'GET', '/Notes'))
  }
  const ofBen = resolve('member', { ownerId: 2 })
  t.same(await seen(acls, ofBen), [2], 'of the rows of the role its rule decides: the public one is none of them')
  t.same(await seen(acls, resolve('member', { ownerId: 1 })), [1, 3])
  t.same(await seen(acls, resolve('member', { ownerId: 1 }), resolve('blocked', { id: 3 })), [1])
  t.same(await seen([row('ALLOW', 'member', { rows: { isPublic: true } })], ofBen), [1, 3], 'the default allows the rest')
  t.same(await seen([row('DENY', 'member')], ofBen), [1])
})

t.test('a tenant holds for all that comes from outside', async t => {
  const app = await notes(t, {
    acls: [], model: { properties: { ...properties, tenantId: 'string' }, tenant: { property: 'tenantId', value: '$user.realm' } },
    prepare: async ({ Note, User }: Loose) => {
      await User.updateAll({ id: 1 }, { realm: 'red' })
      await Note.updateAll({ id: 2 }, { tenantId: 'red' })
    }
  })
  t.same(ids(await call(app, 'ann', 'GET', '/Notes')), [2])
  t.same(ids(await call(app, 'ben', 'GET', '/Notes')), [])
  t.same(ids(await call(app, undefined, 'GET', '/Notes')), [])
  t.match((await call(app, 'ann', 'POST', '/Notes', { text: 'x', tenantId: 'blue' })).body, { tenantId: 'red' })
  t.equal((await call(app, 'ann', 'PATCH', '/Notes/2', { tenantId: 'blue' })).status, 403)
  t.ok((await call(app, undefined, 'POST', '/Notes', { text: 'x' })).status >= 400)
})

t.test('a model with a tenant and no rules about rows shows them by relations as ever, of the tenant alone', async t => {
  const app = await notes(t, {
    acls: [deny],
    model: { properties: { ...withBox, tenantId: 'string' }, tenant: { property: 'tenantId', value: '$user.realm' } },
    definitions: [boxes()],
    prepare: async (models: Loose) => {
      await fill(models)
      await models.User.updateAll({ id: 1 }, { realm: 'red' })
      await models.Note.updateAll({ id: 2 }, { tenantId: 'red' })
    }
  })
  const included = async (who?: string): Promise<unknown> =>
    ids({ body: (await call(app, who, 'GET', '/Boxes/1?filter[include]=notes')).body.notes })
  t.same(await included('ann'), [2])
  t.same(await included('ben'), [])
  t.same(ids(await call(app, 'ann', 'GET', '/Boxes/1/notes')), [2])
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401)
})

t.test('a method of the application narrows what it hands its options to', async t => {
  const app = await notes(t, {
    acls: [...rules, row('ALLOW', '$everyone', { property: 'mine' })],
    prepare: ({ Note }: Loose) => {
      Note.mine = async (options: Loose) => await Note.find({}, options)
      Note.remoteMethod('mine', {
        accepts: [{ arg: 'options', type: 'object', http: 'optionsFromRequest' }],
        http: { verb: 'get', path: '/mine' }, returns: { type: 'array', root: true }
      })
    }
  })
  t.same(ids(await call(app, 'ann', 'GET', '/Notes/mine')), [1, 3])
  t.same(ids(await call(app, undefined, 'GET', '/Notes/mine')), [3])
  const named = await notes(t, {
    acls: [row('ALLOW', '$everyone', { property: 'mine', rows: own })],
    prepare: ({ Note }: Loose) => {
      Note.mine = async (options: Loose) => await Note.find({}, options)
      Note.remoteMethod('mine', {
        accepts: [{ arg: 'options', type: 'object', http: 'optionsFromRequest' }],
        http: { verb: 'get', path: '/mine' }, returns: { type: 'array', root: true }
      })
    }
  })
  t.same(ids(await call(named, 'ann', 'GET', '/Notes/mine')), [1], 'rows of a rule that names it')
  t.same(ids(await call(named, 'ann', 'GET', '/Notes')), [1, 2, 3])
})

t.test('properties that may not be read or set', async t => {
  const app = await notes(t)
  t.same((await call(app, 'ann', 'GET', '/Notes/1')).body, { id: 1, text: 'of ann', ownerId: 1, isPublic: false })
  t.same((await call(app, undefined, 'GET', '/Notes/3')).body, { id: 3, text: 'public' })
  t.equal((await call(app, 'adam', 'GET', '/Notes/1')).body.secret, 's1')
  t.equal((await call(app, 'ann', 'GET', '/Notes?filter[where][secret]=s1')).status, 400)
  t.equal((await call(app, 'ann', 'POST', '/Notes', { text: 'new', secret: 'x' })).status, 403)
})
