import { UniqueIndexError } from '@fastback/core'
import { refused } from '../refused.js'
import type { SuiteCase } from '../suite-case.js'

export const uniqueCases: readonly SuiteCase[] = [
  {
    name: 'a second row with the same value is refused',
    needs: ['unique'],
    async run (t, store) {
      await store.create('Member', { email: 'a@x' })
      await refused(t, store.create('Member', { email: 'a@x' }), UniqueIndexError)
      await store.create('Member', { email: 'A@x' })
      await store.create('Member', { email: 'b@x' })
      t.equal(await store.count('Member'), 3)
    }
  },
  {
    name: 'the error names model and properties',
    needs: ['unique'],
    async run (t, store) {
      await store.create('Member', { email: 'a@x', team: 't', number: 1 })
      await refused(t, store.create('Member', { email: 'a@x' }), { modelName: 'Member', properties: ['email'] })
      await refused(t, store.create('Member', { email: 'b@x', team: 't', number: 1 }), {
        modelName: 'Member',
        properties: ['team', 'number']
      })
    }
  },
  {
    name: 'null and missing values are not compared',
    needs: ['unique'],
    async run (t, store) {
      await store.createMany('Member', [
        {},
        {},
        { email: null },
        { email: null, team: 'a' },
        { team: 'a' },
        { team: 'a', number: null }
      ])
      t.equal(await store.count('Member'), 6)
      await store.create('Member', { team: 'a', number: 1 })
      await store.create('Member', { team: 'b', number: 1 })
      await refused(t, store.create('Member', { team: 'a', number: 1 }), UniqueIndexError)
    }
  },
  {
    name: 'updates are refused as well, and change nothing',
    needs: ['unique'],
    async run (t, store) {
      await store.createMany('Member', [{ email: 'a@x' }, { email: 'b@x' }, { email: 'c@x' }])
      await refused(t, store.updateById('Member', 2, { email: 'a@x', team: 'changed' }), UniqueIndexError)
      await refused(t, store.replaceById('Member', 2, { email: 'a@x', team: 'changed' }), UniqueIndexError)
      await refused(t, store.updateAll('Member', {}, { email: 'd@x', team: 'changed' }), UniqueIndexError)
      t.same(await store.find('Member'), [{ id: 1, email: 'a@x' }, { id: 2, email: 'b@x' }, { id: 3, email: 'c@x' }])
      t.same(await store.updateById('Member', 2, { email: 'b@x', team: 'same value' }), {
        id: 2,
        email: 'b@x',
        team: 'same value'
      })
    }
  },
  {
    name: 'a value is free again after delete and after update',
    needs: ['unique'],
    async run (t, store) {
      await store.createMany('Member', [{ email: 'a@x' }, { email: 'b@x' }])
      await store.deleteAll('Member', { email: 'a@x' })
      await store.updateById('Member', 2, { email: 'c@x' })
      await store.createMany('Member', [{ email: 'a@x' }, { email: 'b@x' }])
      t.equal(await store.count('Member'), 3)
      t.same((await store.find('Member', { where: { email: 'b@x' }, fields: ['email'] })), [{ email: 'b@x' }])
    }
  },
  {
    name: 'createMany with a double stores nothing',
    needs: ['unique'],
    async run (t, store) {
      await refused(
        t,
        store.createMany('Member', [{ email: 'a@x' }, { email: 'b@x' }, { email: 'a@x' }]),
        UniqueIndexError
      )
      t.equal(await store.count('Member'), 0)
      await store.create('Member', { email: 'a@x' })
      t.equal(await store.count('Member'), 1)
    }
  },
  {
    name: 'of sixteen creates at once one is stored',
    needs: ['unique'],
    async run (t, store) {
      const results = await Promise.allSettled(
        Array.from({ length: 16 }, async () => await store.create('Member', { email: 'same@x' }))
      )
      t.equal(results.filter(result => result.status === 'fulfilled').length, 1)
      for (const result of results) {
        if (result.status === 'rejected') t.ok(result.reason instanceof UniqueIndexError, String(result.reason))
      }
      t.equal(await store.count('Member'), 1)
    }
  }
]
