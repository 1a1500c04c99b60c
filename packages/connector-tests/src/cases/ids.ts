import { refused } from '../refused.js'
import type { SuiteCase } from '../suite-case.js'

export const idCases: readonly SuiteCase[] = [
  {
    name: 'number ids go up and are never used twice',
    async run (t, store) {
      for (const name of ['a', 'b', 'c']) await store.create('Item', { name })
      await store.deleteAll('Item', { id: 3 })
      t.equal((await store.create('Item', { name: 'd' })).id, 4)
      await store.deleteAll('Item')
      t.equal((await store.create('Item', { name: 'e' })).id, 5)
    }
  },
  {
    name: 'an id that is given is kept, and later ones are above it',
    async run (t, store) {
      t.equal((await store.create('Item', { id: 10, name: 'a' })).id, 10)
      t.equal((await store.create('Item', { name: 'b' })).id, 11)
      t.equal((await store.create('Item', { id: 5, name: 'c' })).id, 5)
      t.equal((await store.create('Item', { name: 'd' })).id, 12)
      t.same(await store.ids({}), [5, 10, 11, 12])
    }
  },
  {
    name: 'an id that is taken is refused with 409, and the row stays',
    async run (t, store) {
      await store.create('Item', { id: 1, name: 'first' })
      await refused(t, store.create('Item', { id: 1, name: 'second' }), { statusCode: 409, code: 'DUPLICATE_ID' })
      await store.create('Word', { key: 'a', value: 1 })
      await refused(t, store.create('Word', { key: 'a', value: 2 }), { statusCode: 409, code: 'DUPLICATE_ID' })
      t.same(await store.find('Item'), [{ id: 1, name: 'first' }])
      t.same(await store.find('Word'), [{ key: 'a', value: 1 }])
    }
  },
  {
    name: 'text ids are exact: case, blanks, wildcards and digits count',
    async run (t, store) {
      const keys = ['a', 'A', ' a', 'a%', '1', '01', "o'clock", '"q"', 'é', '😀', 'x\\y']
      for (const [value, key] of keys.entries()) await store.create('Word', { key, value })
      for (const [value, key] of keys.entries()) t.same(await store.findById('Word', key), { key, value }, key)
      t.equal(await store.findById('Word', '%'), undefined)
      t.equal(await store.findById('Word', 'a '), undefined)
      t.same((await store.find('Word')).map(row => row.key), [...keys].sort())
    }
  },
  {
    name: 'rows made at the same time get different ids',
    async run (t, store) {
      const made = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => await store.create('Item', { name: `n${i}` }))
      )
      t.equal(new Set(made.map(row => row.id)).size, 20)
      t.equal(await store.count('Item'), 20)
    }
  },
  {
    name: 'of two rows with one id made at the same time one is stored',
    async run (t, store) {
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, async (_, value) => await store.create('Word', { key: 'same', value }))
      )
      t.equal(results.filter(result => result.status === 'fulfilled').length, 1)
      for (const result of results) if (result.status === 'rejected') t.match(result.reason, { statusCode: 409 })
      t.equal(await store.count('Word'), 1)
    }
  }
]
