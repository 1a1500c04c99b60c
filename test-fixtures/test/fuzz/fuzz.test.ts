// FASTBACK_TEST_FULL: random requests to processes of their own.
/**
 * Random hostile requests to every route of an application of every kind of model (`npm run fuzz` does the same for
 * longer), and the faults of earlier runs again.
 */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { Attacker, confirmed, faultText, readSeed } from '@fastback/test-fixtures/fuzz'
import { shortRun } from './short-run.js'

const checkout = fileURLToPath(new URL('../../../', import.meta.url))
const seeds = fileURLToPath(new URL('../../fuzz-seeds/', import.meta.url))

for (const store of ['memory', 'sqlite'] as const) {
  t.test(`P-01: hostile requests on ${store}`, async t => {
    await shortRun(t, 'fuzzed', { dir: path.join(checkout, 'test-fixtures/apps/fuzzed'), store, reached: 0.2 })
  })
}

t.test('what once gave way', async t => {
  const kept = readdirSync(seeds)
    .filter(name => name.endsWith('.json'))
    .map(name => ({ name, ...readSeed(path.join(seeds, name)) }))
  const byTarget = groupBy(kept, ({ app, store }) => `${app} ${store}`)
  for (const group of byTarget.values()) {
    const [{ app, store }] = group as [typeof kept[number]]
    const dir = path.join(checkout, app)
    if (!existsSync(dir)) {
      t.comment(`no folder ${app} here: ${group.length} seeds left out`)
      continue
    }
    const attacker = new Attacker({ dir, store, slow: 5_000, mayFail: group.flatMap(each => each.mayFail ?? []) })
    try {
      for (const { name, session } of group) {
        const fault = await confirmed(attacker, session)
        t.equal(
          fault && faultText({ fault, session, replay: name, repeatable: true }, 'http://127.0.0.1:3000'),
          undefined,
          name
        )
      }
    } finally {
      await attacker.end()
    }
  }
})

function groupBy<T> (list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) groups.set(keyOf(item), [...groups.get(keyOf(item)) ?? [], item])
  return groups
}
