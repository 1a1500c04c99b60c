/** `onDelete` of relations: the same in every store, whether it knows of keys or not. */
import type { Row } from '@fastback/core'
import type { SuiteCase } from '../suite-case.js'
import type { SuiteStore } from '../store.js'

/** A firm with offices, their desks, a subsidiary, a contract and a visitor. */
async function found (store: SuiteStore): Promise<void> {
  await store.createMany('Firm', [{ name: 'a' }, { name: 'b' }, { name: 'c', ownerId: 1 }])
  await store.createMany('Office', [{ firmId: 1 }, { firmId: 1 }, { firmId: 2 }])
  await store.createMany('Desk', [{ officeId: 1 }, { officeId: 2 }, { officeId: 3 }])
  await store.createMany('Visitor', [{ firmId: 1, name: 'v' }, { firmId: 2, name: 'w' }])
}

async function destroy (store: SuiteStore, name: string, where: object): Promise<unknown> {
  const Model = store.registry.getModel(name) as unknown as { destroyAll (where: object): Promise<unknown> }
  return await Model.destroyAll(where)
}

async function ids (store: SuiteStore, name: string): Promise<unknown[]> {
  return (await store.find(name, { order: 'id' })).map(({ id }: Row) => id)
}

export const referenceCases: readonly SuiteCase[] = [
  {
    name: 'cascade takes the rows that lead to a deleted one along, over several models and within one',
    async run (t, store) {
      await found(store)
      t.same(await destroy(store, 'Firm', { name: 'a' }), { count: 1 })
      t.same(await ids(store, 'Firm'), [2], 'a firm that it owned went with it')
      t.same(await ids(store, 'Office'), [3])
      t.same(await ids(store, 'Desk'), [3])
    }
  },
  {
    name: 'cascade ends where rows lead to each other',
    async run (t, store) {
      await store.createMany('Firm', [{ ownerId: 2 }, { ownerId: 1 }, {}])
      t.same(await destroy(store, 'Firm', { id: 1 }), { count: 1 })
      t.same(await ids(store, 'Firm'), [3])
    }
  },
  {
    name: 'setNull makes the keys null and keeps the rows',
    async run (t, store) {
      await found(store)
      await destroy(store, 'Firm', { id: 1 })
      const visitors = await store.find('Visitor', { order: 'id' })
      // Not every table tells null from what was never set.
      t.same(visitors.map(({ firmId, name }) => [firmId ?? null, name]), [[null, 'v'], [2, 'w']])
    }
  },
  {
    name: 'restrict refuses with 409, and nothing has changed',
    async run (t, store) {
      await found(store)
      await store.create('Contract', { officeId: 2 })
      const refused = { statusCode: 409, code: 'FOREIGN_KEY' }
      await t.rejects(destroy(store, 'Office', { id: 2 }), refused)
      await t.rejects(destroy(store, 'Firm', { id: 1 }), refused, 'further down as well')
      t.same(await ids(store, 'Firm'), [1, 2, 3])
      t.same(await ids(store, 'Office'), [1, 2, 3])
      t.same(await ids(store, 'Desk'), [1, 2, 3])
      t.equal((await store.findById('Visitor', 1))?.firmId, 1)
      await destroy(store, 'Contract', {})
      await destroy(store, 'Office', { id: 2 })
      t.same(await ids(store, 'Desk'), [1, 3])
    }
  },
  {
    name: 'restrict lets rows go together with those that lead to them',
    async run (t, store) {
      await found(store)
      await store.createMany('Contract', [{}, { followsId: 1 }])
      await t.rejects(destroy(store, 'Contract', { id: 1 }), { statusCode: 409, code: 'FOREIGN_KEY' })
      t.same(await destroy(store, 'Contract', {}), { count: 2 })
    }
  }
]
