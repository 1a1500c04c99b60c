/** What is wrong with a storage data source, and with what clients ask of it. */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const startup = startUpErrors('STORAGE')

/** A model with rows is attached to a data source that stores files. */
export const FilesOnlyError = startup<[dataSource: string, model: string, method: string]>(
  'FILES_ONLY',
  'Data source "%s" keeps files, not rows: model "%s" has no "%s". Give it another data source.'
)
/** The folder of a data source does not exist, or is not a folder. */
export const NoRootError = startup<[dataSource: string, root: string]>(
  'NO_ROOT',
  'Data source "%s": the setting "root" must name a folder that exists, and "%s" is none.'
)
/** A provider is unknown, or no longer supported. */
export const ProviderError = startup<[dataSource: string, sentence: string]>('PROVIDER', 'Data source "%s": %s')
/** Users of several models have the same ids, and a rule for owners does not tell them apart. */
export const ContainerOwnerError = startup<[dataSource: string, sentence: string]>('CONTAINER_OWNER', 'Data source "%s": %s')
/** A data source has a setting that its provider does not support. */
export const NotResumableError = startup<[dataSource: string]>(
  'NOT_RESUMABLE',
  'Data source "%s": its provider keeps no parts of uploads, as "resumable" wants. Use the provider "filesystem", a driver with "parts", or signed addresses ("presign": true) for large files.'
)
/** The package that a provider or a setting needs is not installed. */
export const MissingPackageError = startup<[dataSource: string, what: string, names: string]>(
  'MISSING_PACKAGE',
  'Data source "%s": "%s" needs packages that are not installed. Run "npm install %s".'
)

/**
 * What a provider said when something went wrong there: for the log, and a 500 without its words for anyone who asks.
 */
export const providerFault = (provider: string, cause: unknown): Error =>
  new Error(`${provider} did not do what it was asked for${statusIn(cause)}.`, { cause })

const statusIn = (cause: unknown): string => {
  const { status, statusCode, code } = (cause ?? {}) as Readonly<Record<string, unknown>>
  const said = [status, statusCode, code].find(each => typeof each === 'number' || typeof each === 'string')
  return said === undefined ? '' : ` (${String(said)})`
}

/** 400 INVALID_NAME: a name that could mean something else than a file (storage.md, SS-01). */
export const invalidName = (kind: 'container' | 'file'): RequestError =>
  new RequestError(
    400,
    `The name of the ${kind} is not valid: 1 to 255 bytes without slashes, backslashes and control characters, not starting with a dot.`,
    { name: 'BadRequestError', code: 'INVALID_NAME' }
  )

/** 404 ENOENT. Files of others and files that are not there answer alike. */
export const noFile = (file: string): RequestError => missing(`File not found: ${file}`)
/** 404 ENOENT */
export const noContainer = (container: string): RequestError => missing(`Container not found: ${container}`)

const missing = (message: string): RequestError =>
  new RequestError(404, message, { name: 'NotFoundError', code: 'ENOENT' })

/** 409: something is in the way. */
export const conflict = (message: string, code: string): RequestError =>
  new RequestError(409, message, { name: 'ConflictError', code })

/** 409 EEXIST */
export const containerExists = (container: string): RequestError =>
  conflict(`Container already exists: ${container}`, 'EEXIST')

/** 415 CONTENT_MISMATCH: the bytes are not what the declared type says. */
export const contentMismatch = (type: string): RequestError =>
  new RequestError(415, `The content of the file is not of the type ${type}.`, {
    name: 'UnsupportedMediaTypeError',
    code: 'CONTENT_MISMATCH'
  })

/** 400: a form without a file. */
export const nothingUploaded = (): RequestError =>
  new RequestError(400, 'No file content uploaded', { name: 'BadRequestError', code: 'NO_FILE' })

/** 507 QUOTA_EXCEEDED */
export const quotaExceeded = (what: string): RequestError =>
  new RequestError(507, `${what} has no room for the file.`, { name: 'InsufficientStorageError', code: 'QUOTA_EXCEEDED' })

