/** `@fastback/graphql`: GraphQL over the shared methods of models. */
export { graphql, graphql as default } from './plugin.js'
export { defaultLimits, type GraphqlLimits, type GraphqlOptions } from './options.js'
export * as errors from './errors.js'
