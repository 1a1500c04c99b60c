import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const openapi = startUpErrors('OPENAPI')

/** The document cannot be fetched or read, or has an unknown version. */
export const DocumentError = openapi<[dataSource: string, reason: string]>(
  'DOCUMENT',
  'Data source "%s": the description cannot be used: %s. Look at "spec".'
)
/** `credentials` names a scheme that the document does not have, or that cannot be used. */
export const CredentialsError = openapi<[dataSource: string, reason: string]>(
  'CREDENTIALS',
  'Data source "%s": %s'
)
/** A model with rows is attached to a data source that has only operations. */
export const OperationsOnlyError = openapi<[dataSource: string, model: string, method: string]>(
  'OPERATIONS_ONLY',
  'Data source "%s" is a described service and keeps no rows: "%s.%s" does not work there.',
  501
)

/** 400 INVALID_ARGUMENT: a value that has no form in its place. */
export const invalidArgument = (name: string, what: string): RequestError =>
  new RequestError(400, `The argument "${name}" ${what}.`, { code: 'INVALID_ARGUMENT' })
