import t from 'tap'
import { AmbientTransactions } from './ambient-transactions.js'
import type { Connector, TransactionSupport } from './connector.js'
import { databaseBusy, databaseTimeout, databaseUnavailable } from './store-errors.js'
import { Transaction } from './transaction.js'

const ends: ReadonlyArray<readonly [how: string, error: Error | undefined, told: readonly string[]]> = [
  ['a commit', undefined, ['committed']],
  ['a commit that the store refuses', databaseBusy(), ['rolled back']],
  ['a commit whose answer is lost', databaseUnavailable(), []],
  ['a commit without an answer', databaseTimeout(), []]
]

const supportFor = (error: Error | undefined): TransactionSupport => ({
  begin: () => 'handle',
  async commit () { if (error !== undefined) throw error },
  rollback () {}
})

for (const [how, error, expected] of ends) {
  t.test(how, async t => {
    const told: string[] = []
    const listen = (ending: Pick<Transaction, 'whenCommitted' | 'whenRolledBack'>): void => {
      ending.whenCommitted(() => { told.push('committed') })
      ending.whenRolledBack(() => { told.push('rolled back') })
    }
    const ambient = new AmbientTransactions()
    const did = await Promise.allSettled([ambient.run(supportFor(error), () => { listen(ambient) })])
    t.equal((did[0] as { reason?: unknown }).reason, error)
    t.same(told.splice(0), expected)
    const parts = { handle: 'handle', support: supportFor(error), connector: {} as unknown as Connector }
    const transaction = new Transaction(parts as ConstructorParameters<typeof Transaction>[0])
    listen(transaction)
    const ended = await Promise.allSettled([transaction.commit()])
    t.equal((ended[0] as { reason?: unknown }).reason, error)
    t.same(told, expected)
  })
}

t.test('what fails after a commit takes nothing back', async t => {
  const ambient = new AmbientTransactions()
  const told: string[] = []
  await t.rejects(ambient.run({ ...supportFor(undefined), rollback () { told.push('rollback') } }, () => {
    ambient.whenRolledBack(() => { told.push('rolled back') })
    ambient.whenCommitted(() => { throw new Error('too late') })
  }), { message: 'too late' })
  t.same(told, [])
})
