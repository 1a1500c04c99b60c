/** `registry.as`: models in the process that obey the rules of a caller. */
import { once } from 'node:events'
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { makeApp, row, type App } from './app.js'

type Loose = any

const own = { ownerId: '$user.id' }
const definitions: Loose[] = [
  {
    name: 'Note',
    properties: { text: 'string', ownerId: 'number', isPublic: 'boolean', salary: 'number', pin: 'string' },
    hidden: ['pin'],
    relations: { comments: { type: 'hasMany', model: 'Comment', foreignKey: 'noteId' } },
    acls: [
      row('DENY', '$everyone'),
      row('ALLOW', '$authenticated', {
        accessType: 'READ', rows: { or: [own, { isPublic: true }] }, fields: { read: ['*', '-salary'] }
      }),
      row('ALLOW', '$authenticated', {
        accessType: 'WRITE', rows: own, preset: own, fields: { write: ['text', 'isPublic'] }
      }),
      row('DENY', '$authenticated', { property: 'updateAll' }),
      row('ALLOW', 'admin', { accessType: 'READ' }),
      row('AUDIT', 'admin', { property: 'count' })
    ]
  },
  {
    name: 'Comment',
    properties: { text: 'string', noteId: 'number', ownerId: 'number' },
    acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated', { rows: own })]
  }
]

async function start (t: Loose): Promise<App & { as: (caller: Loose) => Loose }> {
  const app = await makeApp(t, {
    definitions,
    prepare: async ({ Note, Comment }: Loose) => {
      await Note.create([
        { text: 'of ann', ownerId: 1, salary: 4711, pin: 'p' }, { text: 'of ben', ownerId: 2, salary: 4711 },
        { text: 'public', ownerId: 2, isPublic: true, salary: 4711 }
      ])
      await Comment.create([{ text: 'by ann', noteId: 1, ownerId: 1 }, { text: 'by ben', noteId: 1, ownerId: 2 }])
    }
  })
  return Object.assign(app, { as: (caller: Loose) => app.registry.as(caller) as Loose })
}
const ids = (rows: Loose): unknown => rows.map(({ id }: Loose) => id)

t.test('reads: rows and properties that the caller may see, as clients see them', async t => {
  const { as, models: { User, AccessToken }, tokens } = await start(t)
  const { Note } = as({ user: 1 })
  t.same(ids(await Note.find()), [1, 3])
  t.same(await Note.findById(1), { id: 1, text: 'of ann', ownerId: 1 })
  t.notMatch(JSON.stringify(await Note.find({ include: 'comments' })), /4711|"pin"|by ben/)
  t.same((await Note.findById(1, { include: 'comments' })).comments.map(({ text }: Loose) => text), ['by ann'])
  t.equal(await Note.findById(2), null, 'a row outside is none')
  t.equal(await Note.exists(2), false)
  t.equal(await Note.count(), 2)
  t.match(await Note.findOne({ where: { text: 'of ben' } }), null)
  await t.rejects(Note.find({ where: { salary: 4711 } }), { code: 'HIDDEN_PROPERTY_IN_QUERY' } as Loose)
  await t.rejects(Note.find({ where: { pin: 'p' } }), { statusCode: 400 } as Loose)
  await t.rejects(Note.aggregate({ sum: { salary: 'salary' } }), { statusCode: 400 } as Loose)
  t.same(ids(await as({ user: await User.findById(2) }).Note.find()), [2, 3], 'a row of a user')
  t.same(ids(await as({ token: tokens.ann }).Note.find()), [1, 3], 'the text of a token')
  t.same(ids(await as({ token: await AccessToken.findById(tokens.ann) }).Note.find()), [1, 3], 'a token')
  t.match((await as({ user: 3 }).Note.find()).map(({ salary }: Loose) => salary), [4711, 4711, 4711], 'an admin')
})

t.test('refusals are those of a request', async t => {
  const { as } = await start(t)
  await t.rejects(as({ user: null }).Note.find(), { statusCode: 401, code: 'AUTHORIZATION_REQUIRED' } as Loose)
  await t.rejects(as({ token: 'none' }).Note.find(), { statusCode: 401 } as Loose)
  await t.rejects(as({ appId: 'reports' }).Note.updateAll({}, { text: 'x' }), { statusCode: 401 } as Loose)
  await t.rejects(as({ user: 1 }).Note.updateAll({}, { text: 'x' }), { statusCode: 401 } as Loose, 'a DENY by name')
  t.equal(as({ user: 1 }).Nothing, undefined)
  t.equal(as({ user: 1 }).Note.destroyAll, undefined, 'what no client may call is not there')
  t.equal(as({ user: 1 }).Note.transaction, undefined)
  t.throws(() => new ModelRegistry().as({ user: 1 }), { code: 'FBK_CORE_NO_RULES' })
  await t.rejects(as({ user: 1, userModel: 'Note' }).Note.find(), TypeError)
})

t.test('writes obey rows, check, preset and fields', async t => {
  const { as, models } = await start(t)
  const { Note } = as({ user: 1 })
  t.match(await Note.create({ text: 'new' }), { id: 4, text: 'new', ownerId: 1 })
  t.match(await Note.create([{ text: 'a' }, { text: 'b' }]), [{ ownerId: 1 }, { ownerId: 1 }])
  const notWritable = { statusCode: 403, code: 'FIELD_NOT_WRITABLE' } as Loose
  await t.rejects(Note.create({ text: 'new', salary: 1 }), notWritable)
  await t.rejects(Note.patchById(1, { ownerId: 2 }), notWritable)
  t.match(await Note.patchById(1, { text: 'changed', ownerId: 1 }), { text: 'changed', salary: undefined })
  await t.rejects(Note.patchById(2, { text: 'x' }), { statusCode: 404 } as Loose)
  await t.rejects(Note.patchById(3, { text: 'x' }), { statusCode: 404 } as Loose, 'read, and not written')
  await t.rejects(Note.upsertWithWhere({ id: 1 }, { salary: 1 }), notWritable)
  t.match(await Note.replaceById(1, { text: 'replaced' }), { text: 'replaced', ownerId: 1 })
  t.match(await models.Note.findById(1), { salary: 4711, ownerId: 1 }, 'what may not be set stays')
  await Note.deleteById(2).catch(() => {})
  t.equal(await models.Note.exists(2), true)
  t.same(await Note.deleteById(1), { count: 1 })
})

t.test('hooks see who acts; rules that audit are written down; streams are narrowed', async t => {
  const { as, models, registry } = await start(t)
  let seen: unknown
  models.Note.observe('before save', async ({ options }: Loose) => { seen = options.accessToken.userId })
  const stream = await as({ user: 1 }).Note.createChangeStream()
  t.teardown(() => stream.destroy())
  await models.Note.updateAll({ id: 2 }, { text: 'not for ann' }, { accessToken: {} })
  await as({ user: 1 }).Note.patchById(1, { text: 'for ann' })
  t.equal(seen, 1)
  // Its timers keep no process alive.
  const alive = setInterval(() => {}, 100)
  const [{ data }] = await once(stream, 'data')
  clearInterval(alive)
  t.match(data, { id: 1, text: 'for ann', salary: undefined })
  const calls: Loose[] = []
  registry.on('audit', call => { calls.push(call) })
  t.equal(await as({ user: 3 }).Note.count(), 3)
  t.match(calls, [{ event: 'acl.audit', model: 'Note', method: 'count', principal: { id: 3 } }])
})
