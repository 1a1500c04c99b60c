import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidOptionsError } from './errors.js'

/**
 * Options of the plugin; the rest is settings of the models and the registry (`aclErrorStatus`, `defaultPermission`,
 * `executeAllowsAll`, `aclCacheTtl`).
 */
export const AclSchema = Type.Object({
  /**
   * Data source for ACL, Role and RoleMapping, where neither they nor models that extend them are attached. Without one
   * there are no static roles and no stored rules.
   */
  dataSource: Type.Optional(Type.String({ minLength: 1 }))
}, { additionalProperties: false })
export type AclOptions = Static<typeof AclSchema>

/** @throws FBK_ACL_INVALID_OPTIONS */
export function checkOptions (options: unknown): AclOptions {
  const [error] = Value.Errors(AclSchema, options)
  if (error !== undefined) throw new InvalidOptionsError(error.path === '' ? '' : `, ${error.path}`, error.message)
  return options as AclOptions
}
