/**
 * Where GraphQL is, for pages that let people try it. Kept with the registry: who serves it and who shows it need not
 * know each other.
 */
import type { ModelRegistry } from '../registry.js'

interface Kept {
  /** From the root of the server; undefined where there is none, or where its schema cannot be asked for. */
  address: string | undefined
}

const kEndpoint = Symbol('fastback.graphqlEndpoint')

/**
 * What a registry knows of GraphQL.
 *
 * ```js
 * const { address } = graphqlEndpointIn(app.registry) // '/graphql'
 * ```
 */
export const graphqlEndpointIn = (registry: Pick<ModelRegistry, 'slot'>): Kept =>
  registry.slot<Kept>(kEndpoint, () => ({ address: undefined }))
