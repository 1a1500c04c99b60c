/** The table of a model as the database has it (`PlanSupport.describe`). */
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'

async function describes (t: Test, url: string): Promise<void> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  t.teardown(() => db.disconnect())
  registry.defineModels([{
    input: {
      name: 'Note',
      sqlite3: { table: 'notes_kept' }, postgresql: { table: 'notes_kept' }, mysql: { table: 'notes_kept' },
      properties: { title: 'string', stars: 'number' }
    }
  }])
  registry.attach('Note', 'db')
  const { stored } = registry.getModel('Note').compiled
  await db.connect()
  t.same(await db.connector.plans?.describe?.(stored), { table: 'notes_kept', columns: undefined }, 'there is none yet')
  await db.autoupdate()
  const found = await db.connector.plans?.describe?.(stored)
  t.equal(found?.table, 'notes_kept')
  t.match(found?.columns, [
    { name: 'title', property: 'title', keyPosition: 0, nullable: true },
    { name: 'stars', property: 'stars', keyPosition: 0, nullable: true },
    { name: 'id', property: 'id', keyPosition: 1, nullable: false }
  ])
  t.ok(found?.columns?.every(({ type }) => type !== ''))
}

t.test('sqlite', async t => { await describes(t, `sqlite:${t.testdir({})}/rows.sqlite`) })
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await scratchUrl(t, engine)
    if (url !== undefined) await describes(t, url)
  })
}
