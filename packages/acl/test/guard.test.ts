import t from 'tap'
import { explainAccess } from '@fastback/acl'
import { call, makeApp, row } from './app.js'

const note = {
  name: 'Note',
  properties: { text: 'string', userId: 'number' },
  acls: [row('DENY', '$everyone'), row('ALLOW', '$owner'), row('ALLOW', '$authenticated', { property: 'create' })]
}
const notes = async ({ Note }: Record<string, any>) => {
  await Note.create([
    { text: 'of ann', userId: 1 },
    { text: 'of ben', userId: 2 }
  ])
}

t.test('the owner is told by the address, never by the query', async t => {
  const app = await makeApp(t, { definitions: [note], prepare: notes })
  t.equal((await call(app, 'ann', 'GET', '/Notes/1')).status, 200)
  t.equal((await call(app, 'ann', 'GET', '/Notes/2')).status, 401)
  // behaviour.md, B-15.1
  t.equal((await call(app, 'ann', 'GET', '/Notes?id=1')).status, 401)
  t.equal((await call(app, 'ann', 'GET', '/Notes/count?id=1')).status, 401)
  t.equal((await call(app, 'ann', 'POST', '/Notes/update?id=1&where={}', { text: 'x' })).status, 401)
  t.equal((await call(app, 'ann', 'POST', '/Notes/update?where={}', { id: 1, text: 'x' })).status, 401)
  t.equal((await call(app, 'ann', 'POST', '/Notes/upsertWithWhere?where={"id":2}', { id: 1, text: 'x' })).status, 401)
  t.equal((await call(app, 'ann', 'PATCH', '/Notes/2?id=1', { id: 1, text: 'x' })).status, 401)
  t.equal(
    (await call(app, 'ann', 'PATCH', '/Notes', { id: 1, text: 'mine' })).status,
    200,
    'a write of that very record'
  )
  for (const id of [2, [1], { neq: 5 }, '2', null]) {
    t.equal((await call(app, 'ann', 'PATCH', '/Notes', { id, text: 'x' })).status, 401, JSON.stringify(id))
  }
  t.same((await app.models.Note.find()).map((each: any) => each.text), ['mine', 'of ben'])
})

t.test('a static method of the application\'s own tells the owner by its argument', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    prepare: async models => {
      await notes(models)
      const { Note } = models
      const declare = (name: string, verb: string, http?: object, type = 'number'): void => {
        Note[name] = async (id: unknown) => ({ id })
        Note.remoteMethod(name, {
          accepts: { arg: 'id', type, ...(http === undefined ? {} : { http }) },
          returns: { arg: 'data', type: 'object', root: true },
          http: { verb, path: `/${name}` }
        })
      }
      declare('anywhere', 'post')
      declare('asked', 'get')
      declare('query', 'post', { source: 'query' })
      declare('form', 'post', { source: 'form' })
      declare('header', 'get', { source: 'header' })
      declare('context', 'get', (ctx: any) => ctx.req.query.id)
      declare('any', 'get', undefined, 'any')
      Note.remoteMethod('unasked', { accepts: [{ arg: 'data', type: 'object', http: { source: 'body' } }], http: { verb: 'post' } })
      Note.unasked = async () => {}
    }
  })
  const table: Array<[verb: string, path: string, body: object | undefined, status: number]> = [
    ['POST', '/anywhere', { id: 1 }, 200],
    ['POST', '/anywhere', { id: 2 }, 401],
    ['POST', '/anywhere', { id: [1] }, 401],
    ['POST', '/anywhere?id=1', {}, 200],
    ['POST', '/anywhere?id=1', { id: 2 }, 401],
    ['POST', '/anywhere?id=2', { id: 1 }, 200],
    ['GET', '/asked?id=1', undefined, 200],
    ['GET', '/asked?id=2', undefined, 401],
    ['GET', '/asked?id=1&id=2', undefined, 401],
    ['GET', '/asked?id=1&id[]=2', undefined, 401],
    ['GET', '/asked?id[0]=1', undefined, 401],
    ['GET', '/any?id={"neq":0}', undefined, 401],
    ['POST', '/query?id=1', { id: 2 }, 200],
    ['POST', '/query?id=2', { id: 1 }, 401],
    ['POST', '/form?id=1', { id: 2 }, 401],
    ['GET', '/header?id=1', undefined, 401],
    ['GET', '/context?id=1', undefined, 401],
    ['POST', '/unasked?id=1', { id: 1 }, 401]
  ]
  for (const [verb, path, body, status] of table) {
    const answer = await call(app, 'ann', verb, `/Notes${path}`, body)
    t.equal(answer.status, status, `${verb} ${path} ${JSON.stringify(body)}`)
    if (status === 200) t.equal(answer.body.id, 1, 'the row that was judged is the one that the method gets')
  }
})