/** 401 or 403: there is no way to write a row with the file. */
export const writeRefused = (isKnown: boolean): RequestError =>
  new RequestError(isKnown ? 403 : 401, 'Authorization Required', { code: 'AUTHORIZATION_REQUIRED' })

/** 503: too many uploads at a time. */
export const tooManyUploads = (): RequestError =>
  new RequestError(503, 'Too many uploads at a time. Try again later.', {
    name: 'ServiceUnavailableError',
    code: 'TOO_MANY_UPLOADS'
  })

/** 400: a provider that is sent a file itself has to know how large it may be. */
export const sizeRequired = (): RequestError =>
  new RequestError(400, 'The request must say how many bytes the file has: { "name": …, "type": …, "size": … }.', {
    name: 'BadRequestError',
    code: 'SIZE_REQUIRED'
  })

/** 416: none of the bytes asked for is there. */
export const rangeNotSatisfiable = (size: number): RequestError =>
  new RequestError(416, `The file has ${String(size)} bytes.`, {
    name: 'RangeNotSatisfiableError',
    code: 'RANGE_NOT_SATISFIABLE'
  })

/** 412: a condition of the request does not hold. */
export const preconditionFailed = (): RequestError =>
  new RequestError(412, 'The file is not in the state that the request asks for.', {
    name: 'PreconditionFailedError',
    code: 'PRECONDITION_FAILED'
  })

/** 403 SIGNATURE_REFUSED: whatever is wrong with a signed address, and whatever lies behind it. */
export const signatureRefused = (): RequestError =>
  new RequestError(403, 'The address is not signed for this request, or not any more.', {
    name: 'ForbiddenError',
    code: 'SIGNATURE_REFUSED'
  })

/** 415: a body with a content encoding (storage.md, SS-11). */
export const encodedBody = (): RequestError =>
  new RequestError(415, 'A file must come as it is, without a content encoding.', {
    name: 'UnsupportedMediaTypeError',
    code: 'UNSUPPORTED_MEDIA_TYPE'
  })

/** 408: nothing came for too long. */
export const fileTooSlow = (): RequestError =>
  new RequestError(408, 'The file took too long to come.', { name: 'RequestTimeoutError', code: 'UPLOAD_TIMEOUT' })

/** 400: the body ended before its last byte. */
export const cutOff = (): RequestError =>
  new RequestError(400, 'The file was cut off.', { name: 'BadRequestError', code: 'INVALID_BODY' })

/** 400: a filter of a list that is none. */
export const badFilter = (what: string): RequestError =>
  new RequestError(400, `The filter of a list ${what}. It takes "limit", "skip", "prefix" and "after".`, {
    name: 'BadRequestError',
    code: 'INVALID_FILTER'
  })

/** 400: a body that is no object. */
export const noObject = (): RequestError =>
  new RequestError(400, 'Value is not an object.', { name: 'BadRequestError', code: 'INVALID_BODY' })

/** 404: somebody else's upload and one that is not there answer alike. */
export const noUpload = (): RequestError => missing('Upload not found')

/** 400: a request that is none of the tus protocol, or wants what is not offered. */
export const badUpload = (message: string, status = 400, code = 'INVALID_UPLOAD'): RequestError =>
  new RequestError(status, message, { name: 'BadRequestError', code })

/** 412: another version of the tus protocol, or none. */
export const wrongProtocol = (): RequestError =>
  new RequestError(412, 'The header "Tus-Resumable" must be "1.0.0".', {
    name: 'PreconditionFailedError',
    code: 'TUS_VERSION'
  })

/** 408: nothing came for too long. What came before is kept. */
export const uploadTooSlow = (): RequestError =>
  new RequestError(408, 'The upload took too long to come.', { name: 'RequestTimeoutError', code: 'UPLOAD_TIMEOUT' })
