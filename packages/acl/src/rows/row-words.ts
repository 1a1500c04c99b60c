/** What rules say of rows and properties in few words: for descriptions of an API, which may be public. */
import type { AclDefinition, SharedMethod } from '@fastback/core'
import { rulesOf } from '@fastback/core/remote'
import { ownerKeys } from '../roles/owner-key.js'
import { compilePlan, defaultPermissionOf } from '../rules/plan.js'
import { MethodPlan } from '../rules/method-plan.js'
import { ruleOf, type Rule } from '../rules/rule.js'
import { asItCounts } from '../rules/void.js'
import type { AclService } from '../service.js'
import { enforcesRows, tenantOf } from './narrowing.js'
import { isRecord } from './template.js'

/**
 * `own rows`, `some rows`, `some properties`: what the declared rules of a method leave to those whom they let in.
 * Conditions themselves are not told: they name values and properties that callers need not know.
 *
 * ```js
 * rowWordsOf(service, method) // 'own rows, some properties'
 * ```
 * @returns undefined where rules say nothing of rows and properties
 */
export function rowWordsOf (service: AclService, method: SharedMethod): string | undefined {
  const { model: Model } = method
  if (!enforcesRows(Model)) return undefined
  const ofMethod = (method.options.acls ?? []) as readonly AclDefinition[]
  const rules = [...rulesOf(Model), ...ofMethod].map(acl => ruleOf(acl, true)).flatMap(rule => asItCounts(Model, rule))
  const isTenants = tenantOf(Model) !== undefined
  if (!isTenants && rules.every(({ narrowing }) => narrowing === undefined)) return undefined
  const plan = compilePlan(rules, MethodPlan.of(service, method).operation, defaultPermissionOf(Model), {
    executeAllowsAll: Model.registry.settings.executeAllowsAll === true
  })
  const giving = plan.rules.filter(({ permission }) => permission !== 'DENY')
  const narrowed = giving.filter(({ narrowing }) => narrowing?.rows !== undefined || narrowing?.check !== undefined)
  const takes = plan.rules.some(({ permission, narrowing }) => permission === 'DENY' && narrowing !== undefined)
  const isOwn = narrowed.length > 0 && !isTenants && !takes && narrowed.every(rule => isOfOwner(method, rule))
  const hasFields = giving.some(({ narrowing }) => narrowing?.reads !== undefined || narrowing?.writes !== undefined)
  const words = [
    ...narrowed.length > 0 || isTenants || takes ? [isOwn ? 'own rows' : 'some rows'] : [],
    ...hasFields ? ['some properties'] : []
  ]
  const isSame = isTenants || giving.every(({ narrowing }) => narrowing !== undefined)
  return words.length === 0 ? undefined : `${words.join(', ')}${isSame ? '' : ', depending on the caller'}`
}

/** By `own`, or by the key of the owner. */
function isOfOwner ({ model: Model }: SharedMethod, { written: { rows } }: Rule): boolean {
  if (rows === 'own') return true
  const { named, foreign } = ownerKeys(Model)
  const [[key, value] = [], ...others] = isRecord(rows) ? Object.entries(rows) : []
  return key !== undefined && others.length === 0 && value === '$user.id' && [...named, ...foreign].includes(key)
}
