/** Errors of requests whose rows have sealed properties. */
import { RequestError } from '../errors.js'

/** 500 SEALED_VALUE_UNREADABLE: a stored value does not open. It tells where it stands, and nothing of the value. */
export const sealedUnreadable = (modelName: string, property: string, id: unknown, why: string): RequestError =>
  new RequestError(500, `The sealed value "${property}" of ${modelName} ${String(id)} cannot be opened: ${why}.`, {
    code: 'SEALED_VALUE_UNREADABLE'
  })

/** 503 SEALING_KEY_UNAVAILABLE: the function `sealing.keyFor` failed. */
export function sealingKeyUnavailable (cause: unknown): RequestError {
  const error = new RequestError(503, 'A key of sealed properties could not be fetched.', { code: 'SEALING_KEY_UNAVAILABLE' })
  return Object.defineProperty(error, 'cause', { value: cause, enumerable: false, configurable: true })
}
