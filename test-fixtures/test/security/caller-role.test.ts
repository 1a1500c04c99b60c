// FASTBACK_TEST_FULL: all requests of the suite, under policies of PostgreSQL.
/** Requests under policies of PostgreSQL: a hole in the conditions of a request shows no more (security.md, S-114). */
import t, { type Test } from 'tap'
import { execute } from '../../scratch.mjs'
import { securedStore, seenBy, type Secured } from '../row-rules/secured.js'
import { serve, type Served } from '../row-rules/served.js'
import type { Person, Row, Rule } from '../row-rules/world.js'

type Loose = any

const rule: Rule = {
  principalId: '$authenticated', permission: 'ALLOW', property: '*', accessType: '*', rows: { realm: '$user.realm' }
}
const denyAll: Rule = { principalId: '$everyone', permission: 'DENY', property: '*', accessType: '*' }
const note = { text: null, stars: null, userId: null, teamId: 1, secret: null }
const odd = 'x","realm":"blue","y":"\\\' || (SELECT \'blue\') || \''
const rows = {
  Team: [{ id: 1, name: 'one' }, { id: 2, name: 'two' }],
  Member: [],
  Note: [{ id: 1, ...note, realm: 'red' }, { id: 2, ...note, realm: 'blue' }, { id: 3, ...note, realm: odd }]
}
const people: Person[] = ['red', 'blue', odd].map((realm, i) => ({ id: i + 1, realm, roles: [] }))

interface Started extends Served { readonly store: Secured, readonly asked: Loose[], readonly all: Loose }

async function start (t: Test, rules: readonly Rule[] = [denyAll, rule]): Promise<Started | undefined> {
  const store = await securedStore({ poolSize: 1 })
  if (store === undefined) { t.comment('no PostgreSQL server'); return undefined }
  const served = await serve(store, t)
  t.teardown(async () => { await store.done() })
  const asked: Loose[] = []
  served.models.Note.observe('access', async ({ options }: Loose) => { if (options.rowRules !== undefined) asked.push(options) })
  await served.prepare(rows, people, rules)
  const { connector } = served.registry.dataSources.db as Loose
  const all = async (sql: string, options: Loose = {}, values: unknown[] = []): Promise<Row[]> =>
    await connector.execute(sql, values, options)
  return { ...served, store, asked, all }
}

/** Options of a request of somebody. */
async function optionsOf ({ send, asked }: { send: Loose, asked: Loose[] }, id: number, method = 'GET'): Promise<Loose> {
  asked.length = 0
  await (method === 'GET' ? send(id, 'GET', '/Notes') : send(id, 'POST', '/Notes/update?where=%7B%22id%22%3A9%7D', { stars: 1 }))
  return asked[0]
}

const ids = (rows: Row[]): number[] => rows.map(({ id }) => Number(id))
const everything = 'SELECT id FROM "Note" ORDER BY id'
const session = 'SELECT current_user AS role, current_setting(\'fastback.user_id\', true) AS id'

t.test('S-114: a statement without any condition shows a caller no more', async t => {
  // Seen to fail: without the role of callers (`rowSecurity`) a statement without a condition shows all rows.
  const served = await start(t)
  if (served === undefined) return
  const { all, store } = served
  for (const id of [1, 2, 3]) {
    const options = await optionsOf(served, id)
    t.strictSame(ids(await all(everything, options)), [id])
    t.strictSame(ids(await all('SELECT id FROM "Note" WHERE $1::text IS NOT NULL OR true', options, ['x'])), [id])
    const [who] = await all(session, options)
    t.strictSame(who, { role: store.role, id: String(id) })
    // The only connection of the pool has nothing of the caller any more.
    const [after] = await all(session)
    t.not(after?.role, store.role)
    t.equal(after?.id ?? '', '')
    t.strictSame(ids(await all(everything)), [1, 2, 3], 'the application itself is not narrowed')
  }
})

