// FASTBACK_TEST_FULL: random migrations on three database servers.
/**
 * Random changes of a model, one after the other, each with rows: after `autoupdate` all rows are there, with their
 * values of properties that stayed as they were, and the plan has no changes left. FASTBACK_TEST_RUNS=10: ten times as
 * many.
 */
import fc from 'fast-check'
import { ModelRegistry, type DataSource } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'
import { runsOf } from '../../../test-fixtures/runs.mjs'

/** Types whose values here are not all different. */
const repeating = ['boolean', 'object']

type Loose = any

interface Shape {
  readonly types: Readonly<Record<string, string>>
  readonly indexed: Readonly<Record<string, 'plain' | 'unique'>>
  readonly strict: boolean
}

const names = ['a', 'b', 'Long name', 'order']
const values: Readonly<Record<string, (n: number) => unknown>> = {
  string: n => `text ${n}`, number: n => n + 0.5, boolean: n => n % 2 === 0, date: n => new Date(n * 1e9), object: n => ({ n })
}

const shapes = fc.record({
  types: fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...Object.keys(values)), { maxKeys: 4 }),
  indexed: fc.dictionary(fc.constantFrom(...names), fc.constantFrom('plain' as const, 'unique' as const), { maxKeys: 3 }),
  strict: fc.boolean()
})

/** No unique index on what was, or will be, of a repeating type: rows stand against it, and the migration says so. */
const possible = (steps: readonly Shape[]): Shape[] => steps.map(({ indexed, ...shape }) => ({
  ...shape,
  indexed: Object.fromEntries(Object.keys(indexed).map(name => {
    const repeats = steps.some(({ types }) => repeating.includes(types[name] ?? ''))
    return [name, repeats ? 'plain' as const : indexed[name] as 'plain' | 'unique']
  }))
}))

async function open (url: string, { types, indexed, strict }: Shape): Promise<DataSource> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => {
    // Values of an index are counted up, so that no two rows are the same.
    const kind = indexed[name] === undefined || repeating.includes(type) ? undefined : indexed[name]
    return [name, { type, ...(kind === undefined ? {} : { index: { unique: kind === 'unique' } }) }]
  }))
  registry.attach(registry.defineModel({ name: 'Thing', strict, properties }), db)
  await registry.start()
  return db
}

/** What of a row can be compared over a change: values of properties with the same type before and after. */
const kept = (rows: readonly object[], { types }: Shape, other: Shape): unknown => JSON.parse(JSON.stringify(rows)).map(
  (row: Record<string, unknown>) => Object.fromEntries(
    Object.keys(types).sort().filter(name => types[name] === other.types[name]).map(name => [name, row[name] ?? null])
  )
)

async function survives (url: string, steps: readonly Shape[]): Promise<void> {
  let before: { shape: Shape, rows: readonly object[] } | undefined
  for (const [at, shape] of steps.entries()) {
    const db = await open(url, shape)
    try {
      const models = db.storedModels()
      if (at === 0) await db.automigrate()
      // A column that has stayed as an earlier shape made it is not of the new type: that is told, and no change.
      else await db.connector.autoupdate(models)
      const { changes, differences } = await db.plan()
      if (changes.length > 0 || !await db.isActual()) throw new Error(`left: ${JSON.stringify(changes)}`)
      const odd = new Set(differences.filter(({ kind }) => kind === 'type').flatMap(({ columns }) => columns))
      const { Thing } = db.registry.models as Loose
      if (before !== undefined) {
        const rows: object[] = await Thing.find({ order: 'id' })
        const was = kept(before.rows, before.shape, shape)
        const is = kept(rows, shape, before.shape)
        if (JSON.stringify(was) !== JSON.stringify(is)) throw new Error(`${JSON.stringify(was)} became ${JSON.stringify(is)}`)
      }
      const usable = Object.entries(shape.types).filter(([name]) => !odd.has(name))
      for (const n of [10 * at, 10 * at + 1]) {
        await Thing.create(Object.fromEntries(usable.map(([name, type]) => [name, values[type]?.(n)])))
      }
      before = { shape, rows: await Thing.find({ order: 'id' }) }
    } finally {
      await db.registry.stop()
    }
  }
}

async function holds (t: Test, url: string, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(shapes, { minLength: 2, maxLength: 5 }), steps => survives(url, possible(steps))),
    { numRuns: runsOf(runs) }
  )
  t.pass('rows survive')
}

t.test('sqlite', async t => { await holds(t, `sqlite:${t.testdir({})}/rows.sqlite`, 40) })
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await scratchUrl(t, engine)
    if (url !== undefined) await holds(t, url, 8)
  })
}
