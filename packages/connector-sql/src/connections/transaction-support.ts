/** Transactions of a data source (`TransactionSupport`). */
import type { TransactionSupport } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { OperationRunner } from '../operation-runner.js'
import { ofNoModel } from '../translating.js'

export const transactionSupport = (runner: OperationRunner): TransactionSupport => ({
  begin: beginning => runner.translating(ofNoModel, () => runner.connected().begin(beginning)),
  commit: transaction => runner.commit(transaction),
  rollback: transaction => runner.translating(ofNoModel, () => runner.connected().transaction(transaction).rollback()),
  savepoint: transaction => runner.translating(ofNoModel, () =>
    chain(runner.connected().transaction(transaction).savepoint(), ({ keep, undo }) => ({
      keep: () => runner.translating(ofNoModel, keep),
      undo: () => runner.translating(ofNoModel, undo)
    })))
})
