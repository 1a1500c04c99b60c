/**
 * Errors of connectors that were made for LoopBack. None carries the text of a driver; its own error is the `cause`,
 * for the log.
 */
import { startUpErrors } from '@fastback/core/connector'

export { caused, databaseBusy as storeBusy, databaseUnavailable as storeUnavailable } from '@fastback/core/connector'

const connector = startUpErrors('CONNECTOR')

/** `initialize` left no connector in `dataSource.connector`, or failed before it called back. */
export const InitializeError = connector('INITIALIZE', 'Data source "%s": the connector%s could not be made: %s.')
/** The connector reports that it cannot connect, or says nothing for `connectTimeout` milliseconds. */
export const NotReachableError = connector('NOT_REACHABLE', 'Data source "%s" cannot be reached: %s.')
/** The connector has no such operation, nor one that could stand for it. */
export const MissingMethodError = connector('MISSING_METHOD', 'The connector "%s" has no method "%s".')
/** Rows of a model without an id cannot be told apart, which the operation would need. */
export const NoIdError = connector('NO_ID', 'Model "%s" has no id: the connector "%s" cannot change single rows of it.')
/**
 * A compound id where rows are not those of tables: such connectors take the first part for the id, and one row for
 * another.
 */
export const CompoundIdError = connector(
  'COMPOUND_ID',
  'Model "%s" has a compound id (%s), by which the connector "%s" cannot tell rows apart; use one id property and a unique index over the others.'
)
/** The option `transaction` is a transaction that is over: the connector would write outside of any. */
export const TransactionEndedError = connector(
  'TRANSACTION_ENDED', 'The transaction was committed or rolled back before.'
)
/** Anything else that the store reports. */
export const StoreError = connector('STORE', 'The store refused the operation (%s).')
