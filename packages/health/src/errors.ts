import { startUpErrors } from '@fastback/core/remote'

const health = startUpErrors('HEALTH')

/** An invalid option; the message names it. */
export const InvalidOptionsError = health<[sentence: string]>('INVALID_OPTIONS', '@fastback/health: %s')
/** The plugin was registered before `@fastback/core`. */
export const MissingRegistryError = health(
  'MISSING_REGISTRY',
  '@fastback/health asks the data sources of @fastback/core: register core first, in this context or one around it.'
)
