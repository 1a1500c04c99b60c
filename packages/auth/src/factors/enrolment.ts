/**
 * Users who must have a second factor, and have none yet: their tokens open the way to one, and nothing else (OI-219).
 */
import type { ModelClass, ModelInstance, ModelRegistry, SharedMethod } from '@fastback/core'
import { sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { enrolmentRequired, InvalidOptionsError } from '../errors.js'
import { authService } from '../service.js'
import { userModels } from '../user/user-model.js'
import { userModelsOf } from '../user/user-models.js'
import { enrolmentMethods } from './methods.js'
import type { SecondFactorOptions } from './settings.js'

/**
 * Guards the routes of shared methods, where a user model has `required`. To be called before the routes are
 * registered: models with `required` are attached before them.
 */
export function requireEnrolment (app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    const method = sharedMethodOf(route)
    if (method === undefined) return
    if (!isRequired(app.registry)) {
      routesOf(app.registry).areOpen = true
      return
    }
    route.preHandler = [...[route.preHandler ?? []].flat(), async (request: FastifyRequest): Promise<void> => {
      const { accessToken } = request
      if (accessToken === null || leadsToFactor(method, request, accessToken)) return
      if (await lacksFactor(app.registry, accessToken)) throw enrolmentRequired()
    }]
  })
}

/**
 * Whether a token's user must have a second factor and has none, so that the token opens the way to one alone.
 *
 * ```js
 * if (await lacksFactor(app.registry, request.accessToken)) reply.code(403)
 * ```
 */
export async function lacksFactor (registry: ModelRegistry, token: ModelInstance): Promise<boolean> {
  if (!isUnproven(token.amr)) return false
  const Model = userModelsOf(registry).ofToken(token)
  return Model !== undefined && await mustEnrolFirst(Model, { id: token.userId, amr: token.amr })
}

/**
 * Whether who logged in must set a second factor up before anything else, so that the application's code has no user by
 * then (security.md, S-119, S-149). Logins that code makes say nothing of how, and one elsewhere has rules of its own
 * (OI-219).
 *
 * ```js
 * if (!await mustEnrolFirst(User, { id: user.id, amr: ['pwd'] })) request.user = user
 * ```
 * @param login `amr`: how the user proved who they are (RFC 8176)
 */
export async function mustEnrolFirst (
  Model: ModelClass, { id, amr }: { readonly id: unknown, readonly amr?: unknown }
): Promise<boolean> {
  return isUnproven(amr) && await authService(Model.registry).secondFactors(Model)?.mustEnrol(id) === true
}

const kRoutes = Symbol('fastback.routesWithoutEnrolment')
const routesOf = (registry: ModelRegistry): { areOpen: boolean } => registry.slot(kRoutes, () => ({ areOpen: false }))

/**
 * Refuses a user model with `required` that comes after routes that do not ask for it.
 * @throws FBK_AUTH_INVALID_OPTIONS
 */
export function mustComeBeforeRoutes (Model: ModelClass, { required = false }: SecondFactorOptions): void {
  if (required === false || !routesOf(Model.registry).areOpen) return
  throw new InvalidOptionsError(
    `the user model "${Model.modelName}" requires second factors; attach it before the first routes are registered`
  )
}

const isRequired = (registry: ModelRegistry): boolean => userModels(registry).some(Model => {
  const required = authService(registry).secondFactors(Model)?.options.required
  return required !== undefined && required !== false
})

/**
 * Whether a login made the token without a second factor. Those that code makes say nothing of how, and a provider that
 * somebody came by (`fed`) has its own rules.
 */
const isUnproven = (amr: unknown): boolean =>
  Array.isArray(amr) && !amr.includes('mfa') && !amr.includes('fed')

/** The user's own row is read without a filter: with one, related rows come along (security.md, S-171). */
function leadsToFactor (method: SharedMethod, { params, query }: FastifyRequest, token: ModelInstance): boolean {
  if (userModelsOf(method.model.registry).ofToken(token) !== method.model) return false
  if (enrolmentMethods.has(method.name)) return true
  return method.name === 'findById' && method.isStatic && (params as { id?: unknown }).id === String(token.userId) &&
    !Object.keys(query as object).some(key => key.includes('filter'))
}
