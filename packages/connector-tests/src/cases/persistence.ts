import { UniqueIndexError } from '@fastback/core'
import { refused } from '../refused.js'
import type { SuiteCase } from '../suite-case.js'

export const persistenceCases: readonly SuiteCase[] = [
  {
    name: 'rows are there after a restart, every value with its type',
    async run (t, store) {
      await store.seed()
      const row = { name: 'é, 😀 and \0', big: 9007199254740991, data: Buffer.from([0, 255]), extra: [{ any: 'thing' }] }
      await store.create('Item', row)
      const before = await store.find('Item')
      await store.reopen()
      t.same(await store.find('Item'), before)
      t.same(await store.ids({ made: { lt: '2019-01-01' } }), [3, 6])
      t.ok(Buffer.isBuffer((await store.findById('Item', 9))?.data))
    }
  },
  {
    name: 'changes and deletions are there after a restart',
    async run (t, store) {
      await store.createMany('Strict', [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }])
      await store.updateById('Strict', 1, { size: 1 })
      await store.replaceById('Strict', 2, { size: 2 })
      await store.updateAll('Strict', { name: 'c' }, { size: 3 })
      await store.deleteAll('Strict', { name: 'd' })
      await store.reopen()
      t.same(await store.find('Strict'), [{ id: 1, name: 'a', size: 1 }, { id: 2, size: 2 }, { id: 3, name: 'c', size: 3 }])
    }
  },
  {
    name: 'what was acknowledged is there, however many writes there were at once',
    async run (t, store) {
      const made = await Promise.all(
        Array.from({ length: 50 }, async (_, i) => await store.create('Word', { key: `k${i}`, value: i }))
      )
      await store.reopen()
      t.equal(made.length, 50)
      t.equal(await store.count('Word'), 50)
      t.same(await store.findById('Word', 'k49'), { key: 'k49', value: 49 })
    }
  },
  {
    name: 'ids are not used twice, also after a restart',
    async run (t, store) {
      await store.createMany('Item', [{ name: 'a' }, { name: 'b' }])
      await store.deleteAll('Item', { id: 2 })
      await store.reopen()
      t.equal((await store.create('Item', { name: 'c' })).id, 3)
    }
  },
  {
    name: 'unique indexes hold after a restart',
    needs: ['unique'],
    async run (t, store) {
      await store.create('Member', { email: 'a@x' })
      await store.reopen()
      await refused(t, store.create('Member', { email: 'a@x' }), UniqueIndexError)
      t.equal(await store.count('Member'), 1)
    }
  },
  {
    name: 'tables are up to date after a restart',
    async run (t, store) {
      await store.seed()
      await store.reopen()
      const models = [store.model('Item'), store.model('Word')]
      t.equal(await store.connector.isActual(models), true)
      await store.connector.autoupdate(models)
      t.equal(await store.count('Item'), 8)
    }
  }
]
