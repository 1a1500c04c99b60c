import type { Id, Row } from '@fastback/core'
import type { SuiteCase } from '../suite-case.js'

export const writeCases: readonly SuiteCase[] = [
  {
    name: 'updateById sets values and gives the whole row',
    async run (t, store) {
      await store.create('Item', { name: 'Mug', price: 12, labels: ['a'], meta: { a: 1, b: 2 } })
      t.same(await store.updateById('Item', 1, { price: 13, meta: { a: 3 } }), {
        id: 1,
        name: 'Mug',
        price: 13,
        labels: ['a'],
        meta: { a: 3 }
      })
      t.same(await store.findById('Item', 1), { id: 1, name: 'Mug', price: 13, labels: ['a'], meta: { a: 3 } })
      t.equal(await store.updateById('Item', 99, { price: 1 }), undefined)
      t.equal(await store.count('Item'), 1)
    }
  },
  {
    name: 'every write gives the row that a read gives',
    async run (t, store) {
      const row = { name: 'Mug', price: 0.1, stock: null, active: false, made: new Date(5), labels: ['a', ''], meta: { a: [] } }
      const gives = async (answer: Row | undefined, what: string): Promise<void> => {
        t.same(answer, await store.findById('Item', answer?.id as Id), what)
      }
      await gives(await store.create('Item', row), 'create')
      await gives(await store.create('Item', {}), 'create of nothing')
      for (const answer of await store.createMany('Item', [row, { price: 2 }])) await gives(answer, 'createMany')
      await gives(await store.replaceById('Item', 1, { id: 1, price: 3, active: null }), 'replaceById')
      await gives(await store.updateById('Item', 1, { name: 'Cup', price: null }), 'updateById')
      await gives((await store.findOrCreate('Item', { where: { price: 77 } }, { ...row, price: 77 })).row, 'findOrCreate')
    }
  },
  {
    name: 'updateById with nothing to change gives the row',
    async run (t, store) {
      await store.create('Item', { name: 'Mug' })
      t.same(await store.updateById('Item', 1, {}), { id: 1, name: 'Mug' })
      t.equal(await store.updateById('Item', 2, {}), undefined)
    }
  },
  {
    name: 'undefined takes a value away, null is a value',
    async run (t, store) {
      await store.create('Item', { name: 'Mug', price: 12, stock: 1 })
      const changed = await store.updateById('Item', 1, { price: undefined, stock: null })
      t.notOk(changed?.price ?? undefined)
      t.equal(changed?.stock, null)
      t.equal(await store.updateAll('Item', {}, { name: undefined }), 1)
      t.same(await store.ids({ name: null, price: null, stock: null }), [1])
    }
  },
  {
    name: 'updateAll changes what matches and says how much',
    async run (t, store) {
      await store.seed()
      t.equal(await store.updateAll('Item', { shelf: 1 }, { price: 1, active: false, labels: ['sold'] }), 3)
      t.same(await store.ids({ price: 1, active: false, labels: 'sold' }), [1, 2, 3])
      t.equal(await store.updateAll('Item', { shelf: 77 }, { price: 2 }), 0)
      t.equal(await store.updateAll('Item', undefined, { shelf: 9 }), 8)
      t.equal(await store.count('Item', { shelf: 9 }), 8)
      t.equal(await store.count('Item', { shelf: 1 }), 0)
    }
  },
  {
    name: 'updateAll may change what its condition speaks of',
    async run (t, store) {
      await store.seed()
      t.equal(await store.updateAll('Item', { price: { lt: 10 } }, { price: 5 }), 3)
      t.same(await store.ids({ price: 5 }), [1, 2, 8])
    }
  },
  {
    name: 'replaceById leaves nothing of the row but its id',
    async run (t, store) {
      await store.create('Item', { name: 'Mug', price: 12, meta: { a: 1 } })
      t.same(await store.replaceById('Item', 1, { name: 'Cup' }), { id: 1, name: 'Cup' })
      t.same(await store.find('Item'), [{ id: 1, name: 'Cup' }])
      t.same(await store.replaceById('Item', 1, { id: 1, price: 2 }), { id: 1, price: 2 })
      t.equal(await store.replaceById('Item', 2, { name: 'x' }), undefined)
      t.equal(await store.count('Item'), 1)
    }
  },
  {
    name: 'findOrCreate finds the first match or creates the row',
    async run (t, store) {
      t.same(await store.findOrCreate('Item', { where: { name: 'a' } }, { name: 'a', price: 1 }), {
        row: { id: 1, name: 'a', price: 1 },
        created: true
      })
      t.same(await store.findOrCreate('Item', { where: { name: 'a' } }, { name: 'a', price: 2 }), {
        row: { id: 1, name: 'a', price: 1 },
        created: false
      })
      await store.create('Item', { name: 'a', price: 9 })
      t.match(await store.findOrCreate('Item', { where: { name: 'a' }, order: 'price DESC' }, { name: 'a' }), {
        row: { id: 2, price: 9 },
        created: false
      })
      t.equal(await store.count('Item'), 2)
    }
  },
  {
    name: 'findOrCreate at the same time makes one row',
    async run (t, store) {
      const results = await Promise.all(
        Array.from(
          { length: 8 },
          async () => await store.findOrCreate('Item', { where: { name: 'one' } }, { name: 'one' })
        )
      )
      t.equal(results.filter(result => result.created).length, 1)
      t.equal(new Set(results.map(result => result.row.id)).size, 1)
      t.equal(await store.count('Item'), 1)
    }
  }
]
