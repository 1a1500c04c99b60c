import type { Connector, Savepoint, TransactionSupport } from '@fastback/core'
import type { SuiteCase } from '../suite-case.js'

const of = (connector: Connector): TransactionSupport => connector.transactions as TransactionSupport

const begin = async (connector: Connector): Promise<unknown> =>
  await of(connector).begin({ isolationLevel: undefined, timeout: undefined })

const part = async (connector: Connector, transaction: unknown): Promise<Savepoint> =>
  await (of(connector).savepoint as NonNullable<TransactionSupport['savepoint']>)(transaction)

export const transactionCases: readonly SuiteCase[] = [
  {
    name: 'what was written is there after commit',
    async run (t, store) {
      const transaction = await of(store.connector).begin({ isolationLevel: undefined, timeout: undefined })
      await store.create('Item', { name: 'a' }, { transaction })
      t.equal((await store.find('Item', {}, { transaction })).length, 1)
      await of(store.connector).commit(transaction)
      t.equal(await store.count('Item'), 1)
    }
  },
  {
    name: 'what was written is gone after rollback',
    async run (t, store) {
      await store.create('Item', { name: 'before' })
      const transaction = await of(store.connector).begin({ isolationLevel: undefined, timeout: undefined })
      await store.create('Item', { name: 'a' }, { transaction })
      await store.connector.updateById(store.model('Item'), 1, { name: 'changed' }, { transaction })
      await of(store.connector).rollback(transaction)
      t.same(await store.find('Item'), [{ id: 1, name: 'before' }])
    }
  },
  {
    name: 'nobody outside sees what is not committed',
    async run (t, store) {
      await store.create('Item', { name: 'before' })
      const transaction = await begin(store.connector)
      await store.create('Item', { name: 'inside' }, { transaction })
      // Where there is one connection only, the reader waits for the end.
      const outside = store.find('Item')
      await of(store.connector).rollback(transaction)
      t.same((await outside).map(({ name }) => name), ['before'])
    }
  },
  {
    name: 'several rows, changes and removals are one',
    async run (t, store) {
      const item = store.model('Item')
      await store.create('Item', { name: 'a' })
      await store.create('Item', { name: 'b' })
      const transaction = await begin(store.connector)
      await store.connector.createMany(item, [{ name: 'c' }, { name: 'd' }], { transaction })
      await store.connector.deleteAll(item, undefined, { transaction })
      await store.connector.createMany(item, [{ name: 'e' }, { name: 'f' }], { transaction })
      await store.connector.updateAll(item, undefined, { name: 'all' }, { transaction })
      t.same((await store.find('Item', {}, { transaction })).map(({ name }) => name), ['all', 'all'])
      await of(store.connector).rollback(transaction)
      t.same((await store.find('Item')).map(({ name }) => name), ['a', 'b'])
    }
  },
  {
    name: 'a transaction that is over is refused, committed or rolled back',
    async run (t, store) {
      for (const end of ['commit', 'rollback'] as const) {
        const transaction = await begin(store.connector)
        await store.create('Item', { name: end }, { transaction })
        await of(store.connector)[end](transaction)
        await t.rejects(async () => await store.create('Item', { name: 'late' }, { transaction }))
      }
      t.same((await store.find('Item')).map(({ name }) => name), ['commit'])
    }
  },
  {
    name: 'a part is taken back by itself, with the parts within it',
    needs: ['savepoints'],
    async run (t, store) {
      const { connector } = store
      const transaction = await begin(connector)
      const lost = await part(connector, transaction)
      await store.create('Item', { name: 'lost' }, { transaction })
      await lost.undo()
      const kept = await part(connector, transaction)
      await store.create('Item', { name: 'kept' }, { transaction })
      const inner = await part(connector, transaction)
      await store.create('Item', { name: 'inner' }, { transaction })
      await inner.undo()
      await kept.keep()
      const outer = await part(connector, transaction)
      const within = await part(connector, transaction)
      await store.create('Item', { name: 'within' }, { transaction })
      await within.keep()
      await outer.undo()
      await store.create('Item', { name: 'last' }, { transaction })
      await of(connector).commit(transaction)
      t.same((await store.find('Item')).map(({ name }) => name), ['kept', 'last'])
    }
  },
  {
    name: 'a write that is refused leaves the transaction usable',
    needs: ['savepoints', 'unique'],
    async run (t, store) {
      const { connector } = store
      const transaction = await begin(connector)
      const { id } = await store.create('Item', { name: 'first' }, { transaction })
      const trial = await part(connector, transaction)
      await t.rejects(async () => await store.create('Item', { id, name: 'again' }, { transaction }))
      await trial.undo()
      await store.create('Item', { name: 'second' }, { transaction })
      await of(connector).commit(transaction)
      t.same((await store.find('Item')).map(({ name }) => name), ['first', 'second'])
    }
  }
]
