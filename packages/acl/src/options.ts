import { Type, type Static } from '@sinclair/typebox'

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
