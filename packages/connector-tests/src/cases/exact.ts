/** What is read finds its row, and can be put back as it was; no name and no number of properties stands in the way. */
import type { Id, Row } from '@fastback/core'
import { wideNames } from '../models.js'
import type { SuiteStore } from '../store.js'
import type { SuiteCase } from '../suite-case.js'

/** Values that are easily rounded, cut, folded, padded or taken for another type. */
const exact: readonly Row[] = [
  { name: 'a ', price: 0.1, stock: 9007199254740991, made: new Date('2020-02-29T23:59:59.999Z'), day: '2020-02-29' },
  { name: 'a', price: 0.10000000149011612, stock: -9007199254740991, made: new Date(-1), day: '0001-01-01' },
  { name: 'A', price: -0.30000000000000004, stock: 0, made: new Date(0), day: '9999-12-31', at: '00:00:00' },
  { name: 'ä', price: 16777217, stock: 1, made: new Date(1), at: '23:59:59.999999', active: false },
  { name: '', price: 1e-7, stock: 2, at: '08:30:00.1', active: true },
  { name: '01', price: 123456789.123456, labels: ['', 'a'], sizes: [0.1, -7], dims: { w: 0.1 }, data: Buffer.from([0, 255]) },
  { name: '😀', spot: { lat: 59.91273, lng: -10.74609 }, meta: { list: [null, 1], at: '2020' }, extra: [null, '1', 1] }
]

const scalars = ['name', 'price', 'stock', 'made', 'day', 'at', 'active'] as const
const ranged = ['price', 'stock', 'made', 'day', 'at'] as const

async function rowsOf (store: SuiteStore): Promise<Row[]> {
  for (const row of exact) await store.create('Item', row)
  return await store.find('Item', { order: 'id' })
}

export const exactCases: readonly SuiteCase[] = [
  {
    name: 'what a row shows finds it, and ranges begin and end there',
    async run (t, store) {
      for (const row of await rowsOf(store)) {
        for (const name of scalars) {
          const value = row[name]
          if (value === undefined) continue
          const found = async (condition: unknown): Promise<boolean> =>
            (await store.ids({ [name]: condition })).includes(row.id)
          const what = `${name} ${String(value)}`
          t.ok(await found(value), what)
          t.ok(await found({ inq: [value, null] }), `${what}: inq`)
          t.notOk(await found({ neq: value }), `${what}: neq`)
          t.notOk(await found({ nin: [value] }), `${what}: nin`)
          if (!ranged.some(each => each === name)) continue
          t.ok(await found({ between: [value, value] }), `${what}: between`)
          t.ok(await found({ lte: value }) && await found({ gte: value }), `${what}: lte, gte`)
          t.notOk(await found({ lt: value }) || await found({ gt: value }), `${what}: lt, gt`)
        }
      }
    }
  },
  {
    name: 'a row that was read can be put back, and is as it was',
    async run (t, store) {
      for (const row of await rowsOf(store)) {
        const { id, ...values } = row
        t.same(await store.replaceById('Item', id as Id, row), row)
        t.same(await store.updateById('Item', id as Id, values), row)
        t.same(await store.findById('Item', id as Id), row)
      }
    }
  },
  {
    name: 'a model of 120 properties',
    async run (t, store) {
      const row = Object.fromEntries(wideNames.map((name, i) => [name, String(i)]))
      t.same(await store.create('Wide', row), { ...row, id: 1 })
      const other = { ...row, [wideNames[119] as string]: 'other' }
      t.same((await store.createMany('Wide', [other, row])).map(({ id }) => id), [2, 3])
      t.same(await store.find('Wide', { where: { [wideNames[119] as string]: 'other' } }), [{ ...other, id: 2 }])
      t.same(await store.replaceById('Wide', 2, row), { ...row, id: 2 })
      t.equal(await store.updateAll('Wide', { [wideNames[117] as string]: '117' }, other), 3)
      const [first, ...more] = wideNames
      t.same(await store.find('Wide', { fields: [first], limit: 1 }), [{ [first as string]: '0' }])
      t.equal(await store.count('Wide', Object.fromEntries(more.map(name => [name, other[name]]))), 3)
    }
  },
  {
    name: 'writes by a list of a thousand ids are those of these rows',
    async run (t, store) {
      await store.createMany('Item', Array.from({ length: 1200 }, (_, i) => ({ stock: i })))
      const ids = Array.from({ length: 1000 }, (_, i) => i + 101)
      t.equal(await store.updateAll('Item', { id: { inq: ids } }, { name: 'listed' }), 1000)
      t.same(await store.ids({ name: 'listed' }, { order: 'id' }), ids)
      t.equal(await store.deleteAll('Item', { id: { inq: [...ids, 5000] } }), 1000)
      t.equal(await store.count('Item'), 200)
    }
  }
]
