/** Errors of a wrong set-up, thrown while the plugin is registered, and of requests that the studio refuses. */
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('STUDIO')

/** An invalid option; the message names it. */
export const InvalidOptionsError = startup('INVALID_OPTIONS', '@fastback/studio: %s')
export const MissingRegistryError = startup(
  'MISSING_REGISTRY',
  'No model registry in this Fastify context: register @fastback/core before @fastback/studio.'
)