t.test('what may not be seen and what is not there answer alike', async t => {
  const app = await makeApp(t, { definitions: [note], prepare: notes })
  const verbs: Array<[string, string]> = [
    ['GET', ''],
    ['HEAD', ''],
    ['GET', '/exists'],
    ['DELETE', ''],
    ['PATCH', ''],
    ['PUT', '']
  ]
  for (const [verb, rest] of verbs) {
    for (const who of [undefined, 'ann']) {
      const body = verb === 'PATCH' || verb === 'PUT' ? {} : undefined
      const { date: _1, ...there } = (await call(app, who, verb, `/Notes/2${rest}`, body)).headers
      const { date: _2, ...missing } = (await call(app, who, verb, `/Notes/99${rest}`, body)).headers
      t.same(there, missing)
      t.same(
        (await call(app, who, verb, `/Notes/2${rest}`, body)).body,
        (await call(app, who, verb, `/Notes/99${rest}`, body)).body
      )
    }
  }
  for (const id of ['{"neq":0}', '[1,2]', '%25', '1%00', '01', '1e0', ' 1']) {
    t.ok([401, 200].includes((await call(app, 'ben', 'GET', `/Notes/${encodeURIComponent(id)}`)).status))
  }
  t.equal((await call(app, 'ben', 'GET', `/Notes/${encodeURIComponent('{"neq":0}')}`)).status, 401)
})

t.test('rules hold for every spelling of a path', async t => {
  const app = await makeApp(t, { definitions: [note], prepare: notes })
  for (const path of [
    '/Notes/1/',
    '/notes/1',
    '/NOTES/1',
    '//Notes/1',
    '/Notes//1',
    '/Notes/%31',
    '/Notes/1;x=1',
    '/Notes/1%2f',
    '/./Notes/1',
    '/Notes/1?filter={}',
    '/Notes/1.json'
  ]) {
    t.ok([401, 404].includes((await app.inject({ method: 'GET', url: `/api${path}` })).statusCode), path)
    t.notMatch((await app.inject({ method: 'GET', url: `/api${path}` })).payload, 'of ann')
  }
  t.equal(
    (await app.inject({ method: 'POST', url: '/api/Notes/1', headers: { 'x-http-method-override': 'GET' } }))
      .statusCode,
    404
  )
})

