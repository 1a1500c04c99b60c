import type { SuiteCase } from '../suite-case.js'

export const orderCases: readonly SuiteCase[] = [
  {
    name: 'without order rows come by id',
    async run (t, store) {
      for (const id of [5, 30, 4, 100]) await store.create('Item', { id })
      t.same(await store.ids({}), [4, 5, 30, 100])
      t.same(await store.ids({ id: { inq: [100, 4, 30] } }), [4, 30, 100])
      for (const key of ['b', 'a10', 'a9', 'B']) await store.create('Word', { key })
      t.same((await store.find('Word')).map(row => row.key), ['B', 'a10', 'a9', 'b'])
    }
  },
  {
    name: 'one key, several keys, both directions; equal rows by id',
    async run (t, store) {
      await store.seed()
      t.same(await store.ids({ name: { neq: null } }, { order: 'name' }), [1, 6, 5, 8, 4, 3, 2])
      t.same(await store.ids({ name: { neq: null } }, { order: 'name DESC' }), [2, 3, 4, 8, 5, 6, 1])
      t.same(await store.ids({ price: { neq: null } }, { order: 'price DESC' }), [6, 3, 5, 4, 2, 1, 8])
      t.same(await store.ids({ made: { neq: null } }, { order: ['made DESC', 'name ASC'] }), [4, 5, 2, 1, 3, 6])
      t.same(await store.ids({ made: { neq: null } }, { order: 'made ASC, price DESC' }), [6, 3, 1, 5, 2, 4])
      t.same(await store.ids({ shelf: { neq: null } }, { order: 'shelf DESC' }), [6, 4, 5, 1, 2, 3])
      t.same(await store.ids({}, { order: 'id DESC', limit: 3 }), [8, 7, 6])
      t.same(await store.ids({ active: { neq: null } }, { order: ['active ASC', 'price DESC'] }), [6, 3, 5, 4, 2, 1])
    }
  },
  {
    name: 'order by a path, by numbers in it too',
    async run (t, store) {
      await store.seed()
      t.same(await store.ids({ 'dims.w': { gt: 0 } }, { order: 'dims.w DESC' }), [1, 4, 2])
      t.same(await store.ids({ 'meta.origin': { neq: null } }, { order: 'meta.origin' }), [3, 1, 2])
      t.same(await store.ids({ id: { lt: 4 } }, { order: 'parts.0.k DESC' }), [2, 1, 3])
    }
  },
  {
    name: 'text is ordered by code units: capitals first, marks after letters',
    async run (t, store) {
      for (const name of ['b', 'B', 'a', 'é', 'Z', 'ab', 'a b', '']) await store.create('Item', { name })
      t.same(
        (await store.find('Item', { order: 'name' })).map(row => row.name),
        ['', 'B', 'Z', 'a', 'a b', 'ab', 'b', 'é']
      )
    }
  },
  {
    name: 'limit and skip',
    async run (t, store) {
      await store.seed()
      t.same(await store.ids({}, { limit: 2 }), [1, 2])
      t.same(await store.ids({}, { limit: 2, skip: 2 }), [3, 4])
      t.same(await store.ids({}, { skip: 6 }), [7, 8])
      t.same(await store.ids({}, { skip: 100 }), [])
      t.same(await store.ids({}, { limit: 100 }), [1, 2, 3, 4, 5, 6, 7, 8])
      t.same(await store.ids({ name: { neq: null } }, { limit: 3, order: 'name ASC', skip: 1 }), [6, 5, 8])
      t.same(await store.ids({ shelf: 1 }, { limit: 1, skip: 1 }), [2])
      t.same(await store.ids({ shelf: { inq: [1, 2] } }, { limit: 2, skip: 2 }), [3, 4])
    }
  },
  {
    name: 'pages of many rows fit together',
    async run (t, store) {
      await store.createMany(
        'Item',
        Array.from({ length: 200 }, (_, i) => ({ name: `n${i % 7}`, price: (i * 37) % 100 }))
      )
      const all = await store.ids({}, { order: ['name', 'price DESC'] })
      const pages: unknown[] = []
      for (let skip = 0; skip < 200; skip += 30) {
        pages.push(...(await store.ids({}, { order: ['name', 'price DESC'], limit: 30, skip })))
      }
      t.same(pages, all)
      t.equal(new Set(all).size, 200)
    }
  }
]
