import type { Connector, StoredValue, NewRow, StoreOptions, TogetherSupport } from '@fastback/core'
import { refused } from '../refused.js'
import type { SuiteStore } from '../store.js'
import type { SuiteCase } from '../suite-case.js'

const of = (connector: Connector): TogetherSupport => connector.together as TogetherSupport

/** The number of the word `now`. */
const now = (store: SuiteStore): StoredValue => ({ model: store.model('Word'), id: 'now', property: 'value' })

const word = (store: SuiteStore, key: string, value?: number) =>
  ({ model: store.model('Word'), row: value === undefined ? { key } : { key, value } })

const create = async (store: SuiteStore, rows: readonly NewRow[], options: StoreOptions) =>
  await of(store.connector).create(rows, now(store), options)

export const togetherCases: readonly SuiteCase[] = [
  {
    name: 'rows are stored with the value of one that is there; the first is given back',
    async run (t, store) {
      await store.create('Word', { key: 'now', value: 7 })
      const rows = [word(store, 'a', 1), { ...word(store, 'b'), keptAs: 'value' }]
      const stored = await create(store, rows, {})
      t.same(stored, { key: 'a', value: 1 })
      t.same(await store.find('Word'), [{ key: 'a', value: 1 }, { key: 'b', value: 7 }, { key: 'now', value: 7 }])
    }
  },
  {
    name: 'without the row that has the value nothing is stored',
    async run (t, store) {
      t.equal(await create(store, [word(store, 'a', 1)], {}), undefined)
      t.equal(await store.count('Word'), 0)
    }
  },
  {
    name: 'all rows are stored or none, also in a transaction, which goes on',
    async run (t, store) {
      await store.create('Word', { key: 'now', value: 7 })
      await store.create('Word', { key: 'taken', value: 1 })
      const rows = [word(store, 'a', 1), { ...word(store, 'taken'), keptAs: 'value' }]
      await refused(t, create(store, rows, {}), { code: 'DUPLICATE_ID' })
      const { transactions } = store.connector
      const transaction = await transactions?.begin({})
      await refused(t, create(store, rows, { transaction }), { code: 'DUPLICATE_ID' })
      await create(store, [word(store, 'b', 2)], { transaction })
      await transactions?.commit(transaction)
      t.same((await store.find('Word')).map(({ key }) => key), ['b', 'now', 'taken'])
    }
  },
  {
    name: 'whole rows are put in the place of those that are there',
    async run (t, store) {
      await store.createMany('Word', [{ key: 'a', value: 1 }, { key: 'b', value: 2 }, { key: 'c', value: 3 }])
      const words = store.model('Word')
      await of(store.connector).put(words, [{ key: 'a', value: 10, more: 'x' }, { key: 'b' }, { key: 'd', value: 4 }], {})
      t.same(await store.find('Word'), [
        { key: 'a', value: 10, more: 'x' }, { key: 'b' }, { key: 'c', value: 3 }, { key: 'd', value: 4 }
      ])
    }
  },
  {
    name: 'many rows are put at once, and taken back with their transaction',
    async run (t, store) {
      const words = store.model('Word')
      const rows = Array.from({ length: 700 }, (_, i) => ({ key: `k${i}`, value: i }))
      await of(store.connector).put(words, rows, {})
      const { transactions } = store.connector
      const transaction = await transactions?.begin({})
      await of(store.connector).put(words, rows.map(({ key }) => ({ key, value: -1 })), { transaction })
      await transactions?.rollback(transaction)
      t.equal(await store.count('Word', { value: { gte: 0 } }), 700)
    }
  },
  {
    name: 'a row is stored with the number after the largest one among those like it, where the store can count',
    async run (t, store) {
      const { together } = store.connector
      const words = store.model('Word')
      const next = async (key: string, options: StoreOptions = {}): Promise<number | undefined> =>
        await together?.createNext?.(words, { key, more: 'x' }, { property: 'value', among: 'more' }, options)
      await store.createMany('Word', [{ key: 'a', value: 7, more: 'x' }, { key: 'b', value: 9, more: 'y' }])
      const first = await next('c')
      if (first === undefined) {
        t.equal(await store.count('Word'), 2, 'nothing is stored where it cannot')
        return
      }
      t.strictSame([first, await next('d')], [8, 9])
      t.same(await store.find('Word', { key: { inq: ['c', 'd'] } }), [
        { key: 'c', value: 8, more: 'x' }, { key: 'd', value: 9, more: 'x' }
      ])
      t.equal(await together?.createNext?.(
        words, { key: 'e', more: 'z' }, { property: 'value', among: 'more' }, {}), 1, 'the first one is 1')
      await refused(t, next('a'), { code: 'DUPLICATE_ID' })
    }
  }
]
