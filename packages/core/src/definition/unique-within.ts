/** Within what the unique values of a model are unique. */
import type { ModelSettings } from './definition.js'

/**
 * The property of the tenant, where unique values need be unique among the rows of one tenant only (`tenant.unique`).
 *
 * ```js
 * uniqueWithin({ tenant: { property: 'tenantId', value: '$user.tenantId', unique: true } }) // 'tenantId'
 * ```
 */
export function uniqueWithin (settings: Readonly<ModelSettings>): string | undefined {
  const { tenant } = settings as { tenant?: { property?: unknown, unique?: unknown } | null }
  return tenant?.unique === true && typeof tenant.property === 'string' ? tenant.property : undefined
}
