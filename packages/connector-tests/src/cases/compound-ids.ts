import type { CompiledModel, Connector, Id, Row } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { refused } from '../refused.js'
import type { SuiteCase } from '../suite-case.js'
import type { SuiteStore } from '../store.js'

const seats = [
  { hall: 'b', place: 1, guest: 'Ann' },
  { hall: 'a', place: 10, guest: 'Bob' },
  { hall: 'a', place: 2, guest: 'Cid', note: 'aisle' },
  { hall: 'b', place: 2, guest: 'Dan' }
]

interface Seats { readonly model: CompiledModel, readonly connector: Connector, id (hall: string, place: number): Id }

/** The model, and its store as operations have it: rows by their whole ids. */
async function seated (store: SuiteStore): Promise<Seats> {
  const model = store.model('Booking')
  await store.createMany('Booking', seats)
  return { model, connector: model.connector, id: (hall, place) => coerceId(model, { hall, place }) as Id }
}

const guests = async (store: SuiteStore, filter: object = {}): Promise<unknown[]> =>
  (await store.find('Booking', filter)).map(row => row.guest)

export const compoundIdCases: readonly SuiteCase[] = [
  {
    name: 'a second row with the same id is refused, one with the same part is not',
    needs: ['compound ids'],
    async run (t, store) {
      await seated(store)
      await refused(t, store.create('Booking', { hall: 'a', place: 2, guest: 'Eve' }), { statusCode: 409, code: 'DUPLICATE_ID' })
      await refused(
        t,
        store.createMany('Booking', [{ hall: 'c', place: 1 }, { hall: 'b', place: 1 }]),
        { statusCode: 409, code: 'DUPLICATE_ID' }
      )
      t.equal(await store.count('Booking'), 4, 'all or none')
      await store.create('Booking', { hall: 'a', place: 3 })
      t.equal(await store.count('Booking', { hall: 'a' }), 3)
    }
  },
  {
    name: 'rows come in the order of the whole id',
    needs: ['compound ids'],
    async run (t, store) {
      await seated(store)
      t.same(await guests(store), ['Cid', 'Bob', 'Ann', 'Dan'])
      t.same(await guests(store, { order: 'place DESC' }), ['Bob', 'Cid', 'Dan', 'Ann'])
      t.same(await guests(store, { limit: 2, skip: 1 }), ['Bob', 'Ann'])
      t.same(await guests(store, { where: { hall: 'a', place: 2 } }), ['Cid'])
      t.same(await guests(store, { where: { hall: 'a' }, order: 'hall DESC' }), ['Cid', 'Bob'])
    }
  },
  {
    name: 'a row is found by its whole id',
    needs: ['compound ids'],
    async run (t, store) {
      const { model, connector, id } = await seated(store)
      t.same(await connector.findById(model, id('b', 2), model.selectAll, {}), { hall: 'b', place: 2, guest: 'Dan' })
      t.equal(await connector.findById(model, id('b', 3), model.selectAll, {}), undefined)
      t.equal(await connector.findById(model, 'b', model.selectAll, {}), undefined, 'a part is no id')
    }
  },
  {
    name: 'an update by the whole id leaves the others with the same part alone',
    needs: ['compound ids', 'open'],
    async run (t, store) {
      const { model, connector, id } = await seated(store)
      t.same(await connector.updateById(model, id('a', 2), { guest: 'Eve' }, {}), {
        hall: 'a', place: 2, guest: 'Eve', note: 'aisle'
      })
      t.same(await connector.updateById(model, id('a', 2), {}, {}), { hall: 'a', place: 2, guest: 'Eve', note: 'aisle' })
      t.equal(await connector.updateById(model, id('a', 7), { guest: 'Eve' }, {}), undefined)
      t.equal(await connector.updateById(model, 'a', { guest: 'all' }, {}), undefined, 'a part is no id')
      t.same(await guests(store), ['Eve', 'Bob', 'Ann', 'Dan'])
    }
  },
  {
    name: 'a row is replaced by its whole id, with all that it had',
    needs: ['compound ids', 'open'],
    async run (t, store) {
      const { model, connector, id } = await seated(store)
      const replace = async (key: Id, row: Row): Promise<Row | undefined> =>
        await connector.replaceById(model, key, row, {})
      t.same(await replace(id('a', 2), { hall: 'a', place: 2, mood: 'good' }), { hall: 'a', place: 2, mood: 'good' })
      t.same(await store.find('Booking', { where: { hall: 'a' } }), [
        { hall: 'a', place: 2, mood: 'good' }, { hall: 'a', place: 10, guest: 'Bob' }
      ])
      t.equal(await replace(id('a', 7), { hall: 'a', place: 7 }), undefined)
      t.equal(await store.count('Booking'), 4)
    }
  },
  {
    name: 'rows are changed and removed by conditions, also those that JavaScript tests',
    needs: ['compound ids'],
    async run (t, store) {
      await seated(store)
      t.equal(await store.updateAll('Booking', { hall: 'a' }, { guest: 'Fay' }), 2)
      t.equal(await store.updateAll('Booking', { guest: { regexp: '^D.n$' } }, { guest: 'Don' }), 1)
      t.same(await guests(store), ['Fay', 'Fay', 'Ann', 'Don'])
      t.equal(await store.deleteAll('Booking', { hall: 'a', place: 2 }), 1)
      t.equal(await store.deleteAll('Booking', { guest: { regexp: '^A' } }), 1)
      t.same(await guests(store), ['Fay', 'Don'])
      t.same(
        await store.findOrCreate('Booking', { where: { hall: 'b', place: 2 } }, { hall: 'b', place: 2 }),
        { row: { hall: 'b', place: 2, guest: 'Don' }, created: false }
      )
      t.equal((await store.findOrCreate('Booking', { where: { hall: 'c' } }, { hall: 'c', place: 1 })).created, true)
    }
  }
]
