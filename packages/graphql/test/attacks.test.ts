/** Hostile requests, one row each: what is sent, and what comes back. Nothing is a fault of the server. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { getIntrospectionQuery } from 'graphql'
import type { GraphqlLimits } from '@fastback/graphql'
import { makeApp, row, type App } from './app.js'

type Loose = any

const definitions: Loose[] = [
  {
    name: 'Note',
    hidden: ['secret'],
    properties: { text: 'string', userId: 'number', secret: 'string', about: 'object', size: 'number' },
    relations: { comments: { type: 'hasMany', model: 'Comment' }, user: { type: 'belongsTo', model: 'User' } },
    acls: [
      row('DENY', '$everyone'), row('ALLOW', '$everyone', { accessType: 'READ' }),
      row('ALLOW', '$authenticated', { property: 'create' }), row('ALLOW', '$owner')
    ]
  },
  {
    name: 'Comment',
    properties: { text: 'string', noteId: 'number' },
    relations: { note: { type: 'belongsTo', model: 'Note' } }
  },
  { name: 'Vault', properties: { gold: 'string' }, acls: [row('DENY', '$everyone'), row('ALLOW', 'admin')] }
]

interface Answer { status: number, data: Loose, errors: Loose[], text: string, headers: Loose }

async function makeTarget (t: Loose, more: object = {}): Promise<App> {
  return await makeApp(t, {
    definitions,
    settings: { relatedAccess: 'related', modelDefinitions: 'open' },
    options: { idempotency: true },
    prepare: async ({ Note, Comment, Vault }) => {
      await Note.create([{ text: 'a', userId: 1, secret: 'hush' }, { text: 'b', userId: 2 }])
      await Comment.create([{ text: 'c', noteId: 1 }])
      await Vault.create({ gold: 'much' })
      Note.fail = async () => { throw new Error('password=hunter2 at /srv/app') }
      Note.remoteMethod('fail', { http: { verb: 'get' }, returns: { arg: 'x', type: 'string' }, accessType: 'READ' })
    },
    ...more
  })
}

async function send (app: App, sent: Loose): Promise<Answer> {
  const { who, url = '/graphql', method = 'POST', headers = {}, payload } = sent
  const response = await app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: { ...(who === undefined ? {} : { authorization: app.tokens[who] }), ...headers }
  })
  let body: Loose = {}
  try { body = response.json() } catch {}
  const { data, errors = [] } = body
  return { status: response.statusCode, data, errors, text: response.body, headers: response.headers }
}

const query = (query: string, more: object = {}): Loose => ({ payload: { query, ...more } })
const json = { 'content-type': 'application/json' }
const nested = (depth: number): string => '{ notes { comments { note { '.repeat(depth) + 'id' + ' } } } }'.repeat(depth)
const fields = (count: number, make: (i: number) => string): string => Array.from({ length: count }, (_, i) => make(i)).join(' ')

/** [what, request, status, code of the first error]. */
type Attack = [what: string, sent: Loose, status: number, code?: string]

const limit = 'GRAPHQL_LIMIT_EXCEEDED'
const invalid = 'GRAPHQL_INVALID_DOCUMENT'
const badRequest = 'GRAPHQL_INVALID_REQUEST'
const expensive = 'QUERY_TOO_EXPENSIVE'

