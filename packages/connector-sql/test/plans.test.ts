// FASTBACK_TEST_FULL: plans of three database servers, for tables with many rows.
/**
 * What `plan()` says of differences between tables and models, on each engine, as `plans/ENGINE.json` has it
 * (`UPDATE_PLANS=1` writes these files anew), and that applying it leaves nothing to do.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  ModelRegistry, type DataSource, type MigrationPlan, type ModelDefinitionInput, type PlannedDifference
} from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { cases, types, type Engine, type PlanCase } from './plans/cases.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Shown = Omit<MigrationPlan, 'dataSource'>

const updates = process.env.UPDATE_PLANS === '1'
const fileOf = (engine: Engine): string =>
  path.join(path.dirname(fileURLToPath(import.meta.url)), 'plans', `${engine}.json`)

async function open (
  t: Test, url: string, models: readonly ModelDefinitionInput[], foreignKeys = false
): Promise<DataSource> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none', foreignKeys })
  for (const model of models) registry.attach(registry.defineModel(model), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return db
}

async function prepare (t: Test, url: string, engine: Engine, { before, sql, rows }: PlanCase): Promise<void> {
  const db = await open(t, url, before ?? [])
  await db.automigrate()
  for (const statement of sql?.(types[engine]) ?? []) {
    await db.execute(engine === 'mysql' ? statement.replaceAll('"', '`') : statement)
  }
  for (const [name, list] of Object.entries(rows ?? {})) await (db.registry.models as Loose)[name].create([...list])
  await db.registry.stop()
}

/** Rows stand against a change that the plan leaves out; the migration tries it, and says so. */
const isInTheWay = ({ kind, rows }: PlannedDifference): boolean =>
  kind === 'not unique' || (kind === 'foreign key' && rows > 0)

async function check (t: Test, url: string, engine: Engine, each: PlanCase): Promise<Shown> {
  await prepare(t, url, engine, each)
  const { allowDrop = [] } = each
  const db = await open(t, url, each.after, each.foreignKeys)
  const { changes, differences } = await db.plan({ allowDrop })
  t.equal(await db.isActual(), changes.every(({ kind, table, name }) =>
    kind === 'drop column' || (kind === 'drop index' && allowDrop.includes(`${table}.${name as string}`))) &&
    !differences.some(isInTheWay), 'isActual says the same')
  const models = db.storedModels()
  if (differences.some(isInTheWay)) {
    await t.rejects(async () => { await db.connector.autoupdate(models, { allowDrop }) }, { code: 'FBK_CORE_MIGRATION' })
  } else await db.connector.autoupdate(models, { allowDrop })
  const left = await db.plan()
  t.same(left.changes, [], 'applied, nothing is left to do')
  t.same(left.differences.map(({ kind, columns }) => ({ kind, columns })),
    differences.map(({ kind, columns }) => ({ kind, columns })), 'what it would not do is as it was')
  return { changes, differences }
}

async function checkAll (t: Test, engine: Engine, fresh: (t: Test) => Promise<string | undefined>): Promise<void> {
  const file = fileOf(engine)
  const expected = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) as Record<string, Shown> : {}
  const found: Record<string, Shown> = {}
  for (const each of cases.filter(({ engines }) => engines === undefined || engines.includes(engine))) {
    await t.test(each.name, async t => {
      const url = await fresh(t)
      if (url === undefined) return
      const plan = await check(t, url, engine, each)
      found[each.name] = plan
      if (!updates) t.strictSame(plan, expected[each.name])
    })
  }
  if (updates) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
}

t.test('sqlite', async t => {
  await checkAll(t, 'sqlite', async t => `sqlite:${t.testdir({})}/rows.sqlite`)
})
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => { await checkAll(t, engine, t => scratchUrl(t, engine)) })
}
