import { refused } from '../refused.js'
import type { SuiteCase } from '../suite-case.js'

export const crudCases: readonly SuiteCase[] = [
  {
    name: 'create gives the row back with its id, and find gives it again',
    async run (t, store) {
      const made = await store.create('Item', { name: 'Mug', price: 12 })
      t.same(made, { id: 1, name: 'Mug', price: 12 })
      t.same(await store.find('Item'), [{ id: 1, name: 'Mug', price: 12 }])
      t.same(await store.findById('Item', 1), { id: 1, name: 'Mug', price: 12 })
    }
  },
  {
    name: 'values that were never set have no key',
    async run (t, store) {
      await store.create('Item', { name: 'Mug' })
      t.same(Object.keys((await store.findById('Item', 1)) ?? {}).sort(), ['id', 'name'])
    }
  },
  {
    name: 'rows given and rows got are copies',
    async run (t, store) {
      const given = { name: 'Mug', labels: ['a'], meta: { deep: { er: 1 } }, made: new Date(0) }
      const made = await store.create('Item', given)
      given.labels.push('b')
      given.meta.deep.er = 2
      given.made.setTime(1)
      ;(made.labels as string[]).push('c')
      const [first] = await store.find('Item')
      t.same(first, { id: 1, name: 'Mug', labels: ['a'], meta: { deep: { er: 1 } }, made: new Date(0) })
      ;(first?.labels as string[]).push('d')
      t.same((await store.findById('Item', 1))?.labels, ['a'])
    }
  },
  {
    name: 'createMany stores all rows, in order',
    async run (t, store) {
      const made = await store.createMany('Item', [{ name: 'a' }, { name: 'b' }, { name: 'c', price: 1 }])
      t.same(made, [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, { id: 3, name: 'c', price: 1 }])
      t.same(await store.createMany('Item', []), [])
      t.equal(await store.count('Item'), 3)
    }
  },
  {
    name: 'createMany stores many rows, whatever each of them has',
    async run (t, store) {
      const rows = Array.from({ length: 700 }, (_, i) => i % 3 === 0 ? { key: `k${i}` } : { key: `k${i}`, value: i })
      t.same(await store.createMany('Word', rows), rows)
      t.same((await store.find('Word')).length, 700)
      t.same(await store.findById('Word', 'k400'), rows[400])
      await refused(t, store.createMany('Word', [...rows.map(({ key }) => ({ key: `n${key}` })), { key: 'k5' }]), { statusCode: 409 })
      t.equal(await store.count('Word'), 700)
    }
  },
  {
    name: 'createMany stores many rows, with properties of their own',
    needs: ['open'],
    async run (t, store) {
      const rows = Array.from({ length: 700 }, (_, i) => ({ key: `k${i}`, [`p${i % 2}`]: i }))
      t.same(await store.createMany('Word', rows), rows)
      t.same(await store.findById('Word', 'k400'), rows[400])
    }
  },
  {
    name: 'createMany stores all rows or none',
    async run (t, store) {
      await store.create('Word', { key: 'b', value: 1 })
      await refused(t, store.createMany('Word', [{ key: 'a' }, { key: 'b' }, { key: 'c' }]), { statusCode: 409 })
      t.same(await store.find('Word'), [{ key: 'b', value: 1 }])
    }
  },
  {
    name: 'findById of a row that is not there is undefined',
    async run (t, store) {
      t.equal(await store.findById('Item', 1), undefined)
      t.equal(await store.findById('Word', 'nothing'), undefined)
    }
  },
  {
    name: 'deleteAll removes what matches and says how much',
    async run (t, store) {
      await store.seed()
      t.equal(await store.deleteAll('Item', { shelf: 1 }), 3)
      t.equal(await store.deleteAll('Item', { shelf: 1 }), 0)
      t.same(await store.ids({}), [4, 5, 6, 7, 8])
      t.equal(await store.deleteAll('Item', { id: 6 }), 1)
      t.equal(await store.deleteAll('Item'), 4)
      t.equal(await store.count('Item'), 0)
    }
  },
  {
    name: 'count counts what matches',
    async run (t, store) {
      await store.seed()
      t.equal(await store.count('Item'), 8)
      t.equal(await store.count('Item', { shelf: 2 }), 2)
      t.equal(await store.count('Item', { price: { gt: 1000 } }), 0)
      t.equal(await store.count('Item', { or: [{ id: 1 }, { id: 99 }] }), 1)
    }
  },
  {
    name: 'models do not see one another',
    async run (t, store) {
      await store.create('Item', { name: 'a' })
      await store.create('Strict', { name: 'b', size: 1 })
      t.same(await store.find('Item'), [{ id: 1, name: 'a' }])
      t.same(await store.find('Strict'), [{ id: 1, name: 'b', size: 1 }])
    }
  },
  {
    name: 'properties that the definition does not have are kept',
    needs: ['open'],
    async run (t, store) {
      await store.create('Item', {
        name: 'a',
        colour: 'red',
        inner: { list: [1, { two: 2 }] },
        toString: 'data',
        then: 1
      })
      t.same(await store.findById('Item', 1), {
        id: 1,
        name: 'a',
        colour: 'red',
        inner: { list: [1, { two: 2 }] },
        toString: 'data',
        then: 1
      })
      await store.create('Item', { name: 'without' })
      t.same(await store.ids({ toString: 'data' }), [1])
      t.same(await store.ids({ toString: null }), [2])
      t.same(await store.ids({ valueOf: { exists: true } }), [])
      await store.deleteAll('Item', { id: 2 })
      t.same(await store.ids({ colour: 'red' }), [1])
      t.same(await store.ids({ 'inner.list.two': 2 }), [1])
      t.same((await store.updateById('Item', 1, { colour: 'blue', weight: 3 }))?.colour, 'blue')
      t.same(await store.ids({ weight: { gt: 2 } }), [1])
      t.same((await store.find('Item', { fields: ['colour', 'name'] })), [{ name: 'a', colour: 'blue' }])
      t.same(await store.replaceById('Item', 1, { name: 'b' }), { id: 1, name: 'b' })
    }
  },
  {
    name: 'ping answers',
    async run (t, store) {
      await t.resolves(Promise.resolve(store.connector.ping()))
    }
  }
]
