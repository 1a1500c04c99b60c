/** The two steps of putting a provider into an application: before its boot scripts, and after them. */
import { userModelsOf } from '@fastback/auth/service'
import type { ModelClass } from '@fastback/core'
import { pathDemandsIn } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import { endpoints, factorEndpoints } from './endpoints/index.js'
import { passkeyScriptPath } from './endpoints/factors-in.js'
import { AlreadySetUpError, InvalidOptionsError, UnreadableKeyError } from './errors.js'
import type { Host } from './host.js'
import type { JwtTokenSettings } from './jwt-tokens/options.js'
import { loadExtensions } from './load-extensions.js'
import type { OpenIdSettings } from './openid/options.js'
import type { SigningKeys } from './openid/signing-keys.js'
import { settingsOf } from './options.js'
import { Provider } from './provider.js'
import { giveBack } from './resource/form-token.js'
import { resourceMetadata } from './resource/metadata.js'
import { cleanUpInterval } from './stores/clean-up.js'
import './types.js'

/**
 * Models, data source, and the hook that guards paths: it comes before those of everything that is registered later.
 * @throws FBK_OAUTH2_…
 */
export function createProvider (host: Host, options: unknown): Provider {
  const { fastify, registry } = host
  if (fastify.hasDecorator('oauth2')) throw new AlreadySetUpError()
  const settings = settingsOf(options, message => { registry.log.warn({}, message) })
  const provider = new Provider(settings, host)
  fastify.decorate('oauth2', provider)
  for (const name of ['accessToken', 'user', 'client', 'authInfo']) {
    if (!fastify.hasRequestDecorator(name)) {
      fastify.decorateRequest(name, null)
    }
  }
  if (settings.resourceServer) {
    fastify.addHook('onRequest', provider.guard.onRequest)
    const demands = pathDemandsIn(registry)
    demands.add(provider.guard.opens)
    // Models may outlive their application.
    fastify.addHook('onClose', async () => { demands.delete(provider.guard.opens) })
    fastify.addHook('preParsing', giveBack)
  }
  if (settings.authorizationServer) warnOfGrants(provider)
  fastify.addHook('onReady', async () => { checkUserModel(provider) })
  return provider
}

/** The endpoints, and what runs beside them. */
export async function startProvider (fastify: FastifyInstance, provider: Provider): Promise<void> {
  const { settings } = provider
  if (settings.resourceServer && settings.resourceMetadata !== undefined) {
    await fastify.register(resourceMetadata, { provider })
  }
  if (settings.dpop !== undefined) {
    const { Dpop } = await import('./dpop/dpop.js')
    provider.dpop = new Dpop(settings.dpop, provider)
  }
  if (!settings.authorizationServer) return
  if (settings.openId !== undefined) await startOpenId(provider, settings.openId)
  if (settings.jwtTokens !== undefined) await startJwtTokens(fastify, provider, settings.jwtTokens)
  if (provider.signingKeys !== undefined) checkKeys(fastify, provider.signingKeys)
  await loadExtensions(provider)
  await fastify.register(endpoints, { provider })
  offerFactorPages(fastify, provider)
  const timer = setInterval(() => {
    provider.cleanUp().catch((error: unknown) => {
      fastify.log.error({ err: error }, 'OAuth: expired records could not be removed')
    })
  }, cleanUpInterval).unref()
  fastify.addHook('onClose', async () => { clearInterval(timer) })
}

/**
 * The pages for second factors, once the users of this provider have some: `@fastback/auth` may be registered, and
 * users attached, after this.
 */
function offerFactorPages (fastify: FastifyInstance, provider: Provider): void {
  const { registry, models: { User } } = provider
  let isOffered = false
  const offer = (Model: unknown): void => {
    if (Model !== User || isOffered || provider.settings.paths.login === undefined) return
    isOffered = true
    provider.guard.leave(provider.secondFactorPage, passkeyScriptPath)
    fastify.register(factorEndpoints, { provider })
  }
  if (provider.service.secondFactors(User) === undefined) registry.on('secondFactors', offer)
  else offer(User)
}

async function startOpenId (provider: Provider, settings: OpenIdSettings): Promise<void> {
  const { OpenId } = await import('./openid/openid.js')
  const openId = new OpenId(provider, settings)
  provider.openId = openId
  provider.signingKeys = openId.keys
}

/** With `openid` its keys sign; else there are keys for access tokens only. */
async function startJwtTokens (
  fastify: FastifyInstance, provider: Provider, settings: JwtTokenSettings
): Promise<void> {
  const [{ JwtTokens }, { SigningKeys }, { KeyRows }, { keySet }] = await Promise.all([
    import('./jwt-tokens/jwt-tokens.js'), import('./openid/signing-keys.js'), import('./openid/key-rows.js'),
    import('./jwt-tokens/key-set.js')
  ])
  const keys = provider.signingKeys ??= new SigningKeys(new KeyRows(provider.models.Key as ModelClass), {
    ...settings.keys, algorithms: settings.signingAlgorithms, longestToken: settings.longest
  })
  if (provider.openId === undefined) await fastify.register(keySet, { provider, keys })
  provider.jwtTokens = new JwtTokens(settings, {
    keys, indicators: provider.settings.indicators, openId: provider.openId
  })
}

/** Keys are opened before the first request, so that a secret that is missing is heard of at the start (OI-35). */
function checkKeys (fastify: FastifyInstance, keys: SigningKeys): void {
  fastify.addHook('onReady', async () => {
    try {
      await keys.check()
    } catch (error) {
      if (error instanceof UnreadableKeyError) throw error
      // The store may not answer yet, or have no table: the first request finds that out again.
      fastify.log.warn({ err: error }, 'OAuth: the keys that sign could not be read')
    }
  })
}

/**
 * Whose the tokens are must be said where several models have users (security.md, S-71). Models may be attached until
 * the application is ready.
 * @throws FBK_OAUTH2_INVALID_OPTIONS
 */
function checkUserModel ({ settings: { userModel }, registry, models }: Provider): void {
  const { inUse, only } = userModelsOf(registry)
  if (userModel !== undefined || inUse.length < 2 || only === models.User) return
  throw new InvalidOptionsError(
    `the option "userModel" is needed: there are the user models ${inUse.map(({ modelName }) => `"${modelName}"`).join(', ')}.`
  )
}

function warnOfGrants ({ settings: { grants }, registry }: Provider): void {
  if (grants.has('implicit')) {
    registry.log.warn(
      {},
      'OAuth: the implicit grant is on, which RFC 9700 advises against; profile "oauth2.1" switches it off'
    )
  }
  if (grants.has('password')) {
    registry.log.warn({}, 'OAuth: the password grant is on, which RFC 9700 forbids; profile "oauth2.1" switches it off')
  }
}
