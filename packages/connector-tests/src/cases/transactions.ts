import type { Connector, TransactionSupport } from '@fastback/core'
import type { SuiteCase } from '../suite-case.js'

const of = (connector: Connector): TransactionSupport => connector.transactions as TransactionSupport

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
  }
]
