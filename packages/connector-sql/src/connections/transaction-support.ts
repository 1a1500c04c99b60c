/** Transactions of a data source (`TransactionSupport`). */
import type { TransactionSupport } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { OperationRunner } from '../operation-runner.js'

export const transactionSupport = (runner: OperationRunner): TransactionSupport => ({
  begin: beginning => runner.translating({}, () => runner.connected().begin(beginning)),
  commit: transaction => runner.commit(transaction),
  rollback: transaction => runner.translating({}, () => runner.connected().transaction(transaction).rollback()),
  savepoint: transaction => runner.translating({}, () =>
    chain(runner.connected().transaction(transaction).savepoint(), ({ keep, undo }) => ({
      keep: () => runner.translating({}, keep),
      undo: () => runner.translating({}, undo)
    })))
})
