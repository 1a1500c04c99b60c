import t from 'tap'
import { asRemote } from '@fastback/core/remote'
import { call, makeApp, row, type App } from './app.js'

const open = [row('DENY', '$everyone'), row('ALLOW', '$owner'), row('ALLOW', '$authenticated')]
const definitions = [
  {
    name: 'Note',
    strict: true,
    properties: { text: 'string', userId: 'number' },
    acls: open,
    relations: { comments: { type: 'hasMany', model: 'Comment', foreignKey: 'noteId' } },
    settings: { ownerFromToken: true }
  },
  {
    name: 'Comment',
    properties: { text: 'string' },
    acls: open,
    settings: { ownerFromToken: true, forceId: false },
    relations: {
      note: { type: 'belongsTo', model: 'Note', foreignKey: 'noteId' },
      author: { type: 'belongsTo', model: 'User', foreignKey: 'authorId' },
      approver: { type: 'belongsTo', model: 'User', foreignKey: 'approverId' }
    }
  },
  { name: 'Free', properties: { text: 'string', userId: 'number' } }
]
const prepare = ({ User }: Record<string, any>): void => {
  User.hasMany('Note', { as: 'notes', foreignKey: 'userId' })
  User.hasOne('Note', { as: 'note', foreignKey: 'userId' })
  User.hasMany('Comment', { as: 'comments', foreignKey: 'authorId' })
  User.settings.acls.push(row('ALLOW', '$authenticated'))
}
const stored = async (app: App, name: string, key: string): Promise<unknown[]> =>
  (await app.models[name].find({ order: 'id' })).map((each: any) => each[key])

t.test('the owner of a new row is who makes it', async t => {
  const app = await makeApp(t, { definitions, prepare })
  const made: Array<[string, object]> = [
    ['/Notes', { text: 'a', userId: 2 }],
    ['/Notes', { text: 'b' }],
    ['/Notes', [{ userId: 2 }, { userId: 3 }, {}]],
    ['/Users/2/notes', { text: 'c' }],
    ['/Users/1/notes', { userId: 2 }],
    ['/Users/2/note', { userId: 2 }],
    ['/Notes/upsertWithWhere?where={"text":"none"}', { text: 'd', userId: 2 }],
    ['/Notes/replaceOrCreate', { text: 'e', userId: 2 }]
  ]
  for (const [url, body] of made) t.equal((await call(app, 'ann', 'POST', url, body)).status, 200, url)
  t.equal((await call(app, 'ann', 'PATCH', '/Notes', { text: 'f', userId: 2 })).body.userId, 1)
  t.same([...new Set(await stored(app, 'Note', 'userId'))], [1])
  const comments: object[] = [
    { authorId: 2 },
    { author: { id: 2 } },
    { author: { id: 2, authorId: 2 }, authorId: 2 },
    { userId: 2 },
    { owner: 2 },
    { userId: 2, owner: 2, authorId: 2 },
    { id: 50, authorId: 2 },
    { __data: { authorId: 2 } }
  ]
  for (const body of comments) {
    t.equal((await call(app, 'ann', 'POST', '/Comments', body)).status, 200, JSON.stringify(body))
  }
  t.equal((await call(app, 'ann', 'POST', '/Comments', { author: 2 })).status, 400, 'a relation is no property')
  for (const body of comments.slice(0, 6)) {
    t.equal((await call(app, 'ann', 'POST', '/Notes/1/comments', body)).status, 200)
  }
  t.equal((await call(app, 'ann', 'PUT', '/Comments', { id: 90, authorId: 2 })).status, 200, 'an upsert that creates')
  t.same([...new Set(await stored(app, 'Comment', 'authorId'))], [1])
  for (const key of ['userId', 'owner']) t.same([...new Set(await stored(app, 'Comment', key))], [undefined], key)
  t.equal(
    (await call(app, 'ann', 'POST', '/Comments', { approverId: 2 })).body.approverId,
    2,
    "other relations to users are the client's"
  )
  t.equal(
    (await call(app, 'ann', 'POST', '/Frees', { userId: 2 })).body.userId,
    2,
    'without the setting as in LoopBack'
  )
  t.equal((await app.models.Note.create({ userId: 2 })).userId, 2, 'code may say who owns')
})

t.test('nobody owns what an anonymous caller makes', async t => {
  const app = await makeApp(t, { definitions: definitions.map(definition => ({ ...definition, acls: [] })), prepare })
  t.notOk((await call(app, undefined, 'POST', '/Notes', { userId: 2 })).body.userId)
  t.notOk((await call(app, undefined, 'POST', '/Comments', { authorId: 2, userId: 2 })).body.authorId)
  t.same([...await stored(app, 'Note', 'userId'), ...await stored(app, 'Comment', 'authorId')].filter(Boolean), [])
})

