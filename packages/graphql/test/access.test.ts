/** Who may see and do what: the access rules of methods, rows and properties hold as they do over REST. */
import t from 'tap'
import { getIntrospectionQuery } from 'graphql'
import { ask, codes, data, makeApp, overRest, row, type App } from './app.js'

type Loose = any

const deny = row('DENY', '$everyone')

const definitions: Loose[] = [
  {
    name: 'Note',
    hidden: ['secret'],
    protected: ['inner'],
    properties: { text: 'string', userId: 'number', secret: 'string', inner: 'string', salary: 'number' },
    relations: { comments: { type: 'hasMany', model: 'Comment' }, logs: { type: 'hasMany', model: 'Log' } },
    acls: [
      deny,
      row('ALLOW', '$authenticated', { property: ['find', 'count', 'create', 'findOne', 'aggregate'] }),
      row('ALLOW', '$owner'),
      row('ALLOW', 'admin')
    ]
  },
  {
    name: 'Comment',
    properties: { text: 'string', userId: 'number', noteId: 'number', isPublic: 'boolean' },
    relations: { note: { type: 'belongsTo', model: 'Note' } },
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
  { name: 'Half', properties: { text: 'string' }, acls: [deny, row('ALLOW', '$everyone', { property: 'find' })] }
]

async function makeNotes (t: Loose, more: object = {}): Promise<App> {
  return await makeApp(t, {
    definitions,
    settings: { relatedAccess: 'related', modelDefinitions: 'open' },
    prepare: async ({ Note, Comment, Person, Log }) => {
      await Note.create([
        { text: 'of ann', userId: 1, secret: 's', inner: 'i', salary: 5 }, { text: 'of ben', userId: 2 }
      ])
      await Comment.create([
        { text: 'c1', noteId: 1, userId: 1 }, { text: 'c2', noteId: 1, userId: 2, isPublic: true }, { text: 'c3', noteId: 1, userId: 2 }
      ])
      await Person.create({ name: 'Carl', salary: 7 })
      await Log.create({ text: 'l', noteId: 1 })
    },
    ...more
  })
}

t.test('rules of methods: roles and owners', async t => {
  const app = await makeNotes(t)
  t.same(await codes(app, undefined, '{ notes { text } }'), ['AUTHORIZATION_REQUIRED'])
  t.same(await data(app, 'ben', '{ notes(order: [id_ASC]) { text } notesCount }'), { notes: [{ text: 'of ann' }, { text: 'of ben' }], notesCount: 2 })
  const refused = (await overRest(app, 'ben', '/Notes/1')).body.error.code
  t.same(await codes(app, 'ben', '{ note(id: 1) { text } }'), [refused])
  t.same(await data(app, 'ann', '{ note(id: 1) { text inner } }'), { note: { text: 'of ann', inner: 'i' } })
  t.same(await codes(app, 'ben', 'mutation { updateNote(id: 1, data: { text: "x" }) { id } }'), [refused])
  t.same(await codes(app, 'ben', 'mutation { deleteNote(id: 1) { count } }'), [refused])
  t.same(await data(app, 'adam', 'mutation { updateNote(id: 2, data: { text: "x" }) { text } }'), { updateNote: { text: 'x' } })
  t.same(await codes(app, 'nonsense', '{ notes { text } }'), [(await overRest(app, 'nonsense', '/Notes')).body.error.code])
  t.match(await ask(app, 'ben', '{ notes { id } note(id: 1) { id } }'), {
    status: 200, data: { notes: [{ id: 1 }, { id: 2 }], note: null }, errors: [{ path: ['note'], extensions: { code: refused } }]
  }, 'one field fails, the other has its value')
})

t.test('rules of rows', async t => {
  const app = await makeNotes(t)
  const texts = async (who?: string): Promise<string> =>
    (await data(app, who, '{ comments(order: [id_ASC]) { text } }')).comments.map(({ text }: Loose) => text).join()
  t.equal(await texts(), 'c2')
  t.equal(await texts('ann'), 'c1,c2')
  t.equal(await texts('ben'), 'c2,c3')
  t.same(await data(app, 'ann', '{ notes(where: { id: { eq: 1 } }) { comments(order: [id_ASC]) { text } commentsCount } }'), {
    notes: [{ comments: [{ text: 'c1' }, { text: 'c2' }], commentsCount: 2 }]
  }, 'of included rows as well')
  t.same(await data(app, 'ann', '{ commentsCount commentsAggregate { count } }'), { commentsCount: 2, commentsAggregate: [{ count: 2 }] })
  t.same(await data(app, 'ann', '{ notes(where: { comments: { some: { text: { eq: "c3" } } } }) { id } }'), { notes: [] }, 'conditions find no other')
  t.same(await codes(app, 'ann', 'mutation { createComment(data: { text: "x", userId: 2 }) { id } }'), ['ROW_CHECK_FAILED'])
  t.same(await codes(app, 'ann', 'mutation { updateComment(id: 3, data: { text: "x" }) { id } }'), ['MODEL_NOT_FOUND'])
  t.same(await data(app, 'ann', 'mutation { updateComments(where: {}, data: { text: "mine" }) { count } }'), { updateComments: { count: 1 } })
  t.same(await data(app, 'ann', 'mutation { updateComment(id: 1, data: { text: "y" }) { text note { text } } }'), {
    updateComment: { text: 'y', note: { text: 'of ann' } }
  })
})

t.test('rules of properties, hidden and protected ones', async t => {
  const app = await makeNotes(t)
  t.same(await data(app, 'ann', '{ people { name } }'), { people: [{ name: 'Carl' }] })
  t.same(
    (await data(app, 'adam', '{ people { id name salary } }')).people, (await overRest(app, 'adam', '/People')).body
  )
  const rest = await overRest(app, 'ann', '/People?filter={"fields":["salary"]}')
  const here = await ask(app, 'ann', '{ people { salary } }')
  if (rest.status === 200) t.same(here.data, { people: [{ salary: null }] })
  else t.equal(here.errors?.[0].extensions.code, rest.body.error.code)
  for (const document of ['{ people(where: { salary: { gt: 1 } }) { id } }', '{ people(order: [salary_ASC]) { id } }', '{ peopleAggregate { sum { salary } } }']) {
    t.equal((await codes(app, 'ann', document)).length, 1, document)
  }
  t.same(await codes(app, 'ann', '{ notes { secret } }'), ['GRAPHQL_INVALID_DOCUMENT'])
  t.same(await codes(app, 'ann', '{ notes(where: { secret: { eq: "s" } }) { id } }'), ['GRAPHQL_INVALID_DOCUMENT'])
})

t.test('included rows need the rules of their own model', async t => {
  const app = await makeNotes(t)
  t.equal((await codes(app, 'ann', '{ notes { logs { text } } }')).length, 1)
  t.equal((await codes(app, 'ann', '{ notes { logsCount } }')).length, 1)
  t.equal((await codes(app, 'ann', '{ notes(where: { logs: { some: { text: { eq: "l" } } } }) { id } }')).length, 1)
  t.same(await data(app, 'adam', '{ note(id: 1) { logs { text } } }'), { note: { logs: [{ text: 'l' }] } })
})

t.test('the schema has what rules may ever allow somebody', async t => {
  const app = await makeNotes(t)
  const { __schema: { types, queryType, mutationType } } = await data(app, undefined, getIntrospectionQuery())
  const typeNamed = (name: string): Loose => types.find((type: Loose) => type.name === name)
  const fieldsOf = (name: string): string[] => typeNamed(name).fields.map((field: Loose) => field.name)
  const queries = fieldsOf(queryType.name)
  const mutations = fieldsOf(mutationType.name)
  t.notOk(queries.some(name => /closed/i.test(name)))
  t.notOk(types.some(({ name }: Loose) => name === 'Closed'))
  t.same(queries.filter(name => /half|halves/i.test(name)), ['halves', 'halvesConnection'])
  t.notOk(mutations.some(name => /half|halves/i.test(name)))
  t.ok(queries.includes('comments'), 'rules of rows allow somebody something')
  t.ok(mutations.includes('createNote'))
  t.notOk(queries.some(name => /accessToken|acl|roleMapping/i.test(name)))
})

t.test('hooks see what they see over REST', async t => {
  const seen: string[] = []
  const app = await makeNotes(t, {
    prepare: async ({ Note }: Loose) => {
      await Note.create({ text: 'a', userId: 1 })
      Note.beforeRemote('find', async (ctx: Loose) => { seen.push(`before ${JSON.stringify(ctx.args.filter.where)}`) })
      Note.afterRemote('create', async (ctx: Loose) => { seen.push(`after ${ctx.result.text}`) })
      Note.observe('before save', async (ctx: Loose) => { seen.push(`save ${String(ctx.options.accessToken?.userId)}`) })
    }
  })
  await data(app, 'ann', '{ notes(where: { text: { eq: "a" } }) { id } }')
  await data(app, 'ann', 'mutation { createNote(data: { text: "b" }) { id } }')
  t.same(seen, ['before {"text":{"eq":"a"}}', 'save 1', 'after b'])
})
