import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const remote = startUpErrors('REMOTE')

/** A setting is invalid. */
export const RemoteSettingsError = remote<[dataSource: string, what: string]>(
  'SETTINGS',
  'Data source "%s": %s.'
)

/**
 * 501 NOT_SUPPORTED: a method that is not shared, which another application cannot be asked for
 * (service-connectors.md, RM-3).
 */
export const notShared = (model: string, method: string): RequestError =>
  new RequestError(
    501,
    `"${model}" is a model of another application, and "${method}" is no shared method of it.`,
    { code: 'NOT_SUPPORTED' }
  )

/** 400 INVALID_ID: a value that cannot stand in a path (SC-S2). */
export const invalidSegment = (name: string): RequestError =>
  new RequestError(400, `"${name}" must have a value that can stand in a path: not empty, "." or "..".`, {
    code: 'INVALID_ID'
  })

/** 501 NOT_SUPPORTED: rows that nobody here may see would be deleted with the others (S-93). */
export const deletesUnseen = (model: string, method: string): RequestError =>
  new RequestError(
    501,
    `"${model}" is a model of another application, and its default scope or an "access" hook hides rows here: ` +
    `"${method}" would delete those as well. Delete the rows one by one.`,
    { code: 'NOT_SUPPORTED' }
  )
