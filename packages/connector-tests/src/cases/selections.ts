import type { SuiteCase } from '../suite-case.js'

export const selectionCases: readonly SuiteCase[] = [
  {
    name: 'only what is selected is in the rows',
    async run (t, store) {
      await store.seed()
      t.same(await store.find('Item', { where: { id: 4 }, fields: ['name', 'price'] }), [{ name: 'Mug', price: 12 }])
      t.same(await store.find('Item', { where: { id: { lt: 3 } }, fields: { name: true } }), [
        { name: 'Assam' },
        { name: 'Sencha' }
      ])
      t.same(await store.find('Item', { where: { id: 5 }, fields: ['id', 'sizes', 'stock'] }), [{ id: 5, stock: 7 }])
      const [rest] = await store.find('Item', {
        where: { id: 4 },
        fields: { labels: false, sizes: false, dims: false, spot: false, extra: false }
      })
      t.same(rest, { id: 4, name: 'Mug', price: 12, stock: 25, active: true, made: new Date('2021-01-10'), shelf: 2 })
    }
  },
  {
    name: 'order and condition may speak of what is not selected',
    async run (t, store) {
      await store.seed()
      t.same(await store.find('Item', { where: { shelf: 1 }, order: 'price DESC', fields: 'name' }), [
        { name: 'Puer' },
        { name: 'Sencha' },
        { name: 'Assam' }
      ])
    }
  },
  {
    name: 'a selection of nothing that a row has is an empty row',
    async run (t, store) {
      await store.seed()
      t.same(await store.find('Item', { where: { id: 8 }, fields: ['big'] }), [{}])
      t.same(await store.find('Strict', { fields: ['nothing'] }), [])
      await store.create('Strict', { name: 'a' })
      t.same(await store.find('Strict', { fields: ['nothing'] }), [{}])
    }
  },
  {
    name: 'findById selects, too',
    async run (t, store) {
      await store.seed()
      const model = store.model('Item')
      t.same(await store.connector.findById(model, 4, { names: ['name', 'extra'], extra: 'none' }, {}), {
        name: 'Mug',
        extra: 7
      })
    }
  }
]
