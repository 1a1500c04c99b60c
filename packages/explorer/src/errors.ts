/** Errors of a wrong set-up: thrown while the plugin is registered. */
import createError from '@fastify/error'

export const InvalidOptionsError = createError(
  'FBK_EXPLORER_INVALID_OPTIONS',
  'The options of @fastback/explorer are not valid: %s',
  500
)
export const MissingRegistryError = createError(
  'FBK_EXPLORER_MISSING_REGISTRY',
  'No model registry in this Fastify context: register @fastback/core before @fastback/explorer.',
  500
)
