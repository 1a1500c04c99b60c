/**
 * Errors of the MongoDB connector. Those with a status below 500 and those of `DATABASE_…` may be shown to clients;
 * none carries the driver's text or a part of the URL, the driver's own error is the `cause`, for the log.
 */
import { RequestError, ValidationError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

export { caused, databaseBusy, databaseTimeout, databaseUnavailable } from '@fastback/core/connector'

const mongodb = startUpErrors('MONGODB')

/** The package `mongodb` is not installed. */
export const DriverError = mongodb('DRIVER', 'The driver "mongodb" could not be loaded. Install it: npm install mongodb')
export const NotConnectedError = mongodb('NOT_CONNECTED', 'The data source "%s" is not connected.')
/** The server refused the user and password, or the user may not do this. */
export const AccessError = mongodb(
  'ACCESS',
  'Data source "%s": MongoDB refused the user, or the user may not do this. See "user", "password" and "authSource".'
)
/** A name cannot be that of a collection or field, or two properties share one field. */
export const NameError = mongodb('NAME', 'Model "%s": %s.')
/** `transactions: true`, but the server is a single server, which has none. */
export const NoTransactionsError = mongodb(
  'NO_TRANSACTIONS',
  'Data source "%s": the server is no replica set, so that it has no transactions. Set "transactions": false.'
)
/** The option `transaction` is a transaction that has ended. */
export const TransactionEndedError = mongodb(
  'TRANSACTION_ENDED',
  'The transaction was committed or rolled back before (a transaction that is open for more than %s ms is rolled back).'
)
export const UnknownTransactionError = mongodb(
  'UNKNOWN_TRANSACTION',
  'The option "transaction" is not a transaction of this data source.'
)
/** `begin` got an isolation level that MongoDB does not have. */
export const IsolationLevelError = mongodb('ISOLATION_LEVEL', 'The isolation level "%s" is none of %s.')
/** Anything else that the database reports. */
export const StoreError = mongodb('STORE', 'The database refused the operation (MongoDB error %s).')

/** 413: a document is larger than the database takes. */
export const tooLarge = (): RequestError =>
  new RequestError(413, 'A value is too large for the database.', { code: 'VALUE_TOO_LARGE' })
/** 400: a key that would be an operator, or part of a path, if the database got it. */
export const refusedName = (name: string): RequestError =>
  new RequestError(400, `The name ${JSON.stringify(name.slice(0, 80))} cannot be stored.`, { code: 'NAME_NOT_STORABLE' })
/** 422: the database, or its type, does not take the value. */
export const refusedValue = (modelName: string, property: string, code: string, message: string): ValidationError =>
  new ValidationError(modelName, [{ path: property === '' ? '' : `.${property}`, code, message, info: {} }])
