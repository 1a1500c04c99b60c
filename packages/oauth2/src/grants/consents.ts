/** What a user has to have consented to, in the words of a permission. */
import type { AuthorizationRequest } from '../checks/authorization-request.js'
import { covers } from '../checks/scope.js'

/**
 * Scopes at this server are words by themselves; those at a resource have its address, since a scope says something
 * else at each (security.md, S-167). No scope can be written as these are, since scopes have no blanks.
 *
 * ```js
 * consentWords(['read'], ['https://api.example/']) // ['resource https://api.example/', 'read at https://api.example/']
 * ```
 */
export const consentWords = (scopes: readonly string[], resources: readonly string[]): readonly string[] =>
  resources.length === 0
    ? scopes
    : resources.flatMap(uri => [`resource ${uri}`, ...scopes.map(scope => `${scope} at ${uri}`)])

/**
 * The words of an authorization request. One of OpenID Connect is for this server besides (OI-175), and may ask for
 * claims that no scope gives.
 */
export function consentsOf ({ scopes, resources = [], openId }: AuthorizationRequest): readonly string[] {
  const words = consentWords(scopes, resources)
  if (openId === undefined) return words
  return [...new Set([...scopes, ...words, ...openId.named.map(claim => `claim ${claim}`)])]
}

/**
 * Whether a permission has all words of a request. One that asks for no scope is covered by any consent to access at
 * this server.
 */
export const isConsented = (permitted: readonly string[], words: readonly string[]): boolean =>
  covers(permitted, words) &&
  (words.length > 0 || permitted.length === 0 || permitted.some(word => !word.includes(' ')))