t.test('stored rows, roles and mappings hold with the next request', async t => {
  const app = await makeApp(t, { definitions: [{ name: 'Poster', properties: { text: 'string' } }] })
  const { ACL, Role, RoleMapping } = app.models
  const status = async (who?: string) => (await call(app, who, 'GET', '/Posters')).status
  t.equal(await status(), 200)
  const rule = await ACL.create({
    model: 'Poster',
    accessType: 'READ',
    principalType: 'ROLE',
    principalId: '$everyone',
    permission: 'DENY'
  })
  t.equal(await status(), 401)
  t.equal(await status('ann'), 401)
  await ACL.create({
    model: '*',
    accessType: 'READ',
    principalType: 'ROLE',
    principalId: 'reader',
    permission: 'ALLOW'
  })
  const reader = await Role.create({ name: 'reader' })
  const mapping = await reader.principals.create({ principalType: 'USER', principalId: 1 })
  t.equal(await status('ann'), 200)
  t.equal(await status('ben'), 401)
  await mapping.destroy()
  t.equal(await status('ann'), 401)
  // Roles that hold roles, in a circle.
  const team = await Role.create({ name: 'team' })
  await RoleMapping.create([
    { roleId: reader.id, principalType: 'ROLE', principalId: 'team' },
    { roleId: team.id, principalType: 'ROLE', principalId: 'reader' },
    { roleId: team.id, principalType: 'USER', principalId: 2 }
  ])
  t.equal(await status('ben'), 200)
  t.equal(await status('ann'), 401)
  await Role.destroyById(team.id)
  t.equal(await status('ben'), 401)
  await rule.patchAttributes({ permission: 'ALLOW' })
  t.equal(await status(), 200)
  await ACL.destroyAll()
  t.equal(await status('ben'), 200)
  t.equal((await call(app, 'ann', 'GET', '/ACLs')).status, 404, 'not published')
})

t.test('a token with scopes opens only methods of these scopes', async t => {
  const app = await makeApp(t, { definitions: [{ name: 'Poster', properties: { text: 'string' } }] })
  const { AccessToken } = app.models
  const scoped = async (scopes: string[]) => (await AccessToken.create({ userId: 1, ttl: 100, scopes })).id
  t.equal(
    (await call(app, await scoped(['reset-password']), 'GET', '/Posters')).status,
    401,
    'also where everybody else may'
  )
  t.equal((await call(app, await scoped([]), 'GET', '/Posters')).status, 401)
  t.equal((await call(app, await scoped(['DEFAULT']), 'GET', '/Posters')).status, 200)
})

