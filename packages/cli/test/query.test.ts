/** `fastback query`: rows by a filter, as the application or as a user, and how the database finds them. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { queryModel } from '../src/entries/developing.js'
import { run, type Run } from './terminal.js'

const rule = (permission: string, principalId: string) => ({ principalType: 'ROLE', principalId, permission })

const note = {
  name: 'Note',
  strict: true,
  properties: { city: 'string', stars: 'number', secret: 'string', ownerId: 'number' },
  hidden: ['secret'],
  relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
  acls: [rule('DENY', '$everyone'), rule('ALLOW', 'reader')]
}

const folder = {
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': '{}',
    'datasources.json': JSON.stringify({ db: { connector: 'sql', url: 'sqlite:notes.db', migrate: 'none' } }),
    'model-config.json': JSON.stringify({
      _meta: { sources: ['./models'] },
      User: { dataSource: 'db', public: true },
      ...Object.fromEntries(['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])),
      Note: { dataSource: 'db', public: true },
      Draft: { dataSource: 'db', public: false }
    }),
    models: { 'note.json': JSON.stringify(note), 'draft.json': JSON.stringify({ name: 'Draft', properties: { text: 'string' } }) },
    // What a boot script makes is in memory, and no row of a list.
    boot: { 'auth.js': 'export default async app => { app.enableAuth(); await app.models.Note.create({ city: "boot" }) }' }
  },
  seeds: {
    'all.mjs': `export default async ({ models: { User, Role, RoleMapping, Note }, optionsOf }) => {
      const [ann, ben] = await User.create(['ann', 'ben'].map(name => ({ email: name + '@x.test', password: 'secret-' + name })), optionsOf(User))
      const role = await Role.create({ name: 'reader' }, optionsOf(Role))
      await RoleMapping.create({ principalType: 'USER', principalId: ann.id, roleId: role.id }, optionsOf(RoleMapping))
      await Note.create(['Rome', 'Oslo', 'Rome'].map((city, i) => ({ city, stars: i, secret: 's', ownerId: ben.id })), optionsOf(Note))
    }`
  }
}

type Asking = (...args: string[]) => Promise<Run>

async function prepare (t: Test): Promise<{ cwd: string, query: Asking }> {
  const cwd = t.testdir(folder)
  t.equal((await run(cwd, ['migrate'])).code, 0)
  t.equal((await run(cwd, ['seed'])).code, 0)
  return { cwd, query: async (...args) => await run(cwd, ['query', ...args]) }
}

const rome = '{"where":{"city":"Rome"},"order":"stars DESC"}'

t.test('rows as JSON lines, without hidden properties', async t => {
  const { cwd, query } = await prepare(t)
  const { code, out, err } = await query('Note', rome)
  t.same([code, err], [0, ''])
  t.same(out.split('\n').map(line => JSON.parse(line) as object), [
    { city: 'Rome', stars: 2, ownerId: 2, id: 3 }, { city: 'Rome', stars: 0, ownerId: 2, id: 1 }
  ])
  t.equal((await query('Note')).out.split('\n').length, 3, 'all')
  t.same(JSON.parse((await query('Note', '{"limit":1,"fields":["id"]}', '--json')).out), [{ id: 1 }])
  t.same(await query('Note', '{"where":{"city":"nowhere"}}'), { code: 0, out: '', err: '' })
  t.equal((await run(path.dirname(cwd), ['query', 'Note', '{}', '--dir', cwd])).out.split('\n').length, 3)
  t.match(await queryModel(cwd, 'Note', { limit: 1 }), { rows: [{ city: 'Rome' }], report: undefined })

  t.match(await query('Note', '{"where":{"city":{"nix":1}}}'), { code: 1, out: '', err: /unknown operator "nix"/ })
  t.match(await query('Nite'), { code: 1, err: /^error FBK_CORE_UNKNOWN_MODEL: / })
  t.match(await query('Note', '{where'), { code: 2, err: /^error FBK_CLI_USAGE: The filter is no JSON/ })
  t.match(await query(), { code: 2 })
})

t.test('--explain: statements, plan, and the index that is missing until it is there', async t => {
  const { cwd, query } = await prepare(t)
  const { code, out } = await query('Note', rome, '--explain')
  t.equal(code, 0)
  t.match(out, /^2 rows returned in [\d.]+ ms, by 1 statement\n\n1\. Note in db \([\d.]+ ms\)\n {3}SELECT .*"city" = .*\?/)
  t.match(out, '\n   values: "Rome"\n   plan:\n     SCAN Note\n')
  t.match(out, '\n   rows read: not known\n')
  const line = /^Missing index of Note over city, stars: .*\n {2}("indexes": .*)$/m.exec(out)?.[1]
  t.equal(line, '"indexes": { "city_1_stars_-1": { "keys": { "city": 1, "stars": -1 } } }')
  t.match(JSON.parse((await query('Note', rome, '--explain', '--json')).out), {
    rows: 2, statements: [{ dataSource: 'db', model: 'Note', times: 1, rowsRead: null }], missingIndexes: [{ model: 'Note' }]
  })

  const file = path.join(cwd, 'server/models/note.json')
  writeFileSync(file, `{${line as string},${readFileSync(file, 'utf8').slice(1)}`)
  t.match((await query('Note', rome, '--explain')).out, /"fastback migrate" has not made it yet\.$/)
  t.equal((await run(cwd, ['migrate'])).code, 0)
  const now = (await query('Note', rome, '--explain')).out
  t.match(now, /SEARCH Note USING INDEX \S*city_1_stars_-1 \(city=\?\)/)
  t.match(now, /\n\nNo index is missing\.$/)
})

t.test('--user: as over REST, with the rules for that user', async t => {
  const { cwd, query } = await prepare(t)
  t.equal((await query('Note', rome, '--user', '1')).out.split('\n').length, 2)
  t.match(await query('Note', rome, '--user', '2'), { code: 1, out: '', err: /^error AUTHORIZATION_REQUIRED: / })
  t.match(await query('Note', '{"where":{"secret":"s"}}', '--user', '1'), { code: 1, out: '', err: /^error HIDDEN_PROPERTY_IN_QUERY: / })
  t.equal((await query('Note', '{"where":{"secret":"s"}}')).out.split('\n').length, 3, 'the application may')
  t.match(await query('Note', rome, '--user', '77'), { code: 1, err: 'There is no User with the id "77".' })
  t.match(await query('Note', rome, '--user', '1', '--user-model', 'Staff'), { code: 1, err: '"Staff" is no model of users. There are: User.' })
  t.match(await query('Draft', '{}', '--user', '1'), { code: 1, err: /^error FBK_CLI_NOT_ASKED: .*no list of it/ })
  const { out } = await query('Note', rome, '--user', '1', '--explain')
  t.match(out, /^2 rows returned/)
  t.match(out, /\d\. Note in db [^]*"city_1_stars_-1"/)
  t.notMatch(out, 'secret-ann')
  t.equal((await query('AccessToken')).out, '', 'no token was stored')
  t.equal((await run(cwd, ['query', 'Note', '{}', '--user', '1'])).code, 0)
})