const attacks: Attack[] = [
  // Documents
  ['aliases of one call', query(`{ ${fields(11, i => `n${i}: notes { id }`)} }`), 400, limit],
  ['aliases within rows', query(`{ notes { ${fields(31, i => `a${i}: text`)} } }`), 400, limit],
  ['aliases by a fragment that is used often', query(`{ ${fields(5, i => `n${i}: notes { ...f }`)} } fragment f on Note { ${fields(10, i => `a${i}: text`)} }`), 400, limit],
  ['mutations in one request', query(`mutation { ${fields(11, i => `d${i}: deleteNote(id: ${i}) { count }`)} }`), 400, limit],
  ['calls by fragments', query(`{ ...a ...b } fragment a on Query { ${fields(6, i => `a${i}: notes { id }`)} } fragment b on Query { ${fields(6, i => `b${i}: notes { id }`)} }`), 400, limit],
  ['fragments in a circle', query('{ notes { ...a } } fragment a on Note { ...b } fragment b on Note { ...a }'), 400, invalid],
  ['a fragment in itself', query('{ notes { ...a } } fragment a on Note { id ...a }'), 400, invalid],
  ['fragments that double', query(`{ notes { ...f0 } } ${fields(20, i => `fragment f${i} on Note { x${i}: comments { note { ...f${i + 1} } } y${i}: comments { note { ...f${i + 1} } } }`)} fragment f20 on Note { id }`), 400, limit],
  ['depth', query(nested(4)), 400, invalid],
  ['depth by fragments', query('{ notes { ...a } } fragment a on Note { comments { note { comments { note { ...b } } } } } fragment b on Note { comments { note { comments { note { comments { note { id } } } } } } }'), 400, limit],
  ['many fields', query(`{ notes { ${'text '.repeat(501)} } }`), 400, limit],
  ['many tokens', query(`{ notes { ${'text '.repeat(2100)} } }`), 400, invalid],
  ['a long document', query(`{ notes { id } } #${'x'.repeat(20_001)}`), 400, badRequest],
  ['an overlap of many', query(`{ notes { ${'text '.repeat(400)} } notes { ${'id '.repeat(400)} } }`), 400, limit],
  ['many directives', query(`{ notes { text ${'@include(if: true) '.repeat(300)} } }`), 400, invalid],
  ['a document in JSON', query('{"kind":"Document","definitions":[]}'), 400, badRequest],
  ['a list as document', query('[]'), 400, badRequest],
  ['a number as document', query('5'), 400, badRequest],
  ['null as document', query('null'), 400, badRequest],
  ['a text as document', query('"x"'), 400, badRequest],
  ['true as document', query(' true '), 400, badRequest],
  ['an empty document', query(''), 400, badRequest],
  ['blanks', query('   '), 400, badRequest],
  ['no operation', query('fragment a on Note { id }'), 400, invalid],
  ['two operations without a name', query('query a { notes { id } } query b { notes { id } }'), 400, invalid],
  ['an unknown operation', query('query a { notes { id } }', { operationName: 'b' }), 400, invalid],
  ['a type that is defined', query('type Query { a: Int } query { notes { id } }'), 400, invalid],
  ['a subscription that there is not', query('subscription { notes { id } }'), 200, invalid],
  ['an unknown directive', query('{ notes { text @defer } }'), 400, invalid],
  ['deep lists in a document', query(`{ notes(where: { _where: ${'['.repeat(500)}${']'.repeat(500)} }) { id } }`), 200, 'INVALID_PARAMETER_VALUE'],
  // Requests
  ['a list of operations', { payload: [{ query: '{ notes { id } }' }, { query: '{ notes { id } }' }] }, 400, badRequest],
  ['a form', { payload: 'query={notes{id}}', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['plain text', { payload: '{"query":"{ notes { id } }"}', headers: { 'content-type': 'text/plain' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a form with files', { payload: '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{}\r\n--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['application/graphql', { payload: '{ notes { id } }', headers: { 'content-type': 'application/graphql' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['JSON by another name', { payload: '{"query":"{ notes { id } }"}', headers: { 'content-type': 'application/jsonx' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['no type', { payload: Buffer.from('{"query":"{ notes { id } }"}'), headers: { 'content-type': '' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['no body', { headers: json }, 400, 'MALFORMED_JSON'],
  ['a key of repeats for all', { ...query('{ notes { id } }'), headers: { 'idempotency-key': 'k' } }, 400, 'UNSUPPORTED_HEADER'],
  ['a condition for all', { ...query('{ notes { id } }'), headers: { 'if-match': '"1"' } }, 400, 'UNSUPPORTED_HEADER'],
  ['broken JSON', { payload: '{"query":', headers: json }, 400, 'MALFORMED_JSON'],
  ['a prototype', { payload: '{"query":"{ notes { id } }","__proto__":{"a":1}}', headers: json }, 400, 'MALFORMED_JSON'],
  ['a constructor', { payload: '{"query":"{ notes { id } }","variables":{"constructor":{"prototype":{}}}}', headers: json }, 400, 'MALFORMED_JSON'],
  ['deep variables', { payload: `{"query":"{ notes { id } }","variables":{"a":${'['.repeat(100)}${']'.repeat(100)}}}`, headers: json }, 400, 'MALFORMED_JSON'],
  ['a large body', { payload: JSON.stringify({ query: '{ notes { id } }', variables: { a: 'x'.repeat(110_000) } }), headers: json }, 413, 'PAYLOAD_TOO_LARGE'],
  ['variables as text', query('{ notes { id } }', { variables: 'x' }), 400, badRequest],
  ['variables as a list', query('{ notes { id } }', { variables: [1] }), 400, badRequest],
  ['a query that is none', { payload: { query: { a: 1 } } }, 400, badRequest],
  ['a list as query', { payload: { query: ['{ notes { id } }'] } }, 400, badRequest],
  ['members that are not known', query('{ notes { id } }', { extra: 1 }), 400, badRequest],
  ['a mutation by GET', { method: 'GET', url: `/graphql?query=${encodeURIComponent('mutation { deleteNote(id: 1) { count } }')}` }, 405, 'METHOD_NOT_ALLOWED'],
  ['a mutation by GET beside a query', { method: 'GET', url: `/graphql?operationName=b&query=${encodeURIComponent('query a { notes { id } } mutation b { deleteNote(id: 1) { count } }')}` }, 405, 'METHOD_NOT_ALLOWED'],
  ['a mutation by HEAD', { method: 'HEAD', url: `/graphql?query=${encodeURIComponent('mutation { deleteNote(id: 1) { count } }')}` }, 404],
  ['a mutation by PUT', { method: 'PUT', ...query('mutation { deleteNote(id: 1) { count } }') }, 404],
  ['GET without an operation', { method: 'GET', url: `/graphql?operationName=x&query=${encodeURIComponent('{ notes { id } }')}` }, 400, badRequest],
  ['GET with several operations', { method: 'GET', url: `/graphql?query=${encodeURIComponent('query a { notes { id } } query b { notes { id } }')}` }, 400, badRequest],
  ['GET with a document in JSON', { method: 'GET', url: `/graphql?query=${encodeURIComponent('{"kind":"Document","definitions":[]}')}` }, 400, badRequest],
  ['GET with broken variables', { method: 'GET', url: `/graphql?variables={&query=${encodeURIComponent('{ notes { id } }')}` }, 400, badRequest],
  ['GET with a query twice', { method: 'GET', url: '/graphql?query=a&query=b' }, 400, badRequest],
  ['GET without a query', { method: 'GET', url: '/graphql' }, 400, badRequest],
  // Fields and rows that there are not for this caller
  ['a hidden property', query('{ notes { secret } }'), 400, invalid],
  ['a hidden property in a condition', query('{ notes(where: { secret: { eq: "x" } }) { id } }'), 400, invalid],
  ['a hidden property in a raw condition', query('{ notes(where: { _where: { secret: "x" } }) { id } }'), 200, 'HIDDEN_PROPERTY_IN_QUERY'],
  ['a hidden property of a related model', query('{ notes(where: { _where: { "x": 1 } }) { id } }'), 400, invalid],
  ['a hidden property of related rows', query('query($w: JSON) { notes(where: { _where: $w }) { id } }', { variables: { w: { 'user.password': 'x' } } }), 200, 'HIDDEN_PROPERTY_IN_QUERY'],
  ['a password', query('{ notes { user { password } } }'), 400, invalid],
  ['tokens', query('{ accessTokens { id } }'), 400, invalid],
  ['rows of administrators', query('{ vaults { gold } }'), 200, 'AUTHORIZATION_REQUIRED'],
  ['rows of administrators, by a user', { who: 'ann', ...query('{ vaults { gold } }') }, 200, 'AUTHORIZATION_REQUIRED'],
  ['lists of users, which nobody may have', query('{ users { email } }'), 400, invalid],
  ['users by a relation', query('{ notes { user { email } } }'), 200, 'AUTHORIZATION_REQUIRED'],
  ['users in a condition', query('{ notes(where: { user: { email: { like: "a%" } } }) { id } }'), 200, 'AUTHORIZATION_REQUIRED'],
  ['a row of somebody else', { who: 'ben', ...query('mutation { updateNote(id: 1, data: { text: "x" }) { id } }') }, 200, 'AUTHORIZATION_REQUIRED'],
  // Values
  ['an id that is a path', query('query($id: SafeInt!) { note(id: $id) { id } }', { variables: { id: '1/comments' } }), 200, 'MODEL_NOT_FOUND'],
  ['an id that leads up', query('query($id: SafeInt!) { note(id: $id) { id } }', { variables: { id: '../Vaults/1' } }), 200, 'MODEL_NOT_FOUND'],
  ['an id that is two dots', query('query($id: SafeInt!) { note(id: $id) { id } }', { variables: { id: '..' } }), 200, 'NO_SUCH_PATH_VALUE'],
  ['an id that is the name of a path', query('query($id: SafeInt!) { note(id: $id) { id } }', { variables: { id: 'count' } }), 200, 'NO_SUCH_PATH_VALUE'],
  ['an empty id', query('query($id: SafeInt!) { note(id: $id) { id } }', { variables: { id: '' } }), 200, 'MISSING_REQUIRED_PARAMETER'],
  ['an id with a query', query('query($id: SafeInt!) { note(id: $id) { id } }', { variables: { id: '1?filter={"include":"user"}' } }), 200, 'MODEL_NOT_FOUND'],
  ['an id that is an object', query('query($id: SafeInt!) { note(id: $id) { id } }', { variables: { id: { neq: 0 } } }), 200, 'MODEL_NOT_FOUND'],
  ['a line break in a key of repeats', { who: 'ann', ...query('mutation { createNote(data: { text: "x" }, idempotencyKey: "a\\r\\nx: y") { id } }') }, 200, 'INVALID_IDEMPOTENCY_KEY'],
  ['an operator of the database', query('query($w: JSON) { notes(where: { _where: $w }) { id } }', { variables: { w: { $where: '1' } } }), 200, 'OPERATOR_NOT_ALLOWED_IN_QUERY'],
  ['a pattern that takes long', query(`{ notes(where: { text: { regexp: "${'(a+)+'.repeat(60)}$" } }) { id } }`), 200, 'QUERY_LIMIT_EXCEEDED'],
  ['many branches', query('query($w: NoteWhere) { notes(where: $w) { id } }', { variables: { w: { or: Array.from({ length: 501 }, () => ({})) } } }), 200, 'QUERY_LIMIT_EXCEEDED'],
  ['a deep condition', query('query($w: NoteWhere) { notes(where: $w) { id } }', { variables: { w: Array.from({ length: 20 }).reduce<object>(inner => ({ and: [inner] }), {}) } }), 200, 'QUERY_OBJECT_TOO_DEEP'],
  ['back and forth', query('{ notes { comments { note { comments { note { id } } } } } }'), 200, expensive],
  ['a negative limit', query('{ notes(limit: -1) { id } }'), 200, 'BAD_REQUEST'],
  ['a limit that is too large', query('{ notes(limit: 99999999999) { id } }'), 400, invalid],
  ['unknown data', { who: 'ann', ...query('mutation { createNote(data: { isAdmin: true }) { id } }') }, 400, invalid],
  ['a text of a number', { who: 'ann', ...query('mutation { createNote(data: { size: "1" }) { id } }') }, 400, invalid],
  ['deep data', { who: 'ann', ...query('mutation($d: JSON) { createNote(data: { text: "x", about: $d }) { id } }', { variables: { d: JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) } }) }, 200, 'VALIDATION_FAILED'],
  // What errors say
  ['a fault of the server', query('{ noteFail }'), 200, 'INTERNAL_SERVER_ERROR']
]

t.test(`${attacks.length} attacks`, async t => {
  const app = await makeTarget(t)
  for (const [what, sent, status, code] of attacks) {
    const answer = await send(app, sent)
    const found = answer.errors[0]?.extensions?.code
    t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`)
    if (code !== undefined) t.equal(found, code, `${what}: ${answer.text.slice(0, 300)}`)
    if (sent.method !== 'HEAD' && status !== 404 && code !== 'INTERNAL_SERVER_ERROR') {
      t.ok(answer.errors.every(({ extensions }) => extensions.statusCode < 500), `${what} is no fault of the server`)
    }
    t.notMatch(answer.text, /hush|hunter2|stack|node_modules|\.js:/, `${what} shows nothing`)
  }
  t.equal(await app.models.Note.count(), 2, 'nothing was written')
})

t.test('in production the schema is not told, by errors neither', async t => {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  t.teardown(() => { process.env.NODE_ENV = before ?? '' })
  const app = await makeTarget(t)
  for (const document of [getIntrospectionQuery(), '{ __schema { types { name } } }', '{ __type(name: "Note") { name } }', '{ notes { id } ...f } fragment f on Query { __schema { queryType { name } } }']) {
    const { status, errors, data } = await send(app, query(document))
    t.equal(status, 400)
    t.equal(errors[0]?.extensions.code, invalid)
    t.notOk(data)
  }
  t.same((await send(app, query('{ notes { __typename } }'))).data.notes[0], { __typename: 'Note' })
  for (const [document, variables] of [['{ notes { tex } }'], ['{ note { id } }'], ['{ noteses { id } }'], ['query($w: NoteWhere) { notes(where: $w) { id } }', { w: { tex: 1 } }]] as const) {
    t.notMatch((await send(app, query(document, { variables }))).text, /Did you mean/, document)
  }
  const open = await makeTarget(t, { graphql: { introspection: true } })
  t.ok((await send(open, query('{ __schema { queryType { name } } }'))).data)
})

t.test('what a document costs is one budget', async t => {
  const settings = { relatedAccess: 'related', modelDefinitions: 'open', queryLimits: { work: 60_000 } }
  const app = await makeTarget(t, {
    settings,
    prepare: async ({ Note }: Loose) => { await Note.create(Array.from({ length: 100 }, (_, i) => ({ text: `${'a'.repeat(50)}${i}`, userId: 1 }))) }
  })
  const notes = 'notes(where: { text: { regexp: "a+b" } }) { id }'
  t.notOk((await send(app, query(`{ ${notes} }`))).errors.length, 'one is within it')
  const { errors } = await send(app, query(`{ ${fields(10, i => `n${i}: ${notes}`)} }`))
  t.equal(errors[0]?.extensions.code, expensive)
})

t.test('documents by name', async t => {
  const persistedQueries = { texts: '{ notes(order: [id_ASC]) { text } }', drop: 'mutation { deleteNote(id: 1) { count } }' }
  const unknown = 'GRAPHQL_UNKNOWN_DOCUMENT'
  const app = await makeTarget(t, { graphql: { persistedQueries, onlyPersisted: true } })
  const named = { payload: { query: 'texts', persisted: true } }
  t.same((await send(app, named)).data, { notes: [{ text: 'a' }, { text: 'b' }] })
  t.same((await send(app, { method: 'GET', url: '/graphql?query=texts&persisted=true' })).data, { notes: [{ text: 'a' }, { text: 'b' }] })
  t.equal((await send(app, { method: 'GET', url: '/graphql?query=drop&persisted=true' })).status, 405)
  for (const name of ['other', 'constructor', '__proto__', 'toString']) {
    t.equal((await send(app, { payload: { query: name, persisted: true } })).errors[0].extensions.code, unknown, name)
  }
  t.equal((await send(app, query('{ notes { id } }'))).errors[0].extensions.code, unknown)
  await t.rejects(makeTarget(t, { graphql: { onlyPersisted: true } }), { code: 'FBK_GRAPHQL_INVALID_OPTIONS' })
})

t.test('documents by their hashes', async t => {
  const [texts, other] = ['{ notes(order: [id_ASC]) { text } }', '{ notesCount }']
  const hashed = (text: string, more: object = {}): Loose => ({
    payload: {
      extensions: { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') } }, ...more
    }
  })
  const unknown = 'GRAPHQL_UNKNOWN_DOCUMENT'
  const only = await makeTarget(t, { graphql: { persistedQueries: { texts }, onlyPersisted: true } })
  t.same((await send(only, hashed(texts))).data, { notes: [{ text: 'a' }, { text: 'b' }] })
  const { extensions } = hashed(texts).payload
  const url = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`
  t.same((await send(only, { method: 'GET', url })).data, { notes: [{ text: 'a' }, { text: 'b' }] })
  t.same((await send(only, hashed(texts, { query: other }))).data, { notes: [{ text: 'a' }, { text: 'b' }] }, 'the hash says which')
  t.equal((await send(only, hashed(other))).errors[0].extensions.code, unknown)
  t.equal((await send(only, hashed(other, { query: other }))).errors[0].extensions.code, unknown, 'none is learned')
  const all = await makeTarget(t, { graphql: { persistedQueries: { texts } } })
  t.equal((await send(all, hashed(other))).errors[0].extensions.code, unknown)
  t.same((await send(all, hashed(other, { query: other }))).data, { notesCount: 2 })
  t.equal((await send(all, hashed(other))).errors[0].extensions.code, unknown, 'nor here')
})

t.test('lists of operations, where they are on', async t => {
  const app = await makeTarget(t, { graphql: { batch: true } })
  const list = (count: number): Loose => ({ payload: Array.from({ length: count }, () => ({ query: '{ notesCount }' })) })
  t.match(JSON.parse((await send(app, list(2))).text), [{ data: { notesCount: 2 } }, { data: { notesCount: 2 } }])
  t.equal((await send(app, list(11))).status, 400)
})

t.test('each limit is a setting', async t => {
  const notes = (fields: string): Loose => query(`{ notes { ${fields} } }`)
  /** For each limit a setting, a request that is within it, and one that is not. */
  const table: Record<Exclude<keyof GraphqlLimits, 'subscriptions'>, [limit: number, within: Loose, beyond: Loose]> = {
    length: [20, notes('id'), notes('id text size')],
    tokens: [8, notes('id'), notes('id text size userId')],
    depth: [2, notes('id'), notes('comments { id }')],
    fields: [3, notes('id text'), notes('id text size')],
    aliases: [1, notes('a: id'), notes('a: id b: id')],
    calls: [1, notes('id'), query('{ notes { id } notesCount }')],
    body: [40, notes('id'), notes(`id${' '.repeat(40)}`)],
    json: [2, query('{ notes { id } }', { variables: {} }), query('{ notes { id } }', { variables: { a: { b: 1 } } })]
  }
  for (const [name, [limit, within, beyond]] of Object.entries(table)) {
    const app = await makeTarget(t, { graphql: { limits: { [name]: limit } } })
    t.equal((await send(app, within)).status, 200, `${name}: within`)
    t.match(String((await send(app, beyond)).status), /^4(?:00|13)$/, `${name}: beyond`)
    await app.close()
  }
})
