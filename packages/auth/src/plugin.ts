import type { ModelClass, ModelRegistry } from '@fastback/core'
import { checkOptions, isPublic, knownUsersIn, maskLogger, sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPromise } from '@fastback/core/connector'
import fp from 'fastify-plugin'
import { Authentication } from './authentication.js'
import { InvalidOptionsError, UnknownTokenModelError } from './errors.js'
import { markPrivate } from './mark-private.js'
import { attachMissing, installAuthModels } from './models/index.js'
import { AuthSchema, type AuthOptions } from './options.js'
import { breachedBy } from './passwords/breached.js'
import { PasswordHasher } from './passwords/hasher.js'
import { Attempts } from './attempts/attempts.js'
import { defaultLimits } from './attempts/limits.js'
import { NamedRedis } from './attempts/named-redis.js'
import { RedisCounter, type RedisClient } from './attempts/redis-counter.js'
import { openSecondFactors, switchOnFor } from './factors/install.js'
import { requireEnrolment } from './factors/enrolment.js'
import { attemptsOf } from './attempts/service.js'
import { authService } from './service.js'
import { exposeNamedScopes } from './tokens/delegated.js'
import { tokenFinder } from './tokens/find-token.js'
import { markTokensUncacheable } from './tokens/no-store.js'
import { TokenReader } from './tokens/token-reader.js'
import { ownLookup } from './tokens/token-statics.js'
import { checkUntypedTokens, nameOldTokens } from './tokens/unnamed-tokens.js'
import { resetsOnly } from './user/passwords.js'
import { describePasswordLimits } from './user/password-limits.js'
import { userModels } from './user/user-model.js'
import { userModelsOf } from './user/user-models.js'
import { hasMailer } from './user/verify.js'
import './types.js'

async function authPlugin (app: FastifyInstance, given: AuthOptions): Promise<void> {
  const options = checkOptions(AuthSchema, given, InvalidOptionsError)
  const { registry } = app
  // Tokens may stand in addresses, which Fastify logs.
  maskLogger(app.log)
  installAuthModels(registry)
  if (options.dataSource !== undefined) attachMissing(registry, { User: true, AccessToken: false }, options.dataSource)
  const users = userModelsOf(registry)
  users.untyped = options.untypedTokens
  if (options.hashing !== undefined) authService(registry).hasher = new PasswordHasher(options.hashing)
  if (options.passwordPolicy !== undefined) {
    authService(registry).passwordPolicy = options.passwordPolicy
    authService(registry).isBreached = await breachedBy(registry, options.passwordPolicy.breached)
    describePasswordLimits(registry)
  }
  switchOnFor(registry, options.secondFactors)
  const cache = { size: options.tokenCache?.size ?? 10_000, ttl: options.tokenCache?.ttl ?? 1000 }
  const authentication = new Authentication(
    () => new TokenReader(tokenModel(app, options.model), cache),
    tokenFinder(options),
    literalOf(options.currentUserLiteral),
    ({ TokenModel }) => ownLookup(TokenModel, options)
  )
  app.decorate('authentication', authentication)
  knownUsersIn(registry).lendToken = async user => await authentication.lend(user)
  // A model that is named and not there is a mistake of the start, not of the first request.
  app.addHook('onReady', async () => {
    authentication.open()
    checkUntypedTokens(authentication.reader.TokenModel)
    await nameOldTokens(registry)
    await openSecondFactors(registry)
    const open = userModels(registry)
      .filter(Model => isPublic(Model) === true && !resetsOnly(Model))
      .map(({ modelName }) => modelName)
    if (open.length > 0) {
      registry.log.warn(
        { models: open },
        'Tokens of a password reset are full logins for these models; set "restrictResetPasswordTokenScope"'
      )
    }
    const unverifiable = userModels(registry)
      .filter(
        Model => Model.settings.emailVerificationRequired === true && !hasMailer(Model)
      )
      .map(({ modelName }) => modelName)
    if (unverifiable.length > 0) {
      registry.log.warn(
        { models: unverifiable },
        'Nobody can verify an address of these models, so nobody can log in: attach the model "Email" to a data source with the connector "mail", or hand over "mailer"'
      )
    }
  })
  if (!app.hasRequestDecorator('accessToken')) app.decorateRequest('accessToken', null)
  app.addHook('onClose', async () => { authentication.close() })
  app.addHook('onRequest', readToken(authentication))
  markTokensUncacheable(app)
  exposeNamedScopes(app)
  requireEnrolment(app)
  app.addHook('onRoute', route => {
    const method = sharedMethodOf(route)
    if (method !== undefined) users.routed(method.model)
  })
  if (options.rateLimit !== false) limitAttempts(registry, options.rateLimit ?? {})
}

