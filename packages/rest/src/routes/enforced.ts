/** Rules that nobody looks at would leave open what they close (security.md, S-84). */
import type { AclDefinition, ModelClass } from '@fastback/core'
import { hasOwnFormOfRules, rulesOf } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import { RulesNotEnforcedError } from '../errors/startup-errors.js'
import type { ModelPlan } from './plan.js'

/**
 * Checks that access control guards the routes of every published model that says something about access: rules (its
 * own, inherited, of methods or relations), `defaultPermission: "DENY"`, `ownerFromToken`.
 * @throws FBK_REST_RULES_NOT_ENFORCED naming the models
 */
export function mustEnforceRules (scope: FastifyInstance, plans: readonly ModelPlan[]): void {
  // A decorator of @fastback/acl: anyone who has it has its guard on the routes, too.
  if (scope.hasRequestDecorator('authorizedRoles')) return
  const models = plans.filter(hasRules).map(({ Model }) => Model.modelName)
  if (models.length > 0) throw new RulesNotEnforcedError(models.join(', '))
}

const hasRules = ({ Model, routes }: ModelPlan): boolean =>
  says(Model) || routes.some(({ method }) => isClosing(method.options.acls))

function says (Model: ModelClass): boolean {
  const { settings, registry } = Model
  const permission = settings.defaultPermission ?? registry.settings.defaultPermission
  return (
    rulesOf(Model).length > 0 ||
    hasOwnFormOfRules(Model) ||
    settings.ownerFromToken === true ||
    (typeof permission === 'string' && permission.toUpperCase() === 'DENY')
  )
}

/** Rules of a method that open it to everybody leave nothing open that they close. */
const isClosing = (value: unknown): boolean => Array.isArray(value) && (value as AclDefinition[]).some(
  ({ principalId, permission }) => principalId !== '$everyone' || permission !== 'ALLOW'
)