t.test('writes change no more, and rows that the rules refuse are refused', async t => {
  const served = await start(t)
  if (served === undefined) return
  const { all } = served
  const options = await optionsOf(served, 1, 'POST')
  t.strictSame(ids(await all('UPDATE "Note" SET stars = 5 RETURNING id', options)), [1])
  t.strictSame(ids(await all('SELECT id FROM "Note" WHERE stars = 5')), [1])
  await t.rejects(all('UPDATE "Note" SET realm = $1::text', options, ['blue']), { statusCode: 403, code: 'ROW_CHECK_FAILED' })
  await t.rejects(all('INSERT INTO "Note" (id, realm) VALUES (9, $1::text)', options, ['blue']), { statusCode: 403, code: 'ROW_CHECK_FAILED' })
  t.strictSame(ids(await all('DELETE FROM "Note" RETURNING id', options)), [1])
  t.strictSame(ids(await all(everything)), [2, 3])
})

t.test('what settings hold is text, whatever stands in it', async t => {
  const served = await start(t)
  if (served === undefined) return
  const { all, store } = served
  const ask = (id: string, user = ''): Loose => ({
    rowRules: { concerns: () => true, of: () => undefined, callerSettings: () => ({ 'fastback.user_id': id, 'fastback.user': user }) }
  })
  for (const id of ["1', true); RESET ROLE; --", '\\\'; RESET ROLE; --', '$1', '"', 'é\n', '{}']) {
    const [who] = await all(session, ask(id))
    t.strictSame(who, { role: store.role, id })
  }
  const [none] = await all(session, ask('1\0'))
  t.strictSame(none, { role: store.role, id: '' }, 'a text that the database cannot have is nobody')
  for (const realm of ['red" : 1', '{"realm":"blue"}', "'", '\\']) {
    t.strictSame(ids(await all(everything, ask('1', JSON.stringify({ realm })))), [])
  }
  for (const value of [['red'], { red: 1 }, null, 0]) {
    t.strictSame(ids(await all(everything, ask('1', JSON.stringify({ realm: value })))), [], 'a list is no single value')
  }
  t.strictSame(ids(await all(everything, ask('1', '{"realm":"blue"}'))), [2])
})

t.test('an error leaves nothing behind', async t => {
  const served = await start(t)
  if (served === undefined) return
  const { all, store } = served
  const options = await optionsOf(served, 1)
  await t.rejects(all('SELECT 1 / 0', options))
  await t.rejects(all('SELECT nothing', options))
  t.not((await all(session))[0]?.role, store.role)
  t.strictSame(ids(await all(everything)), [1, 2, 3])
})

t.test('in a transaction of the application a caller is narrowed, and the application is not', async t => {
  const served = await start(t)
  if (served === undefined) return
  const { all, models, store } = served
  const options = await optionsOf(served, 1, 'POST')
  const transaction = await models.Note.beginTransaction({})
  const asCaller = { ...options, transaction }
  t.strictSame(ids(await all(everything, asCaller)), [1])
  t.strictSame(ids(await all(everything, { transaction })), [1, 2, 3])
  await t.rejects(all('INSERT INTO "Note" (id, realm) VALUES (9, $1::text)', asCaller, ['blue']), { code: 'ROW_CHECK_FAILED' })
  t.not((await all(session, { transaction }))[0]?.role, store.role)
  await all('UPDATE "Note" SET stars = 7', asCaller)
  const mixed = await Promise.all(Array.from({ length: 10 }, async (_, i) =>
    ids(await all(everything, i % 2 === 0 ? asCaller : { transaction })).length))
  t.strictSame(mixed, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3])
  await transaction.commit()
  t.strictSame(ids(await all('SELECT id FROM "Note" WHERE stars = 7')), [1])
})

t.test('foreign keys of the database delete rows that the caller does not see', async t => {
  const served = await start(t)
  if (served === undefined) return
  const { all } = served
  await all('ALTER TABLE "Note" ADD FOREIGN KEY ("teamId") REFERENCES "Team" (id) ON DELETE CASCADE')
  await all('DELETE FROM "Team" WHERE id = 1', await optionsOf(served, 1, 'POST'))
  t.strictSame(ids(await all(everything)), [])
})

