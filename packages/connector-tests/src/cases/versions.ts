import type { Row } from '@fastback/core'
import type { Test } from 'tap'
import type { SuiteStore } from '../store.js'
import type { SuiteCase } from '../suite-case.js'

/** How often two writers meet in one case. */
const rounds = 20

/** Both models, with the name of their version. */
const each = async (run: (name: string, version: string) => Promise<void>): Promise<void> => {
  await run('Counted', 'version')
  await run('Marked', 'mark')
}

const countOf = async (store: SuiteStore, name: string, version: string): Promise<unknown> =>
  (await store.findById(name, 1))?.[version]

/** Two writers that read a row and write what they saw, plus one; how many of their writes held. */
async function race (t: Test, store: SuiteStore, write: (seen: Row) => Promise<Row | undefined>): Promise<number> {
  let written = (await store.findById('Counted', 1))?.size as number
  const writer = async (): Promise<void> => {
    const seen = await store.findById('Counted', 1) as Row
    if (await write(seen) !== undefined) written++
  }
  for (let i = 0; i < rounds; i++) await Promise.all([writer(), writer()])
  t.equal((await store.findById('Counted', 1))?.size, written, 'what was written is there, all of it')
  return written
}

export const versionCases: readonly SuiteCase[] = [
  {
    name: 'each write counts, whatever it is given for the version',
    async run (t, store) {
      await each(async (name, version) => {
        await store.create(name, { name: 'a', [version]: 1 })
        t.match(await store.updateById(name, 1, { name: 'b' }), { name: 'b', [version]: 2 })
        t.match(await store.updateById(name, 1, { name: 'c', [version]: 77 }), { name: 'c', [version]: 3 })
        t.match(await store.replaceById(name, 1, { id: 1, name: 'd', [version]: 77 }), { name: 'd', [version]: 4 })
        t.equal(await store.updateAll(name, { name: 'd' }, { name: 'e', [version]: 77 }), 1)
        t.match(await store.findById(name, 1), { name: 'e', [version]: 5 })
      })
    }
  },
  {
    name: 'a write that changes nothing counts as well',
    async run (t, store) {
      await each(async (name, version) => {
        await store.create(name, { name: 'a', [version]: 1 })
        t.match(await store.updateById(name, 1, {}), { name: 'a', [version]: 2 })
        await store.updateAll(name, {}, { name: 'a' })
        t.equal(await countOf(store, name, version), 3)
      })
    }
  },
  {
    name: 'each of many rows counts for itself',
    async run (t, store) {
      await store.createMany('Counted', [{ name: 'a', version: 1 }, { name: 'b', version: 5 }, { name: 'c', version: 1 }])
      t.equal(await store.updateAll('Counted', { name: { neq: 'c' } }, { size: 1 }), 2)
      t.same((await store.find('Counted')).map(({ version }) => version), [2, 6, 1])
    }
  },
  {
    name: 'a row that was stored without a version has had none',
    async run (t, store) {
      await each(async (name, version) => {
        await store.create(name, { name: 'a' })
        t.equal(await store.updateById(name, 1, { name: 'b' }, { ifVersion: 1 }), undefined)
        t.match(await store.updateById(name, 1, { name: 'b' }, { ifVersion: 0 }), { name: 'b', [version]: 1 })
        t.match(await store.updateById(name, 1, { name: 'c' }), { [version]: 2 })
      })
    }
  },
  {
    name: 'a row is written only with the version that is wanted',
    async run (t, store) {
      await each(async (name, version) => {
        await store.create(name, { name: 'a', [version]: 3 })
        for (const ifVersion of [0, 1, 2, 4]) {
          t.equal(await store.updateById(name, 1, { name: 'b' }, { ifVersion }), undefined)
          t.equal(await store.updateById(name, 1, {}, { ifVersion }), undefined)
          t.equal(await store.replaceById(name, 1, { id: 1, name: 'b' }, { ifVersion }), undefined)
        }
        t.match(await store.findById(name, 1), { name: 'a', [version]: 3 })
        t.match(await store.updateById(name, 1, { name: 'b' }, { ifVersion: 3 }), { name: 'b', [version]: 4 })
        t.match(await store.replaceById(name, 1, { id: 1, name: 'c' }, { ifVersion: 4 }), { name: 'c', [version]: 5 })
        t.equal(await store.updateById(name, 9, { name: 'b' }, { ifVersion: 3 }), undefined)
      })
    }
  },
  {
    name: 'what a unique index refuses is not counted',
    needs: ['unique'],
    async run (t, store) {
      await store.createMany('Counted', [{ name: 'a', version: 1 }, { name: 'b', version: 1 }])
      await t.rejects(store.updateById('Counted', 1, { name: 'b' }))
      t.equal(await countOf(store, 'Counted', 'version'), 1)
    }
  },
  {
    name: 'of two who write what they saw, one does',
    async run (t, store) {
      await store.create('Counted', { name: 'a', size: 0, version: 1 })
      const written = await race(t, store, async ({ version, size }) =>
        await store.updateById('Counted', 1, { size: size as number + 1 }, { ifVersion: version as number }))
      t.ok(written >= rounds, 'one in each round')
      await race(t, store, async ({ version, size, name }) => await store.replaceById(
        'Counted', 1, { id: 1, name, size: size as number + 1 }, { ifVersion: version as number }
      ))
    }
  }
]
