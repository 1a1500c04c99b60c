import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const soap = startUpErrors('SOAP')

/** The WSDL, or a document that it imports, cannot be fetched or read. */
export const WsdlError = soap<[dataSource: string, reason: string]>(
  'WSDL',
  'Data source "%s": the WSDL cannot be used: %s. Look at "wsdl", or set "lazyConnect": true to start without it.'
)
/** `security` names an unknown scheme, or lacks a setting that its scheme needs. */
export const SecurityError = soap<[dataSource: string, reason: string]>(
  'SECURITY',
  'Data source "%s": %s'
)
/** An optional package is needed and not installed. */
export const MissingPackageError = soap<[dataSource: string, what: string, name: string]>(
  'MISSING_PACKAGE',
  'Data source "%s": %s needs the package "%s". Install it beside @fastback/connector-soap.'
)
/** A model with rows is attached to a data source that has only operations. */
export const OperationsOnlyError = soap<[dataSource: string, model: string, method: string]>(
  'OPERATIONS_ONLY',
  'Data source "%s" is a SOAP service and keeps no rows: "%s.%s" does not work there.',
  501
)

/** 400 INVALID_SOAP_INPUT: what was given cannot be written as the operation's message. */
export const invalidInput = (where: string, what: string): RequestError =>
  new RequestError(400, `The input of the operation is not valid at "${where}": ${what}.`, { code: 'INVALID_SOAP_INPUT' })

/** 503 SERVICE_UNAVAILABLE: the WSDL has not been read yet (`lazyConnect`). */
export const notReadYet = (dataSource: string, cause: unknown): RequestError => {
  const error = new RequestError(503, `Data source "${dataSource}": the WSDL could not be read yet.`, {
    code: 'SERVICE_UNAVAILABLE'
  })
  Object.defineProperty(error, 'cause', { value: cause, configurable: true })
  return error
}
