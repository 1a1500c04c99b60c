import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidOptionsError } from './errors.js'

/** Options of the plugin; the rest is settings of the models and the registry (`aclErrorStatus`, `defaultPermission`, `executeAllowsAll`, `aclCacheTtl`). */
export const AclSchema = Type.Object({}, { additionalProperties: false })
export type AclOptions = Static<typeof AclSchema>

/** @throws FBK_ACL_INVALID_OPTIONS */
export function checkOptions (options: unknown): void {
  const [error] = Value.Errors(AclSchema, options)
  if (error !== undefined) throw new InvalidOptionsError(error.path === '' ? '' : `, ${error.path}`, error.message)
}