t.test('requests on one connection, one after the other and at once', async t => {
  const served = await start(t)
  if (served === undefined) return
  const { send } = served
  const seen = await Promise.all(Array.from({ length: 30 }, async (_, i) => {
    const id = i % 3 + 1
    const { body } = await send(id, 'GET', '/Notes')
    return ids(body).join() === String(id)
  }))
  t.ok(seen.every(Boolean))
})

t.test('policies follow the rules, and what somebody has changed is mended', async t => {
  const served = await start(t)
  if (served === undefined) return
  const { all, prepare, secure, store } = served
  t.strictSame(await secure(), [], 'a second time there is nothing to do')
  await all('ALTER POLICY fastback_select ON "Note" USING (true)')
  t.strictSame((await secure()).map(({ kind, name }: Loose) => [kind, name]), [['create policy', 'fastback_select']])
  await all('CREATE POLICY other ON "Team" USING (true)')
  await prepare(rows, people, [denyAll, { ...rule, rows: { 'team.members': { some: { userId: '$user.id' } } } }])
  const named = async (): Promise<string[]> => (await execute(store.url,
    'SELECT tablename || \' \' || policyname AS name FROM pg_policies WHERE schemaname = current_schema() ORDER BY 1'
  ) as Loose[]).map(({ name }) => name)
  const functions = async (): Promise<number> => (await execute(store.url,
    'SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname, \'fastback_rows_\')')).length
  t.ok((await named()).includes('Note fastback_select'))
  t.equal(await functions(), 1)
  await served.models.Member.create({ id: 1, userId: 2, teamId: 1 })
  t.strictSame(ids(await all(everything, await optionsOf(served, 2))), [1, 2, 3])
  t.strictSame(ids(await all(everything, await optionsOf(served, 1))), [])
  await prepare(rows, people, [{ ...rule, rows: undefined }])
  const left = await named()
  t.notOk(left.some(name => name.startsWith('Note')), 'rules that say nothing of rows leave no policies')
  t.ok(left.includes('Team other'), 'policies of others stay')
  t.equal(await functions(), 0)
})

t.test('owners: what their rules leave by id', async t => {
  const served = await start(t, [denyAll, { principalId: '$owner', permission: 'ALLOW', property: '*', accessType: '*' }, {
    principalId: '$everyone', permission: 'ALLOW', property: 'find', accessType: 'READ', rows: { realm: 'red' }
  }])
  if (served === undefined) return
  const { send, all, models, store } = served
  await models.Note.updateAll({ id: 2 }, { userId: 2 })
  for (const [id, seen] of [[1, [1]], [2, [1, 2]], [3, [1]]] as const) {
    t.strictSame(await seenBy(store, people[id - 1] as Person, 'Note'), seen)
  }
  t.equal((await send(2, 'PATCH', '/Notes/2', { stars: 3 })).status, 200)
  t.equal((await send(2, 'PATCH', '/Notes/2', { stars: 3, userId: 1 })).status, 200, 'given away, as the rules let it be')
  t.equal((await send(2, 'PATCH', '/Notes/2', { stars: 4 })).status, 401)
  t.equal((await send(1, 'DELETE', '/Notes/2')).status, 200)
  t.strictSame(ids(await all(everything)), [1, 3])
})

t.test('without prepared statements, as poolers want it', async t => {
  const store = await securedStore({ statementCache: 0 })
  if (store === undefined) { t.comment('no PostgreSQL server'); return }
  t.teardown(async () => { await store.done() })
  const { prepare, send } = await serve(store, t)
  await prepare(rows, people, [denyAll, rule])
  t.strictSame(ids((await send(2, 'GET', '/Notes')).body), [2])
  t.equal((await send(2, 'PATCH', '/Notes/2', { stars: 3 })).status, 200)
  t.equal((await send(2, 'PATCH', '/Notes/1', { stars: 3 })).status, 404)
})

t.test('a role that there is not is told of at the start', async t => {
  const store = await securedStore({ rowSecurity: { role: 'fastback_no_such_role' } })
  if (store === undefined) { t.comment('no PostgreSQL server'); return }
  await t.rejects(serve(store, t), { code: 'FBK_SQL_CALLER_ROLE' })
  await store.done()
})
