/** A data source that migrates nothing and lacks tables: said at the start, and 503 where they are needed. */
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { openSql } from './support/connectors.js'
import { scratchUrl } from './support/scratch.js'

async function tellsAndAnswers (t: Test, url: string): Promise<void> {
  const sql = await openSql({ url }, [])
  await sql.execute('CREATE TABLE there (id INTEGER)')
  await sql.disconnect()
  const lines: Array<{ level: number, msg: string, missing?: unknown }> = []
  const app = Fastify({ logger: { level: 'warn', stream: { write (line: string) { lines.push(JSON.parse(line)) } } } })
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, migrate: 'none' } },
    definitions: [{ name: 'There', properties: {} }, { name: 'Away', properties: { title: 'string' } }],
    models: { There: { dataSource: 'db' }, Away: { dataSource: 'db' } }
  })
  await app.ready()
  t.match(lines, [{ level: 40, msg: /"db" lacks the tables Away: .*503.*"fastback migrate"/, missing: [{ model: 'Away', table: 'Away' }] }])
  const { db } = app.registry.dataSources
  t.same(await db?.missing(), [{ model: 'Away', table: 'Away' }])
  const { There, Away } = app.models as unknown as Record<string, { count (): Promise<number> }>
  t.equal(await There?.count(), 0, 'others are served')
  await t.rejects(async () => Away?.count(), { code: 'FBK_SQL_TABLE_MISSING', statusCode: 503 })
  await db?.autoupdate()
  t.same(await db?.missing(), [])
  t.equal(await Away?.count(), 0)
}

t.test('sqlite', async t => { await tellsAndAnswers(t, `sqlite:${t.testdir({})}/rows.sqlite`) })
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await scratchUrl(t, engine)
    if (url !== undefined) await tellsAndAnswers(t, url)
  })
}
