/** The published keys where there is no OpenID Connect that publishes them (OI-01). */
import type { FastifyInstance } from 'fastify'
import { jsonErrors } from '../http/forms.js'
import { serveKeySet } from '../openid/endpoints.js'
import type { SigningKeys } from '../openid/signing-keys.js'
import type { Provider } from '../provider.js'

/** Registers the route. */
export async function keySet (
  scope: FastifyInstance, { provider, keys }: { provider: Provider, keys: SigningKeys }
): Promise<void> {
  scope.setErrorHandler(jsonErrors(provider))
  serveKeySet(scope, provider.settings.paths.jwks as string, keys)
}
