import type { SuiteCase } from '../suite-case.js'

export const migrationCases: readonly SuiteCase[] = [
  {
    name: 'autoupdate keeps the rows and leaves nothing to do',
    async run (t, store) {
      await store.seed()
      const models = [store.model('Item'), store.model('Word')]
      await store.connector.autoupdate(models)
      t.equal(await store.count('Item'), 8)
      t.equal(await store.connector.isActual(models), true)
    }
  },
  {
    name: 'automigrate empties the tables of the models named, and only those',
    async run (t, store) {
      await store.create('Word', { key: 'a' })
      await store.create('Strict', { name: 'stays' })
      await store.create('Item', { name: 'goes' })
      await store.connector.automigrate([store.model('Item'), store.model('Word')])
      t.equal(await store.count('Item'), 0)
      t.equal(await store.count('Word'), 0)
      t.same(await store.find('Strict', { fields: ['id', 'name'] }), [{ id: 1, name: 'stays' }])
    }
  },
  {
    name: 'a property that is defined late can be used after autoupdate',
    async run (t, store) {
      await store.create('Strict', { name: 'old' })
      const Strict = store.registry.getModel('Strict')
      if (!store.model('Strict').propertyByName.has('weight')) {
        Strict.defineProperty('weight', { type: 'number', index: true })
      }
      await store.connector.autoupdate([store.model('Strict')])
      t.equal(await store.connector.isActual([store.model('Strict')]), true)
      await store.create('Strict', { name: 'new', size: 1, weight: 3 })
      t.same(await store.find('Strict', { where: { weight: { gt: 2 } } }), [{ id: 2, name: 'new', size: 1, weight: 3 }])
      t.same(await store.find('Strict', { where: { weight: 3 } }), [{ id: 2, name: 'new', size: 1, weight: 3 }])
      t.same(await store.find('Strict', { where: { weight: null }, fields: ['name'] }), [{ name: 'old' }])
    }
  }
]
