/** `fastback acl`: rows and fields of a decision, the matrix of all rights, what rules on trial would change. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import { accessMatrix } from '../src/entries/developing.js'
import { describeApi, explainAccess } from '../src/index.js'
import { run, type Run } from './terminal.js'

const rule = (permission: string, principalId: string, more: object = {}) =>
  ({ principalType: 'ROLE', principalId, permission, ...more })

const note = {
  name: 'Note',
  strict: true,
  properties: { text: 'string', salary: 'number', ownerId: 'number', isPublic: 'boolean' },
  relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
  acls: [
    rule('DENY', '$everyone'),
    rule('ALLOW', '$everyone', { property: 'count', rows: { isPublic: true } }),
    rule('ALLOW', '$authenticated', { accessType: 'READ', rows: { ownerId: '$user.id' }, fields: { read: ['*', '-salary'] } }),
    rule('ALLOW', 'editor', { accessType: 'READ' }),
    rule('ALLOW', 'reader', { accessType: 'READ', rows: { isPublic: true } }),
    rule('DENY', 'reader', { accessType: 'READ', rows: { text: 'no' } }),
    rule('ALLOW', '$owner', { property: 'patchAttributes', fields: { write: ['text'] } }),
    rule('ALLOW', '$authenticated', { property: 'create', rows: 'own', preset: { ownerId: '$user.id' }, fields: { write: ['text'] } })
  ]
}

const folder = {
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': '{}',
    'datasources.json': JSON.stringify({ db: { connector: 'sql', url: 'sqlite:notes.db', migrate: 'none' } }),
    'model-config.json': JSON.stringify({
      _meta: { sources: ['./models'] },
      ...Object.fromEntries(['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])),
      Note: { dataSource: 'db', public: true }
    }),
    models: { 'note.json': JSON.stringify(note) },
    boot: { 'auth.js': 'export default app => { app.enableAuth() }' }
  },
  seeds: {
    'all.mjs': `export default async ({ models: { User, Role, RoleMapping, Note }, optionsOf }) => {
      const [ann, ben] = await User.create(['ann', 'ben'].map(name => ({ email: name + '@x.test', password: 'secret-' + name })), optionsOf(User))
      const role = await Role.create({ name: 'reader' }, optionsOf(Role))
      await RoleMapping.create({ principalType: 'USER', principalId: ann.id, roleId: role.id }, optionsOf(RoleMapping))
      await Note.create({ text: 'of ben', ownerId: ben.id }, optionsOf(Note))
    }`
  }
}

async function prepare (t: Test): Promise<{ cwd: string, acl: (...args: string[]) => Promise<Run> }> {
  const cwd = t.testdir(folder)
  t.equal((await run(cwd, ['migrate'])).code, 0)
  t.equal((await run(cwd, ['seed'])).code, 0)
  return { cwd, acl: async (...args) => await run(cwd, ['acl', ...args]) }
}

t.test('explain: rules, the condition with its values, properties, the statement of a list', async t => {
  const { cwd, acl } = await prepare(t)
  const { code, out, err } = await acl('explain', 'Note', 'find', '--user', '2')
  t.same([code, err], [0, ''])
  t.match(out, /^allowed {2}Note\.find \(READ\)\n/)
  t.match(out, '  decides       ALLOW ROLE $authenticated, READ of *, rows {"ownerId":"$user.id"}  (definition)\n')
  t.match(out, '\nrows: {"ownerId":2}\nreadable: *, -salary\n')
  t.match(out, /\n1\. Note in db \(.* ms\)\n {3}SELECT .* WHERE "ownerId" = .*\n {3}values: 2, 10\n/)
  t.notMatch(/SELECT (.*) FROM/.exec(out)?.[1], 'salary')

  t.match((await acl('explain', 'Note', 'find')).out, /^refused/)
  t.notMatch((await acl('explain', 'Note', 'find')).out, /rows: |SELECT/, 'a call that is refused has no rows')
  t.match((await acl('explain', 'Note', 'count')).out, /^allowed .*\n[^]*\nrows: \{"isPublic":true\}\nreadable: id$/,
    'no list; who may not read a row reads nothing of it')

  const reader = await explainAccess(cwd, { model: 'Note', method: 'find', userId: '1' })
  t.strictSame(reader.considered.map(({ rule, effect }) => [rule.principalId, effect]),
    [['reader', 'takes rows'], ['editor', undefined], ['reader', 'decides']])
  t.strictSame(reader.rows?.where, { and: [{ isPublic: true }, { nor: [{ text: 'no' }] }] })
  t.match(reader.list, { statements: [{ model: 'Note', statement: /isPublic/ }] })

  const made = JSON.parse((await acl('explain', 'Note', 'create', '--user', '2', '--json')).out)
  t.match(made.rows, { action: 'create', check: { ownerId: 2 }, preset: { ownerId: 2 }, write: ['text', 'id'] })
  t.notOk(made.rows.where)
  t.match((await acl('explain', 'Note', 'create', '--user', '2')).out, /\ncheck: \{"ownerId":2\}\npreset: \{"ownerId":2\}\n.*\nwritable: text, id$/)
  t.match((await acl('explain', 'Note', 'patchAttributes', '--user', '2', '--id', '1')).out, /^allowed[^]*\nrows: all\n.*\nwritable: text, id$/)
  t.match((await acl('explain', 'Note', 'find', '--user', '99')).out, /\nstatement: none, /, 'there is no such user')
})

t.test('matrix: a table, Markdown and JSON, the same each time', async t => {
  const { cwd, acl } = await prepare(t)
  const { code, out } = await acl('matrix')
  t.equal(code, 0)
  const lines = out.split('\n').map(line => line.split(/ {2,}/))
  t.strictSame(lines[0], ['model', 'method', 'type', 'who', 'rows', 'read', 'write'])
  const of = (method: string) => lines.filter(line => line[1] === method).map(line => line.slice(3))
  t.strictSame(of('find'), [
    ['$authenticated', '{"ownerId":"$user.id"}', '*, -salary'],
    ['editor', 'all', '*'],
    ['reader', '{"and":[{"isPublic":true},{"nor":[{"text":"no"}]}]}', '*']
  ])
  t.strictSame(of('count').map(([who, rows]) => [who, rows])[0], ['$unauthenticated', '{"isPublic":true}'])
  t.strictSame(of('create'), [['$authenticated', 'own', '*, -salary', 'text, id; preset {"ownerId":"$user.id"}']])
  t.strictSame(of('prototype.patchAttributes'), [['$owner', 'all', '*, -salary', 'text, id']])
  t.strictSame(of('deleteById'), [['nobody']])
  const names = lines.slice(1).map(line => line[1])
  t.strictSame(names, [...names].sort(), 'by method')

  const markdown = (await acl('matrix', cwd, '--format', 'markdown')).out
  t.match(markdown, '| model | method | type | who | rows | read | write |\n|---|---|---|---|---|---|---|\n')
  t.match(markdown, '| Note | find | READ | editor | all | \\* |  |')
  const json = JSON.parse((await acl('matrix', '--json')).out)
  t.strictSame(json, JSON.parse(JSON.stringify(await accessMatrix(cwd))))
  t.match(json, { enforced: true, lines: [{ model: 'Note', method: 'count', role: '$unauthenticated', read: ['id'] }] })
  t.equal((await acl('matrix')).out, out)
  t.match(await acl('matrix', '--format', 'xml'), { code: 2, err: /There are: table, markdown, json/ })
})

t.test('the description of the API says which rows and properties rules leave', async t => {
  const cwd = t.testdir(folder)
  const { paths } = await describeApi(cwd, {})
  const of = (path: string, verb: string): string | undefined => paths[path]?.[verb]?.['x-row-rules']
  t.equal(of('/Notes', 'get'), 'some rows, some properties, depending on the caller')
  t.equal(of('/Notes', 'post'), 'own rows, some properties')
  t.equal(of('/Notes/{id}', 'patch'), 'some properties')
  t.equal(of('/Notes/{id}', 'delete'), undefined, 'nobody may')
  const own = { ...note, acls: [rule('DENY', '$everyone'), rule('ALLOW', '$authenticated', { rows: { ownerId: '$user.id' } })] }
  const server = { ...folder.server, models: { 'note.json': JSON.stringify(own) } }
  const other = await describeApi(t.testdir({ ...folder, server }), {})
  t.equal(other.paths['/Notes/count']?.get?.['x-row-rules'], 'own rows')
  t.notMatch(JSON.stringify(other), '$user')
})

t.test('shadow: what rules on trial would change, of a log or of metrics', async t => {
  const line = (would: string, rule: unknown, method = 'find') =>
    JSON.stringify({ level: 30, event: 'acl.shadow', model: 'Note', method, would, rule, reqId: 'req-1', msg: 'acl.shadow' })
  const cwd = t.testdir({
    log: ['{"level":30,"msg":"x"}', line('allow', 'default'), line('refuse', note.acls[0]), 'acl.shadow { no JSON', line('refuse', note.acls[0])].join('\n'),
    empty: ''
  })
  const { code, out } = await run(cwd, ['acl', 'shadow', 'log'])
  t.equal(code, 0)
  t.equal(out, [
    '     2  refuse  Note.find  by DENY ROLE $everyone, * of *',
    '     1  allow   Note.find  by the default permission'
  ].join('\n'))
  t.match(JSON.parse((await run(cwd, ['acl', 'shadow', path.join(cwd, 'log'), '--json'])).out), { counts: { allow: 1, refuse: 2 } })
  t.match((await run(cwd, ['acl', 'shadow', 'empty'])).out, /changed nothing that was recorded/)
  t.match(await run(cwd, ['acl', 'shadow', 'missing']), { code: 1, err: /^error FBK_CLI_NO_TRIED_RULES: .*ENOENT/ })
  t.match(await run(cwd, ['acl', 'shadow']), { code: 2 })

  const bodies: Record<string, string> = {
    '/metrics': '# TYPE fastback_tried_rules_total counter\nfastback_tried_rules_total{effect="refuse"} 3\nfastback_tried_rules_total{effect="hide"} 0\n',
    '/other': 'up 1\n'
  }
  const server = createServer(({ url = '' }, response) => {
    response.statusCode = bodies[url] === undefined ? 404 : 200
    response.end(bodies[url])
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.close() })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.equal((await run(cwd, ['acl', 'shadow', `${origin}/metrics`])).out, 'refuse  3\nhide    0')
  t.match(await run(cwd, ['acl', 'shadow', `${origin}/other`]), { code: 1, err: /it has no metric/ })
  t.match(await run(cwd, ['acl', 'shadow', `${origin}/nowhere`]), { code: 1, err: /status 404/ })
})
