/** An agent acts as its user: the access rules of methods, rows and properties hold as they do over REST. */
import t from 'tap'
import { clientOf, code, data, makeApp, overRest, row, type App } from './app.js'

type Loose = any

const deny = row('DENY', '$everyone')

const definitions: Loose[] = [
  {
    name: 'Note',
    description: 'What people write down',
    hidden: ['secret'],
    properties: { text: 'string', userId: 'number', secret: 'string' },
    relations: { comments: { type: 'hasMany', model: 'Comment' }, logs: { type: 'hasMany', model: 'Log' } },
    acls: [
      deny,
      row('ALLOW', '$authenticated', { property: ['find', 'count', 'create'] }),
      row('ALLOW', '$owner'),
      row('ALLOW', 'admin')
    ]
  },
  {
    name: 'Comment',
    properties: { text: 'string', userId: 'number', noteId: 'number', isPublic: 'boolean' },
    acls: [
      deny,
      row('ALLOW', '$everyone', { accessType: 'READ', rows: { or: [{ userId: '$user.id' }, { isPublic: true }] } }),
      row('ALLOW', '$authenticated', { accessType: 'WRITE', rows: { userId: '$user.id' } })
    ]
  },
  {
    name: 'Person',
    properties: { name: 'string', salary: 'number' },
    acls: [
      deny,
      row('ALLOW', '$authenticated', { accessType: 'READ', fields: { read: ['id', 'name'] } }),
      row('ALLOW', 'admin', { accessType: 'READ', fields: { read: ['*'] } })
    ]
  },
  { name: 'Log', properties: { text: 'string', noteId: 'number' }, acls: [deny, row('ALLOW', 'admin')] },
  { name: 'Closed', properties: { text: 'string' }, acls: [deny] },
  { name: 'Unpublished', properties: { text: 'string' } }
]

const tools = {
  Note: ['find', 'findById', 'count', 'create', 'prototype.patchAttributes', 'deleteById', 'prototype.__get__comments'],
  Comment: ['find', 'count', 'create', 'prototype.patchAttributes', 'updateAll'],
  Person: ['find'],
  Log: ['find'],
  Closed: ['find']
}

const makeNotes = async (t: Loose, more: object = {}): Promise<App> => await makeApp(t, {
  definitions,
  hidden: ['Unpublished'],
  settings: { relatedAccess: 'related', modelDefinitions: 'open' },
  prepare: async ({ Note, Comment, Person, Log }) => {
    await Note.create([{ text: 'of ann', userId: 1, secret: 's' }, { text: 'of ben', userId: 2 }])
    await Comment.create([
      { text: 'c1', noteId: 1, userId: 1 }, { text: 'c2', noteId: 1, userId: 2, isPublic: true }, { text: 'c3', noteId: 1, userId: 2 }
    ])
    await Person.create({ name: 'Carl', salary: 7 })
    await Log.create({ text: 'l', noteId: 1 })
  },
  mcp: { tools },
  ...more
})

t.test('rules of methods: roles and owners', async t => {
  const app = await makeNotes(t)
  const [ann, ben, adam] = await Promise.all(['ann', 'ben', 'adam'].map(async who => await clientOf(t, app, who))) as Loose
  t.same((await data(ben, 'Note_find', { filter: { order: 'id' } })).map(({ text }: Loose) => text), ['of ann', 'of ben'])
  t.same(await data(ben, 'Note_count'), { count: 2 })
  const refused = (await overRest(app, 'ben', '/Notes/1')).body.error.code
  t.equal(await code(ben, 'Note_findById', { id: 1 }), refused)
  t.same(await data(ann, 'Note_findById', { id: 1 }), { id: 1, text: 'of ann', userId: 1 })
  t.equal(await code(ben, 'Note_patchAttributes', { id: 1, data: { text: 'x' } }), refused)
  t.equal(await code(ben, 'Note_deleteById', { id: 1 }), refused)
  t.match(await data(adam, 'Note_patchAttributes', { id: 2, data: { text: 'x' } }), { text: 'x' })
  t.match(await data(ben, 'Note_create', { data: { text: 'new', userId: 2 } }), { id: 3, text: 'new' })
  t.equal(await code(ben, 'Log_find'), refused)
  t.same(await data(adam, 'Log_find'), [{ id: 1, text: 'l', noteId: 1 }])
})

