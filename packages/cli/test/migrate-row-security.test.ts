/** `fastback migrate --row-security`: what is planned, made, refused, and taken back. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { execute } from '../../../test-fixtures/scratch.mjs'
import { securedStore } from '../../../test-fixtures/test/row-rules/secured.js'
import { run } from './terminal.js'

type Rule = Record<string, unknown>

const denyAll: Rule = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const own: Rule = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: { ownerId: '$user.id' } }

const note = (acls: readonly Rule[]): string =>
  JSON.stringify({ name: 'Note', strict: true, properties: { ownerId: 'number' }, acls })

const folder = (t: Test, db: object, acls: readonly Rule[]): string => t.testdir({
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': '{ "restApiRoot": "/api" }',
    'datasources.json': JSON.stringify({ db: { connector: 'sql', ...db }, users: { connector: 'memory' } }),
    'model-config.json': JSON.stringify({
      _meta: { sources: ['./models'] }, Note: { dataSource: 'db' }, User: { dataSource: 'users' },
      AccessToken: { dataSource: 'users' }, ACL: { dataSource: 'users' }, Role: { dataSource: 'users' },
      RoleMapping: { dataSource: 'users' }
    }),
    'component-config.json': '{ "loopback-component-explorer": null }',
    boot: { 'auth.js': 'export default app => { app.enableAuth() }' },
    models: { 'note.json': note(acls) }
  }
})

t.test('policies are planned, made once, changed with the rules and taken back', async t => {
  const store = await securedStore()
  if (store === undefined) { t.comment('no PostgreSQL server'); return }
  t.teardown(store.done)
  const cwd = folder(t, { url: store.url, rowSecurity: { role: store.role } }, [denyAll, own])
  t.match(await run(cwd, ['migrate']), { code: 0 })
  t.match(await run(cwd, ['migrate', '--row-security', '--rebuild']), { code: 2, err: /FBK_CLI_USAGE/ })
  const planned = await run(cwd, ['migrate', '--row-security', '--dry-run'])
  t.match(planned, { code: 2, err: /FBK_CLI_MIGRATION_NEEDED/, out: /^db: policies out of date \(Note\)/ })
  t.match(planned.out, /Note: create policy fastback_select/)
  t.match(planned.out, /ALTER TABLE .*"Note" ENABLE ROW LEVEL SECURITY;/)
  t.match(planned.out, new RegExp(`GRANT SELECT, INSERT, UPDATE, DELETE ON .*"Note" TO "${store.role}"`))
  const count = async (): Promise<number> => (await execute(store.url,
    'SELECT policyname FROM pg_policies WHERE schemaname = current_schema()')).length
  t.equal(await count(), 0, 'a look changes nothing')
  t.match(await run(cwd, ['migrate', '--row-security']), { code: 0, out: 'db: policies brought up to date (Note)' })
  t.equal(await count(), 4)
  t.match(await run(cwd, ['migrate', '--row-security', '--check']), { code: 0, out: 'db: policies up to date (Note)' })
  t.match(await run(cwd, ['migrate', '--check']), { code: 0 }, 'tables are as the models say')

  writeFileSync(path.join(cwd, 'server/models/note.json'), note([denyAll, { ...own, rows: undefined }]))
  t.match(await run(cwd, ['migrate', '--row-security']), { code: 0, out: 'db: policies brought up to date (no models)' })
  t.equal(await count(), 0)
})

t.test('what policies cannot say is refused by name, and left without policies with --force', async t => {
  const store = await securedStore()
  if (store === undefined) { t.comment('no PostgreSQL server'); return }
  t.teardown(store.done)
  const scope = { principalType: 'SCOPE', principalId: 'reader', permission: 'ALLOW', rows: { ownerId: 1 } }
  const cwd = folder(t, { url: store.url }, [denyAll, scope])
  t.match(await run(cwd, ['migrate']), { code: 0 })
  t.match(await run(cwd, ['migrate', '--row-security']), {
    code: 1, err: /FBK_CLI_UNSAID_POLICIES: .*Note has a rule for a scope of tokens.*--force/
  })
  t.match(await run(cwd, ['migrate', '--row-security', '--force']), {
    code: 0, out: 'db: policies up to date (no models)\n  without policies: Note has a rule for a scope of tokens'
  })
})

t.test('other stores have no policies', async t => {
  const cwd = folder(t, { url: 'sqlite:notes.db' }, [denyAll, own])
  t.match(await run(cwd, ['migrate', '--row-security']), { code: 1, err: /FBK_CLI_NO_POLICIES: .*"db".*"Note"/ })
  const named = folder(t, { url: 'sqlite:notes.db', rowSecurity: { role: 'app' } }, [])
  t.match(await run(named, ['migrate']), { code: 1, err: /FBK_CORE_DATA_SOURCE_SETTINGS: .*"rowSecurity" is for PostgreSQL only/ })
})