type RateLimit = Exclude<NonNullable<AuthOptions['rateLimit']>, false>

function limitAttempts (registry: ModelRegistry, { account, address, knownFor, redis }: RateLimit): void {
  const service = attemptsOf(registry)
  if (typeof redis === 'string') {
    const named = new NamedRedis(registry, redis)
    registry.once('started', () => named.client)
    service.counter = new RedisCounter(named)
  } else if (redis !== undefined) service.counter = new RedisCounter(redis as RedisClient)
  const limits = {
    account: { ...defaultLimits.account, ...account },
    address: { ...defaultLimits.address, ...address },
    knownFor: knownFor ?? defaultLimits.knownFor
  }
  const failing = (err: unknown): void => {
    registry.log.warn({ err }, 'attempts cannot be counted: Redis does not answer')
  }
  service.users = new Attempts(() => service.counter, limits, failing)
}

function tokenModel ({ registry }: FastifyInstance, name: AuthOptions['model']): ModelClass {
  if (name === undefined) return registry.getModelByType('AccessToken') as ModelClass
  if (typeof name !== 'string') return name as ModelClass
  const Model = registry.findModel(name)
  if (Model === undefined) throw new UnknownTokenModelError(name)
  return Model
}

const literalOf = (given: AuthOptions['currentUserLiteral']): string | undefined =>
  given === true ? 'me' : given === false ? undefined : given

/**
 * Synchronous where the store is: most requests carry no token, or one that was just looked up. What is answered to one
 * that carries a token, known or not, is for the caller alone, whoever answers (security.md, S-52).
 */
function readToken (authentication: Authentication) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    let token
    let failure: Error | undefined
    try {
      token = authentication.accessToken(request, reply)
    } catch (error) {
      failure = error as Error
    }
    if (authentication.isCarried(request)) markPrivate(reply)
    if (isPromise(token)) token.then(() => { done() }, done)
    else done(failure)
  }
}

/**
 * Reads the caller's access token: every request that carries a good one has it as `request.accessToken`, others have
 * null; an expired one is answered with 401. Register it after `@fastback/core`, before `@fastback/acl` and
 * `@fastback/rest`. Defines the models User, AccessToken, Application and Email where they are not defined yet.
 *
 * ```js
 * await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
 * await app.register(auth, { dataSource: 'db' })
 * app.get('/whoami', async ({ accessToken }) => ({ userId: accessToken?.userId ?? null }))
 * ```
 * @param options `dataSource`: where User and AccessToken are kept that the application does not attach itself;
 * `model`: the token model (default: AccessToken, or the one that extends it); `tokenCache`: `size` (default: 10,000)
 * and `ttl` in milliseconds (default: 1,000); `rateLimit`: limits of attempts, or false
 * @throws FBK_AUTH_INVALID_OPTIONS, FBK_AUTH_UNKNOWN_TOKEN_MODEL; when the application is ready:
 * FBK_AUTH_TOKEN_COLUMN
 */
export const auth = fp(authPlugin, {
  name: '@fastback/auth',
  fastify: '5.x',
  dependencies: ['@fastback/core'],
  decorators: { fastify: ['registry'] }
})
export default auth
