/**
 * Errors of the SQL connector. Those with a status below 500 and those of `DATABASE_…` may be shown to clients; none
 * carries SQL or a driver's text, the driver's own error is the `cause`, for the log.
 */
import { RequestError, ValidationError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

export { caused, databaseBusy, databaseTimeout, databaseUnavailable } from '@fastback/core/connector'

const sql = startUpErrors('SQL')

/** No driver could be loaded; the message says what to install. */
export const DriverError = sql(
  'DRIVER',
  'The driver "%s" could not be loaded. Install it (npm install %s), or hand an open SQLite database in with the setting "database".'
)
export const NotConnectedError = sql('NOT_CONNECTED', 'The data source "%s" is not connected.')
/** 503: the database lacks the model's table. Run the migration. */
export const TableMissingError = sql(
  'TABLE_MISSING',
  'The model "%s" has no table "%s" in the database. Run "fastback migrate" (in code: autoupdate), or set "migrate": "update" on the data source.',
  503
)
/** 503: the model's settings name a schema (for MySQL, a database) that does not exist. */
export const SchemaMissingError = sql(
  'SCHEMA_MISSING',
  'The table of the model "%s" should be in a schema or database that is not there. Make it, or correct the model\'s settings.',
  503
)
/** 503: the table lacks a column that the model has. Run the migration. */
export const ColumnMissingError = sql(
  'COLUMN_MISSING',
  'The table of the model "%s" lacks a column that the model has. Run "fastback migrate" (in code: autoupdate).',
  503
)
export const ColumnConflictError = sql(
  'COLUMN_CONFLICT',
  'Model "%s": the properties "%s" and "%s" would share one column. Give one of them another "columnName".'
)
/** The settings of a model name a key that is not one of its properties. */
export const UnknownKeyError = sql(
  'UNKNOWN_KEY',
  'Model "%s": the table cannot have the key "%s", which is no property of the model. Correct the setting "key".'
)
/**
 * MySQL does not report the value that a column's default generated: rows must have the id, or the default must be
 * `uuid()`.
 */
export const UntoldIdError = sql(
  'UNTOLD_ID',
  'Model "%s": a default of the database makes the id "%s", and MySQL does not tell which one. Let rows bring it ("forceId": false), or make the default uuid().'
)
/** A name cannot be that of a table or column; if it comes from a property, the message names the property. */
export const IdentifierError = sql(
  'IDENTIFIER', 'The name %s cannot be used for a table or column. Settings can give it another ("table", "columnName").'
)
/** The option `transaction` is a transaction that has ended. */
export const TransactionEndedError = sql(
  'TRANSACTION_ENDED',
  'The transaction was committed or rolled back before (a transaction that is open for more than %s ms is rolled back).'
)
export const UnknownTransactionError = sql(
  'UNKNOWN_TRANSACTION',
  'The option "transaction" is not a transaction of this data source.'
)
/** `begin` got an isolation level that the database does not have. */
export const IsolationLevelError = sql('ISOLATION_LEVEL', 'The isolation level "%s" is none of %s.')
/** The database cannot be opened: it is damaged, locked, not writable, or not a database; the message says which. */
export const OpenError = sql('OPEN', 'Data source "%s": the database %s cannot be opened: %s.')
/** The database is read-only: this process may not write its file, or the folder. */
export const ReadOnlyError = sql(
  'READ_ONLY',
  'The database can be read only: its file, or the folder, does not let this process write.'
)
/** The database is damaged, or the file is not a database. */
export const DamagedError = sql(
  'DAMAGED',
  'The database is damaged, or no database. Stop, and restore it from a backup; "PRAGMA integrity_check" says what is wrong.'
)
/** 507: there is no space left. What was there is there, and nothing of the operation was done. */
export const FullError = sql<[]>(
  'FULL',
  'The database cannot grow: the disk is full, or a limit is reached. The change was not made.',
  507
)
/** Anything else that the database reports. */
export const StoreError = sql('STORE', 'The database refused the operation (%s).')

/** 409: a foreign key of the table refused the row. */
export const foreignKey = (modelName: string): RequestError =>
  new RequestError(409, `The row of ${modelName} refers to a row that does not exist, or is referred to.`, {
    code: 'FOREIGN_KEY'
  })
/** 405: the model's rows are those of a view that the database does not write into. */
export const onlyRead = (modelName: string): RequestError =>
  new RequestError(405, `The rows of ${modelName} can only be read.`, { code: 'READ_ONLY' })
/** 403: a policy of the database refuses the row, which the rules of the model have let pass. */
export const refusedByPolicy = (modelName: string): RequestError =>
  new RequestError(403, `The rules of ${modelName} do not allow a row with these values.`, { code: 'ROW_CHECK_FAILED' })
/** 413: a value is larger than the database takes. */
export const tooLarge = (): RequestError =>
  new RequestError(413, 'A value is too large for the database.', { code: 'VALUE_TOO_LARGE' })
/** 422: a column of an existing table does not take the value. */
export const refusedValue = (modelName: string, property: string, code: string, message: string): ValidationError =>
  new ValidationError(modelName, [{ path: `.${property}`, code, message, info: {} }])
/** A table or column has a name that no model or property can have. */
export const DiscoveryNameError = sql(
  'DISCOVERY_NAME',
  'The %s "%s" has a name that no model can have in code. Give it another one with the option "nameMapper".'
)
/** The table that discovery was called for does not exist. */
export const NoSuchTableError = sql('NO_SUCH_TABLE', 'There is no table or view "%s". Names are compared as they are written.')
/** `allowDrop` names a column that does not exist, or that belongs to a property. */
export const NothingToDropError = sql(
  'NOTHING_TO_DROP',
  'Data source "%s": "%s" is no column without a property, which could be dropped. There are: %s.'
)
/** `rowSecurity` names a role that is not there, or that the user of the connection may not have. */
export const CallerRoleError = sql(
  'CALLER_ROLE',
  'Data source "%s": the user of the connection may not act as the role "%s" of "rowSecurity", or there is none: CREATE ROLE %s NOLOGIN; GRANT %s TO CURRENT_USER.'
)
/** A migration file was changed after it was applied, or was applied only in part. */
export const MigrationFileError = sql('MIGRATION_FILE', 'Data source "%s": the file "%s" %s.')
