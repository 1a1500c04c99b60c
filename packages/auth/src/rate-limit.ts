/** Limits of attempts on accounts: per address and per account named, on login, reset and verification (NOTES-access, Security 12). */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { attemptsNotCounted, tooManyAttempts } from './errors.js'
import type { AuthOptions } from './options.js'
import { authService } from './service.js'
import { isUserModel } from './user/user-model.js'

type LimitOptions = Exclude<NonNullable<AuthOptions['rateLimit']>, false>

/** Attempts in a time of so many milliseconds, where the options say nothing else. */
export const defaultLimits = { account: { max: 20, timeWindow: 60_000 }, address: { max: 300, timeWindow: 60_000 } } as const

const limited = new Set(['login', 'resetPassword', 'verify'])

/** As far as it is used here; the type of `config.sharedMethod` is of `@fastback/rest`, which this package does not need. */
interface SharedRoute { readonly method: { readonly name: string, readonly model: Parameters<typeof isUserModel>[0] } }

/** What a body or path says about the account that an attempt is on. */
function accountOf (request: FastifyRequest): string | undefined {
  const { sharedMethod } = request.routeOptions.config as { sharedMethod?: SharedRoute }
  const { body } = request
  const { email, username, realm } = (body !== null && typeof body === 'object' ? body : {}) as Record<string, unknown>
  const { id } = (request.params ?? {}) as { id?: string }
  const name = id ?? email ?? username
  return typeof name === 'string' ? JSON.stringify([sharedMethod?.method.model.modelName, sharedMethod?.method.name, realm, name.toLowerCase()]) : undefined
}

/** Adds the limits to the routes of user models that are registered from now on in this context. */
export async function limitAttempts (app: FastifyInstance, { account, address, redis }: LimitOptions): Promise<void> {
  await app.register(rateLimit, { global: false, ...(redis === undefined ? {} : { redis, nameSpace: 'fastback-attempts-' }) })
  const perAddress = app.createRateLimit({ ...defaultLimits.address, ...address })
  const perAccount = app.createRateLimit({ ...defaultLimits.account, ...account, keyGenerator: request => accountOf(request) ?? request.ip })
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    for (const limit of accountOf(request) === undefined ? [perAddress] : [perAddress, perAccount]) {
      const result = await limit(request).catch((error: unknown) => unlimited(app, error))
      if (result.isAllowed || !result.isExceeded) continue
      authService(app.registry).audit({ event: 'attempts limited', address: request.ip, account: accountOf(request) })
      reply.header('retry-after', result.ttlInSeconds)
      throw tooManyAttempts()
    }
  }
  app.addHook('onRoute', (route: RouteOptions) => {
    const { sharedMethod } = (route.config ?? {}) as { sharedMethod?: SharedRoute }
    if (sharedMethod === undefined || !limited.has(sharedMethod.method.name) || !isUserModel(sharedMethod.method.model)) return
    route.preHandler = [...[route.preHandler ?? []].flat(), check]
  })
}

/** A Redis that does not answer: attempts that nobody counts are refused, not let through. */
function unlimited ({ registry }: FastifyInstance, err: unknown): never {
  registry.log.warn({ err }, 'attempts cannot be counted: Redis does not answer')
  throw attemptsNotCounted()
}
