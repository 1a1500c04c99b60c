// FASTBACK_TEST_FULL: random tables on three database servers.
/**
 * Random tables that somebody else made, with rows: each is discovered and served; its rows are read, found by each
 * value that they show, put back, and made again. Nothing is lost, nothing rounded, nothing 5xx. OTHERS_TABLES asks for
 * more of them for each engine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { execute, isReachable, makeScratch } from '../../scratch.mjs'
import { columnKinds, computedColumns, keyKinds, type ColumnKind, type Engine, type KeyKind } from './column-kinds.js'
import { faultsOf } from './faults.js'
import { serveTables } from './served-tables.js'

const howMany = Number(process.env.OTHERS_TABLES ?? 20)
const seed = Number(process.env.OTHERS_SEED ?? 1)

interface Shape {
  readonly key: KeyKind
  readonly columns: readonly ColumnKind[]
  readonly isComputed: boolean
  /** Which of its values each row has; the last one is NULL. */
  readonly picks: ReadonlyArray<readonly number[]>
}

const shapes = (engine: Engine): fc.Arbitrary<Shape> => fc.record({
  key: fc.constantFrom(...keyKinds[engine]),
  columns: fc.array(fc.constantFrom(...columnKinds[engine]), { minLength: 1, maxLength: 5 }),
  isComputed: fc.boolean(),
  picks: fc.array(fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 3 })
})

const ownTypes = [
  "create type others_mood as enum ('sad', 'ok')", 'create domain others_bytes as bytea check (length(value) < 9)',
  'create domain others_money as numeric(8,2)', 'create domain others_price as others_money check (value >= 0)',
  'create domain others_day as date'
]

interface MadeTable { readonly shape: Shape, readonly ddl: string, readonly types: ReadonlyMap<string, string> }

/** The statements that make a table and its rows. */
function statementsOf (
  engine: Engine, name: string, shape: Shape
): { readonly table: MadeTable, readonly inserts: string[] } {
  const { key, isComputed, picks } = shape
  const columns = isComputed ? [{ type: engine === 'mysql' ? 'varchar(40)' : 'text', values: ["'first'"] }, ...shape.columns] : shape.columns
  const computed = isComputed ? computedColumns[engine] : []
  const parts = [`id ${key.type}`, ...columns.map(({ type }, i) => `c${i} ${type}`), ...computed]
  const ddl = `create table ${name} (${parts.join(', ')})`
  const inserts = picks.map((row, at) => {
    const values = columns.map(({ values }, i) => [...values, 'null'][(row[i] as number) % (values.length + 1)] as string)
    const own = key.values === undefined ? [] : [key.values[at] as string]
    return `insert into ${name} (${[...own.map(() => 'id'), ...columns.map((_, i) => `c${i}`)].join(', ')}) values (${[...own, ...values].join(', ')})`
  })
  const types = new Map(parts.map(part => [part.split(' ', 1)[0] as string, part.slice(part.indexOf(' ') + 1)]))
  return { table: { shape, ddl, types }, inserts }
}

async function database (t: Test, engine: Engine): Promise<string | undefined> {
  if (engine !== 'sqlite') {
    if (!await isReachable(engine)) return undefined
    const { url, remove } = await makeScratch(engine)
    t.teardown(remove)
    return url
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-others-'))
  t.teardown(() => { rmSync(folder, { recursive: true, force: true }) })
  return `sqlite:${path.join(folder, 'others.db')}`
}

const exact = { bigints: 'bigint', decimals: 'decimal' } as const
const runs = (['sqlite', 'postgres', 'mysql'] as const).flatMap(engine => [{ engine, types: {} }, { engine, types: exact }])

for (const { engine, types } of runs) {
  t.test(`${engine} ${JSON.stringify(types)}`, async t => {
    const url = await database(t, engine)
    if (url === undefined) return t.comment(`no ${engine} server`)
    const made = new Map<string, MadeTable>()
    const statements: string[] = engine === 'postgres' ? [...ownTypes] : []
    for (const [at, shape] of fc.sample(shapes(engine), { seed, numRuns: howMany }).entries()) {
      const { table, inserts } = statementsOf(engine, `t${at}`, shape)
      made.set(`t${at}`, table)
      statements.push(table.ddl, ...inserts)
    }
    await execute(url, ...statements)
    const tables = await serveTables(url, types)
    t.teardown(tables.close)
    t.equal(tables.models.length, howMany)
    for (const model of tables.models) {
      const table = made.get(model.table) as MadeTable
      const { key, isComputed, picks } = table.shape
      const found = await faultsOf(engine, url, tables, model, {
        types: table.types,
        rows: picks.length,
        another: key.another,
        given: isComputed ? ['gen', 'dflt', 'made'] : []
      })
      t.strictSame(found, [], table.ddl)
    }
  })
}
