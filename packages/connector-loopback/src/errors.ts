/**
 * Errors of connectors that were made for LoopBack. None carries the text of a driver; its own error is the `cause`,
 * for the log.
 */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

export { caused, databaseBusy as storeBusy, databaseUnavailable as storeUnavailable } from '@fastback/core/connector'

const connector = startUpErrors('CONNECTOR')

/** `initialize` left no connector in `dataSource.connector`, or failed before it called back. */
export const InitializeError = connector('INITIALIZE', 'Data source "%s": the connector%s could not be made: %s.')
/** The connector reports that it cannot connect, or does not respond for `connectTimeout` milliseconds. */
export const NotReachableError = connector('NOT_REACHABLE', 'Data source "%s" cannot be reached: %s.')
/** The connector has neither this operation nor one that could replace it. */
export const MissingMethodError = connector('MISSING_METHOD', 'The connector "%s" has no method "%s".')
/** The operation needs to identify single rows, and the model has no id. */
export const NoIdError = connector('NO_ID', 'Model "%s" has no id: the connector "%s" cannot change single rows of it.')
/**
 * A model has a compound id, and the store has no tables: such connectors use the first part as the id, and would
 * confuse rows.
 */
export const CompoundIdError = connector(
  'COMPOUND_ID',
  'Model "%s" has a compound id (%s), by which the connector "%s" cannot tell rows apart; use one id property and a unique index over the others.'
)
/** The option `transaction` is a transaction that has ended: the connector would write outside of any transaction. */
export const TransactionEndedError = connector(
  'TRANSACTION_ENDED', 'The transaction was committed or rolled back before.'
)
/** Anything else that the store reports. */
export const StoreError = connector('STORE', 'The store refused the operation (%s).')
/** 400: a name that no property has, and under which the store has the value of another one. */
export const nameTaken = (name: string): RequestError =>
  new RequestError(400, `The name ${JSON.stringify(name.slice(0, 80))} cannot be stored.`, { code: 'NAME_NOT_STORABLE' })
