// FASTBACK_TEST_FULL: databases of three servers are discovered.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { discover, newOverDatabase } from '../src/entries/folder.js'
import { examine } from '../src/entries/developing.js'
import { audit, createServer, newApplication } from '../src/index.js'
import { execute, isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { sampleSchema, type Engine } from './sample-schema.js'
import type { Rows } from './rows.js'
import { run } from './terminal.js'

/** The sample in an empty database; undefined (and the test says so) where no server answers. */
async function sample (t: Test, engine: Engine): Promise<string | undefined> {
  // Not in the folder of the test, which each call of `testdir` empties.
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-sample-'))
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  let url = `sqlite:${path.join(folder, 'sample.db')}`
  if (engine !== 'sqlite') {
    if (!await isReachable(engine)) {
      t.comment(`no ${engine} server`)
      return undefined
    }
    const scratch = await makeScratch(engine)
    t.teardown(scratch.remove)
    url = scratch.url
  }
  await execute(url, ...sampleSchema(engine))
  return url
}

async function folderOver (t: Test, url: string): Promise<string> {
  const { folder } = await newApplication({ name: 'shop', template: 'api-server', cwd: t.testdir() })
  const file = path.join(folder, 'server/datasources.json')
  writeFileSync(file, JSON.stringify({ ...json(folder, 'server/datasources.json'), sample: { connector: 'sql', url, migrate: 'none' } }))
  return folder
}

const json = (folder: string, file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(`30 tables of ${engine} are discovered, closed, and served with no edit`, async t => {
    const url = await sample(t, engine)
    if (url === undefined) return
    const folder = await folderOver(t, url)
    const first = await run(folder, ['discover', 'sample', '--views', '--id', 'open_orders.id', '--json', '--allow-dirty'])
    t.equal(first.code, 0, first.err)
    const { models } = JSON.parse(first.out)
    t.equal(models.length, 32)
    t.ok(models.every(({ state }: { state: string }) => state === 'new'))

    const findings = await audit(folder)
    t.same(findings.findings.filter(({ code }) => /open|acl|deny/i.test(code)), [], 'no model is open')

    const again = await run(folder, ['discover', 'sample', '--views', '--id', 'open_orders.id', '--allow-dirty'])
    t.match(again.out, 'Nothing to do.')

    const { relations } = json(folder, 'common/models/user-record.json')
    t.match(relations, {
      country: { type: 'belongsTo', model: 'Country', foreignKey: 'countryCode' },
      userProfile: { type: 'hasOne', model: 'UserProfile', foreignKey: 'userId' },
      groups: { type: 'hasMany', model: 'Group', through: 'UserGroup', keyThrough: 'groupId' },
      messagesAsFrom: { type: 'hasMany', model: 'Message', foreignKey: 'fromId' },
      friends: { type: 'hasMany', model: 'UserRecord', through: 'Friendship', keyThrough: 'friendId' }
    })
    t.notOk('userGroups' in relations, 'a table that only joins is passed over')
    t.match(json(folder, 'common/models/category.json').relations, { parent: {}, children: { type: 'hasMany' } })
    t.match(json(folder, 'common/models/order.json').properties.status, { enum: ['new', 'paid', 'sent'], default: 'new' })
    t.match(json(folder, 'common/models/product.json').properties.price, { minimum: 0, precision: 10, scale: 2, required: true })
    t.match(json(folder, 'common/models/product.json'), { forceId: false, properties: { sku: { id: true, generated: false } } })

    const server = await createServer(folder, { log: false })
    t.teardown(() => server.stop())
    const classes = server.app.models as unknown as Record<string, Rows>
    await server.fastify.ready()
    const closed = await server.fastify.inject({ url: '/api/Products' })
    t.equal(closed.statusCode, 401)
    for (const { model } of models) {
      const row = await classes[model]?.findOne({})
      t.ok(row, `a row of ${model}`)
    }
    const [ann] = await classes.UserRecord?.find({
      include: ['groups', 'country', 'userProfile', 'friends']
    }) ?? []
    t.match(JSON.parse(JSON.stringify(ann)), {
      groups: [{ title: 'staff' }], country: { name: 'Austria' }, userProfile: { bio: 'hello' }, friends: [{ email: 'bob@example.com' }]
    })

    const place = { lat: 48.2, lng: 16.4 }
    const more = engine === 'postgres'
      ? { labels: ['a,"b', 'c\\d', null], sizes: [1, 2], place, ref: '7d444840-9dc0-11d1-b245-5ffdce74fad2', address: '10.0.0.1' }
      : engine === 'mysql' ? { place, size: 'S,L', level: 200, flag: true } : {}
    const made = { sku: 't-2', name: 'Black tea', price: 4.25, categoryId: 1, ...more }
    await classes.Product?.create(made)
    t.match(JSON.parse(JSON.stringify(await classes.Product?.findById('t-2'))), made, 'what was written is read')
    await t.rejects(Promise.resolve(classes.Product?.create({ ...made, sku: 't-3', price: -1 })), { name: 'ValidationError' })
    await classes.Product?.destroyById('t-2')
  })
}

for (const engine of ['postgres', 'mysql'] as const) {
  t.test(`DO-1: tables of another schema of ${engine} are discovered and served`, async t => {
    const here = await sample(t, engine)
    if (here === undefined) return
    const there = await makeScratch(engine)
    t.teardown(there.remove)
    await execute(there.url, ...sampleSchema(engine))
    await execute(here, 'delete from product_tag', 'delete from tag')
    const folder = await folderOver(t, here)
    const done = await run(folder, ['discover', 'sample', '--schema', there.name, '--tables', 'tag,country', '--allow-dirty'])
    t.equal(done.code, 0, done.err)
    const { options } = json(folder, 'common/models/tag.json')
    t.match(options, engine === 'postgres'
      ? { postgresql: { schema: there.name, table: 'tag' } }
      : { mysql: { schema: there.name, database: there.name, table: 'tag' } })
    const again = await run(folder, ['discover', 'sample', '--schema', there.name, '--tables', 'tag,country', '--allow-dirty'])
    t.match(again.out, 'Nothing to do.')
    const server = await createServer(folder, { log: false })
    t.teardown(() => server.stop())
    await server.fastify.ready()
    const { Tag } = server.app.models as unknown as Record<string, Rows>
    t.ok(await Tag?.findOne({}), 'a row that is only there')
    await server.app.dataSources.sample?.autoupdate(['Tag'])
    t.same(await execute(here, 'select * from tag'), [], 'the table of the same name is left alone')
  })
}

t.test('discovered again, a hand-made file gets what is new and keeps the rest', async t => {
  const url = await sample(t, 'sqlite') as string
  const folder = await folderOver(t, url)
  await run(folder, ['discover', 'sample', '--tables', 'tag,supplier', '--allow-dirty'])
  t.notOk(existsSync(path.join(folder, 'common/models/product.json')), 'only what was chosen')
  const file = path.join(folder, 'common/models/tag.json')
  const before = json(folder, 'common/models/tag.json')
  const { label, ...others } = before.properties
  const edited = { ...before, plural: 'labels', properties: { ...others, text: { ...label, maxLength: 10 }, old: { type: 'string', sqlite3: { columnName: 'old' } } } }
  writeFileSync(file, JSON.stringify(edited, null, 4))
  await execute(url, 'alter table tag add column weight integer')
  const { changes, models } = await discover(folder, { dataSource: 'sample', tables: ['tag', 'supplier'] })
  t.same(models.map(({ model, state }) => [model, state]), [['Supplier', 'same'], ['Tag', 'changed']])
  t.match(models[1]?.notes, [/the property "old" stays/])
  t.same(changes.readJson('common/models/tag.json'), {
    ...edited,
    properties: { ...edited.properties, weight: { type: 'number', sqlite3: { columnName: 'weight', dataType: 'integer', nullable: 'YES' } } }
  })
})

t.test('DR-2: tables with several key columns are published where that is asked for', async t => {
  const url = await sample(t, 'sqlite') as string
  await execute(url, 'create table shift (room text not null, day text not null, who text, primary key (room, day))')
  const folder = await folderOver(t, url)
  const { code, out, err } = await run(folder, [
    'discover', 'sample', '--tables', 'shift,product_tag,product,tag', '--composite-ids', '--open', '--allow-dirty'
  ])
  t.equal(code, 0, err)
  t.match(out, /Shift +main\.shift\n +DR-2: two key columns, no route has one id in its path/)
  t.match(out, /ProductTag .*\n +DR-7/)
  t.match(json(folder, 'server/model-config.json'), { Shift: { public: true }, ProductTag: { public: false } })
  const server = await createServer(folder, { log: false })
  t.teardown(() => server.stop())
  const { fastify } = server
  const made = { room: 'a', day: '1', who: 'Ann' }
  t.equal((await fastify.inject({ method: 'POST', url: '/api/Shifts', payload: made })).statusCode, 200)
  t.equal((await fastify.inject({ method: 'POST', url: '/api/Shifts', payload: made })).statusCode, 409)
  const changed = { ...made, who: 'Bob' }
  t.same((await fastify.inject({ method: 'PUT', url: '/api/Shifts', payload: changed })).json(), changed)
  t.same((await fastify.inject('/api/Shifts?filter={"where":{"room":"a","day":"1"}}')).json(), [changed])
  t.equal((await fastify.inject('/api/Shifts/a')).statusCode, 404)
})

t.test('what cannot be is said', async t => {
  const url = await sample(t, 'sqlite') as string
  const folder = await folderOver(t, url)
  const nothing = await run(folder, ['discover', 'sample', '--tables', 'nothing', '--allow-dirty'])
  t.match(nothing, { code: 1, err: /FBK_SQL_NO_SUCH_TABLE.*"nothing"/ })
  t.match(await run(folder, ['discover', 'sample', '--bigints', 'huge']), { code: 2, err: /number, bigint, text/ })
  t.match(await run(folder, ['discover', 'other']), { code: 1, err: /UNKNOWN_DATA_SOURCE/ })
  t.match(await run(folder, ['discover']), { code: 1, err: /NO_DATA_SOURCE.*db, sample/ })
  writeFileSync(path.join(folder, 'server/datasources.json'), JSON.stringify({ db: { connector: 'memory' } }))
  t.match(await run(folder, ['discover']), { code: 1, err: /FBK_DISCOVERY_UNSUPPORTED/ })
  t.match(await run(t.testdir(), ['discover']), { code: 1, err: /FBK_CLI_NO_FOLDER/ })
})

t.test('an application over a database is one command, and keeps the address to itself', async t => {
  const url = await sample(t, 'sqlite') as string
  const cwd = path.dirname(url.slice('sqlite:'.length))
  const { folder, models } = await newOverDatabase({ name: 'over', database: 'sqlite:sample.db', tables: ['country', 'user'], cwd })
  t.same(models.map(({ model }) => model), ['Country', 'UserRecord'])
  t.equal(readFileSync(path.join(folder, '.env'), 'utf8'), `DATABASE_URL=${url}\n`)
  t.match(json(folder, 'server/datasources.json').database, { connector: 'sql', url: '${DATABASE_URL}', migrate: 'none' }) // eslint-disable-line no-template-curly-in-string
  t.equal(json(folder, 'server/config.json').remoting.rest.idempotency, false, 'keys would be a table in it')
  t.match(readFileSync(path.join(folder, '.gitignore'), 'utf8'), '.env')
  t.match(
    readFileSync(path.join(folder, 'test/api-server.test.js'), 'utf8'), /database: \{ connector: 'memory' \} \}/,
    'its test does without the database'
  )
  await t.rejects(newOverDatabase({ name: 'none', database: 'oracle://x', cwd }), { code: 'FBK_CLI_DATABASE_URL' })
  await t.rejects(newOverDatabase({ name: 'none', database: 'sqlite:sample.db', tables: ['x'], cwd }), { code: 'FBK_SQL_NO_SUCH_TABLE' })
  t.notOk(existsSync(path.join(cwd, 'none/package.json')), 'what failed leaves nothing')
})

for (const engine of ['sqlite', 'postgres'] as const) {
  const skip = engine !== 'sqlite' && process.env.FASTBACK_TEST_FULL === undefined && 'with FASTBACK_TEST_FULL'
  t.test(`the doctor finds nothing after "new --database": ${engine}`, { skip }, async t => {
    const url = await sample(t, engine)
    if (url === undefined) return
    const { folder } = await newOverDatabase({ name: 'well', database: url, cwd: t.testdir() })
    const { checks } = await examine(folder, {})
    const fault = checks.find(({ name }) => name === 'settings')
    t.match(fault, { ok: false, seen: [/DATABASE_URL/] }, 'without the address nothing can be looked at')
    process.env.DATABASE_URL = url
    t.teardown(() => { delete process.env.DATABASE_URL })
    t.same((await examine(folder)).checks.filter(({ ok, name }) => !ok && name !== 'versions'), [])
  })
}