t.test('nobody changes the owner', async t => {
  const app = await makeApp(t, { definitions, prepare })
  const { Note, Comment } = app.models
  await Note.create([{ text: 'of ann', userId: 1 }, { text: 'of ben', userId: 2 }])
  await Comment.create({ authorId: 1, noteId: 1 })
  const attempts: Array<[string, string, object]> = [
    ['PATCH', '/Notes/1', { userId: 2 }],
    ['PATCH', '/Notes/1', { userId: null }],
    ['PUT', '/Notes/1', { userId: 2 }],
    ['POST', '/Notes/1/replace', { userId: 2 }],
    ['PATCH', '/Notes', { id: 1, userId: 2 }],
    ['PUT', '/Notes', { id: 1, userId: 2 }],
    ['POST', '/Notes/replaceOrCreate', { id: 1, userId: 2 }],
    ['POST', '/Notes/update?where={"id":2}', { userId: 1 }],
    ['POST', '/Notes/update?where={}', { userId: 1 }],
    ['POST', '/Notes/upsertWithWhere?where={"id":2}', { userId: 1 }],
    ['PUT', '/Users/2/notes/2', { userId: 1 }],
    ['PATCH', '/Comments/1', { authorId: 2 }],
    ['PATCH', '/Comments/1', { author: { id: 2 } }],
    ['PATCH', '/Comments/1', { userId: 2 }],
    ['PATCH', '/Comments/1', { owner: 2 }],
    ['PUT', '/Comments', { id: 1, authorId: 2 }],
    ['POST', '/Comments/update?where={}', { authorId: 2 }],
    ['PUT', '/Notes/1/comments/1', { authorId: 2 }],
    ['POST', '/Comments/1/author', { email: 'e@x.test', password: 'p' }],
    ['PUT', '/Users/1/comments/1', { authorId: 2 }]
  ]
  for (const [method, url, body] of attempts) {
    const { status } = await call(app, 'ann', method, url, body)
    t.ok([400, 403, 404].includes(status), `${method} ${url} ${JSON.stringify(body)}: ${status}`)
    t.same([...await stored(app, 'Note', 'userId'), ...await stored(app, 'Comment', 'authorId')], [1, 2, 1])
    t.match(await Comment.findById(1), { userId: undefined, owner: undefined })
  }
  t.match(await call(app, 'ann', 'PATCH', '/Notes/1', { userId: 2 }), {
    status: 403,
    body: { error: { code: 'OWNER_CANNOT_CHANGE' } }
  })
  t.match(
    await call(app, 'ann', 'PATCH', '/Notes/1', { text: 'x', userId: 1 }),
    { status: 200, body: { text: 'x', userId: 1 } },
    'the same owner is no change'
  )
  t.match(
    await call(app, 'ann', 'PUT', '/Notes/1', { text: 'y' }),
    { status: 200, body: { text: 'y', userId: 1 } },
    'a replacement keeps it'
  )
  t.equal((await call(app, 'ann', 'POST', '/Notes/update?where={}', { text: 'z' })).body.count, 2)
  const comment = await Comment.findById(1)
  await t.rejects(
    comment.author.create(
      { email: 'e@x.test', password: 'p' },
      asRemote({ accessToken: { userId: 1 } })
    ),
    { statusCode: 403 } as never,
    'by a method that hands its options on'
  )
  await (await Note.findById(1)).updateAttributes({ userId: 2 })
  t.equal((await Note.findById(1)).userId, 2, 'code may')
})

t.test('as a setting of the application it counts where rules speak of $owner', async t => {
  const bare = definitions.map(({ settings: _, ...definition }: any) => definition)
  const app = await makeApp(t, { definitions: bare, prepare, settings: { ownerFromToken: true } })
  t.equal((await call(app, 'ann', 'POST', '/Notes', { userId: 2 })).body.userId, 1)
  t.equal((await call(app, 'ann', 'POST', '/Frees', { userId: 2 })).body.userId, 2)
  const off = await makeApp(t, {
    definitions: [{ ...bare[0], relations: {}, settings: { ownerFromToken: false } }],
    settings: { ownerFromToken: true }
  })
  t.equal((await call(off, 'ann', 'POST', '/Notes', { userId: 2 })).body.userId, 2)
})