t.test('include is refused where the relation is, at every level', async t => {
  const definitions = [
    {
      name: 'Author',
      properties: { name: 'string', userId: 'number' },
      relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } },
      acls: [
        row('DENY', '$everyone', { property: '__get__books' }),
        row('ALLOW', '$owner', { property: '__get__books' }),
        row('ALLOW', 'admin', { property: '__get__books' })
      ]
    },
    {
      name: 'Book',
      properties: { title: 'string' },
      relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } }
    }
  ]
  const app = await makeApp(t, {
    definitions,
    async prepare ({ Author, Book }) {
      await Author.create([{ name: 'a', userId: 1 }, { name: 'b', userId: 2 }])
      await Book.create([{ title: 'one', authorId: 1 }, { title: 'two', authorId: 2 }])
    }
  })
  const include = async (who: string | undefined, url: string, filter: object) =>
    await call(app, who, 'GET', `${url}?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  t.equal((await include(undefined, '/Authors', {})).status, 200)
  for (const who of [undefined, 'ben']) {
    for (const filter of [
      { include: 'books' },
      { include: ['books'] },
      { include: { relation: 'books', scope: { limit: 1 } } }
    ]) {
      t.equal((await include(who, '/Authors', filter)).status, 401, JSON.stringify(filter))
      t.equal((await include(who, '/Authors/1', filter)).status, 401)
    }
    t.equal((await include(who, '/Books', { include: { author: 'books' } })).status, 401)
    t.equal(
      (await include(who, '/Books/1', { include: { relation: 'author', scope: { include: 'books' } } })).status,
      401
    )
    t.equal((await include(who, '/Authors/1/books', {})).status, 401)
  }
  t.equal(
    (await include(undefined, '/Authors', { include: 'books', where: { id: 99 } })).status,
    401,
    'whether or not there are rows'
  )
  t.equal((await include('ann', '/Authors/1', { include: 'books' })).body.books.length, 1, 'as the owner')
  t.equal((await include('ann', '/Authors', { include: 'books' })).status, 401, 'but not of all')
  t.equal((await include('adam', '/Books', { include: { author: 'books' } })).status, 200)
})

t.test('includeAccess: the rules of the related model count for each row', async t => {
  const definitions = [
    {
      name: 'Shop',
      properties: { name: 'string' },
      relations: {
        notes: { type: 'hasMany', model: 'Note', foreignKey: 'shopId' },
        secrets: { type: 'hasMany', model: 'Secret', foreignKey: 'shopId' }
      }
    },
    { ...note, relations: { shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopId' } } },
    { name: 'Secret', properties: { text: 'string' }, acls: [row('DENY', '$everyone'), row('ALLOW', 'admin')] }
  ]
  const prepare = async ({ Shop, Note, Secret }: Record<string, any>) => {
    await Shop.create({ name: 's' })
    await Note.create([{ text: 'of ann', userId: 1, shopId: 1 }, { text: 'of ben', userId: 2, shopId: 1 }])
    await Secret.create({ text: 'hush', shopId: 1 })
  }
  const warnings: any[] = []
  const log = {
    warn: (details: unknown, message: string) => warnings.push([details, message]),
    info () {},
    debug () {}
  }
  const get = async (app: any, who: string | undefined, filter: object) =>
    await call(app, who, 'GET', `/Shops?filter=${encodeURIComponent(JSON.stringify(filter))}`)

  const parent = await makeApp(t, { definitions, prepare, log })
  t.equal((await get(parent, undefined, { include: ['notes', 'secrets'] })).body[0].secrets.length, 1, 'as in LoopBack')
  t.match(warnings.find(([, message]) => String(message).includes('includeAccess'))[0], {
    relations: ['Shop.notes', 'Shop.secrets']
  })

  warnings.length = 0
  const related = await makeApp(t, { definitions, prepare, log, settings: { includeAccess: 'related' } })
  t.notMatch(JSON.stringify(warnings), 'includeAccess')
  t.equal((await get(related, undefined, { include: 'secrets' })).status, 401)
  t.equal((await get(related, 'ann', { include: 'secrets' })).status, 401)
  t.same((await get(related, 'adam', { include: 'secrets' })).body[0].secrets.map((each: any) => each.text), ['hush'])
  t.same((await get(related, 'ann', { include: 'notes' })).body[0].notes.map((each: any) => each.text), ['of ann'])
  t.same(
    (
      await get(related, 'ann', { include: { relation: 'notes', scope: { fields: ['id', 'text'] } } })
    ).body[0].notes.map((each: any) => each.text),
    ['of ann'],
    'also where the owner is not among the fields'
  )
  t.same(
    (await get(related, 'ann', { include: { relation: 'notes', scope: { fields: ['text'] } } })).body[0].notes,
    [],
    'rows that cannot be told apart are left out'
  )
  t.equal((await get(related, undefined, { include: 'notes' })).status, 401, 'nobody owns nothing')
})

t.test('role resolvers', async t => {
  const app = await makeApp(t, {
    definitions: [
      {
        name: 'Poster',
        properties: { text: 'string' },
        acls: [
          row('DENY', '$everyone'),
          row('ALLOW', 'even'),
          row('ALLOW', 'broken', { property: 'count' }),
          row('ALLOW', 'late', { property: 'findOne' })
        ]
      }
    ],
    async prepare ({ Role, Poster }) {
      await Poster.create([{ text: 'a' }, { text: 'b' }])
      Role.registerResolver('even', (_role: string, context: any, next: any) => {
        process.nextTick(next, null, context.getUserId() !== undefined && Number(context.modelId) % 2 === 0)
      })
      Role.registerResolver('broken', () => {
        throw new Error('oh')
      })
      Role.registerResolver('late', async (_role: string, context: any) => context.accessToken.userId === 1)
    }
  })
  t.equal((await call(app, 'ann', 'GET', '/Posters/2')).status, 200)
  t.equal((await call(app, 'ann', 'GET', '/Posters/1')).status, 401)
  t.equal((await call(app, undefined, 'GET', '/Posters/2')).status, 401)
  t.equal((await call(app, 'ann', 'GET', '/Posters/count')).status, 500, 'a resolver that fails lets nobody in')
  t.equal((await call(app, 'ann', 'GET', '/Posters/findOne')).status, 200)
  t.equal((await call(app, 'ben', 'GET', '/Posters/findOne')).status, 401)
})

t.test('explains its decisions, and tells of refusals', async t => {
  const app = await makeApp(t, { definitions: [note], prepare: notes })
  const { registry } = app
  t.match(await explainAccess(registry, { model: 'Note', method: 'findById', id: 1, userId: 1 }), {
    allowed: true,
    permission: 'ALLOW',
    method: 'Note.findById',
    accessType: 'READ',
    reason: 'ALLOW for ROLE $owner'
  })
  const denied = await explainAccess(registry, { model: 'Note', method: 'updateAttributes', id: 1, userId: 2 })
  t.match(denied, { allowed: false, method: 'Note.prototype.patchAttributes', reason: 'DENY for ROLE $everyone' })
  t.same(denied.considered.map(({ fits, source }) => [fits, source]), [[false, 'definition'], [true, 'definition']])
  t.match(await explainAccess(registry, { model: 'Note', method: 'create' }), { allowed: false })
  await t.rejects(explainAccess(registry, { model: 'Note', method: 'creat' }), {
    code: 'FBK_ACL_UNKNOWN_METHOD',
    message: /create/
  })
  t.equal(
    await app.models.ACL.checkAccessForToken(
      await app.models.AccessToken.findById(app.tokens.ann),
      'Note',
      1,
      'findById'
    ),
    true
  )
  const audit: any[] = []
  registry.on('audit', event => audit.push(event))
  await call(app, 'ben', 'GET', '/Notes/1')
  t.match(audit, [
    { event: 'access denied', model: 'Note', method: 'findById', userId: 2, rule: { principalId: '$everyone' } }
  ])
})

t.test('start-up warns of what opens too much', async t => {
  const warnings: any[] = []
  const log = {
    warn: (details: unknown, message: string) => warnings.push(`${JSON.stringify(details)} ${message}`),
    info () {},
    debug () {}
  }
  const app = await makeApp(t, {
    log,
    settings: { modelDefinitions: 'open' },
    definitions: [
      { name: 'Tool', acls: [row('DENY', '$everyone'), row('ALLOW', '$everyone', { accessType: 'EXECUTE' })] },
      {
        name: 'Gadget',
        acls: [
          row('DENY', '$everyon'), row('ALLOW', '$mine'), row('ALLOW', 'anybody'),
          row('DENY', '$everyone', { property: ['craete', 'updateAttributes', 'toString'] }),
          { principalType: 'ROLE', permission: 'DENY', property: 'find' }
        ]
      },
      { name: 'Widget', base: 'Gadget' }
    ],
    prepare: ({ Role }) => {
      Role.registerResolver('$mine', () => true)
      Role.state.isPublic = true
    }
  })
  t.match(warnings.find(text => text.includes('executeAllowsAll')), '"Tool"')
  t.match(warnings.find(text => text.includes('without any access rule')), '"Role"')
  t.strictSame(warnings.flatMap(text => /A rule of .*/.exec(text) ?? []), [
    'A rule of "Gadget" is for the role "$everyon", which nobody can be in. Did you mean "$everyone"?',
    'A rule of "Gadget" is for the method "craete", which there is not. Did you mean "create"?',
    'A rule of "Gadget" has no "principalId", so that it is for nobody: "$everyone" is all.'
  ])
  t.equal((await call(app, 'ann', 'GET', '/Tools')).status, 401)
  const old = await makeApp(t, {
    settings: { executeAllowsAll: true },
    definitions: [
      { name: 'Tool', acls: [row('DENY', '$everyone'), row('ALLOW', '$everyone', { accessType: 'EXECUTE' })] }
    ]
  })
  t.equal((await call(old, 'ann', 'GET', '/Tools')).status, 200)
})
