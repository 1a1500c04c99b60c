import type { OperationOptions } from '../interfaces/operation-options.js'
import type { BuiltinModelTypes, Definition } from './definitions.js'
import type { Instance } from './model.js'

/** The caller's token, as `@fastback/auth` says what one is. */
type CallersToken = BuiltinModelTypes extends { AccessToken: infer D extends Definition } ? Instance<D> | null : unknown

/** Options of a call: of somebody outside with the token, null for anonymous callers. Hand them on to operations. */
export interface CallOptions extends OperationOptions {
  accessToken?: CallersToken
}