t.test('rules of rows', async t => {
  const app = await makeNotes(t)
  const [ann, ben] = await Promise.all(['ann', 'ben'].map(async who => await clientOf(t, app, who))) as Loose
  const texts = async (client: Loose): Promise<string> =>
    (await data(client, 'Comment_find', { filter: { order: 'id' } })).map(({ text }: Loose) => text).join()
  t.equal(await texts(ann), 'c1,c2')
  t.equal(await texts(ben), 'c2,c3')
  t.same(await data(ann, 'Comment_count', { where: { text: 'c3' } }), { count: 0 })
  t.equal((await data(ann, 'Note_get_comments', { id: 1 })).length, 2)
  const [{ comments }] = await data(ann, 'Note_find', { filter: { where: { id: 1 }, include: 'comments' } })
  t.equal(comments.length, 2, 'of included rows as well')
  t.equal(await code(ann, 'Comment_create', { data: { text: 'x', userId: 2 } }), 'ROW_CHECK_FAILED')
  t.equal(await code(ann, 'Comment_patchAttributes', { id: 3, data: { text: 'x' } }), 'MODEL_NOT_FOUND')
  t.same(await data(ann, 'Comment_updateAll', { where: {}, data: { text: 'mine' } }), { count: 1 })
})

t.test('rules of properties, hidden ones, included rows', async t => {
  const app = await makeNotes(t)
  const [ann, adam] = await Promise.all(['ann', 'adam'].map(async who => await clientOf(t, app, who))) as Loose
  t.same(await data(ann, 'Person_find'), [{ id: 1, name: 'Carl' }])
  t.same(await data(adam, 'Person_find'), [{ id: 1, name: 'Carl', salary: 7 }])
  for (const [tool, filter, path] of [
    ['Person_find', { where: { salary: { gt: 1 } } }, '/People'], ['Person_find', { order: 'salary' }, '/People'],
    ['Note_find', { where: { secret: 's' } }, '/Notes'], ['Note_find', { include: 'logs' }, '/Notes'],
    ['Note_find', { fields: ['secret'] }, '/Notes']
  ] as const) {
    const { status, body } = await overRest(app, 'ann', `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    if (status >= 400) t.equal(await code(ann, tool, { filter }), body.error.code, JSON.stringify(filter))
    else t.same(await data(ann, tool, { filter }), body, JSON.stringify(filter))
  }
  const { tools: listed } = await ann.listTools()
  t.notMatch(JSON.stringify(listed.filter(({ annotations }: Loose) => annotations?.readOnlyHint)), /secret/)
  t.notMatch(JSON.stringify((await ann.readResource({ uri: 'fastback://models/Note' })).contents), /secret/)
})

t.test('a caller sees the tools that it may call', async t => {
  const app = await makeNotes(t)
  const names = async (who: string): Promise<string[]> =>
    (await (await clientOf(t, app, who)).listTools()).tools.map(({ name }) => name)
  const all = await names('adam')
  t.ok(all.includes('Log_find'))
  t.notOk(all.includes('Closed_find'), 'no rule allows anybody')
  const ofAnn = await names('ann')
  t.notOk(ofAnn.includes('Log_find'))
  t.ok(ofAnn.includes('Note_create'))
})

t.test('without tools: the reading methods of published models', async t => {
  const app = await makeNotes(t, { mcp: { models: ['Note', 'Comment'] } })
  const { tools } = await (await clientOf(t, app, 'adam')).listTools()
  t.same(tools.map(({ name }) => name).sort(), [
    'Comment_count', 'Comment_find', 'Comment_findById', 'Note_count', 'Note_find', 'Note_findById'
  ])
  t.ok(tools.every(({ annotations }) => annotations?.readOnlyHint))
  const open = await makeNotes(t, { mcp: {} })
  const names = (await (await clientOf(t, open, 'adam')).listTools()).tools.map(({ name }) => name)
  t.ok(names.includes('Person_find'))
  t.notOk(names.some(name => /^(Unpublished|Closed|AccessToken|ACL|Role)/.test(name)))
})

t.test('hooks see what they see over REST', async t => {
  const seen: string[] = []
  const app = await makeNotes(t, {
    prepare: async ({ Note }: Loose) => {
      Note.beforeRemote('find', async (ctx: Loose) => { seen.push(`before ${JSON.stringify(ctx.args.filter)}`) })
      Note.observe('before save', async (ctx: Loose) => { seen.push(`save ${String(ctx.options.accessToken?.userId)}`) })
    }
  })
  const ann = await clientOf(t, app, 'ann')
  await data(ann, 'Note_find')
  await data(ann, 'Note_create', { data: { text: 'b' } })
  t.same(seen, ['before {"limit":100}', 'save 1'])
})

t.test('a token that ends, ends', async t => {
  const app = await makeNotes(t)
  const ann = await clientOf(t, app, 'ann')
  await data(ann, 'Note_count')
  await (app.registry.models as Loose).AccessToken.destroyById(app.tokens.ann)
  await t.rejects(data(ann, 'Note_count'))
})
