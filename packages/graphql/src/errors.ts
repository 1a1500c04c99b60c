/** Errors of a wrong set-up: thrown while the plugin is registered, or when the server starts. */
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('GRAPHQL')

/** An invalid option; the message names it. */
export const InvalidOptionsError = startup<[sentence: string]>('INVALID_OPTIONS', '@fastback/graphql: %s')
/** The plugin was registered before `@fastback/core`. */
export const MissingRegistryError = startup(
  'MISSING_REGISTRY',
  'No model registry in this Fastify context: register @fastback/core before @fastback/graphql.'
)
/** The plugin was registered after `@fastback/rest`, whose routes do not take its calls then. */
export const RegisteredLateError = startup(
  'REGISTERED_LATE', 'Register @fastback/graphql before @fastback/rest: its fields call the methods of those routes.'
)
/** There are no routes whose methods could be called. */
export const NoMethodsError = startup<[which: string]>(
  'NO_METHODS', 'There are no REST routes%s: @fastback/graphql calls their methods. Register @fastback/rest in the same application.'
)
