/**
 * `@fastback/core/outgoing`: calls to addresses that a stranger named.
 */
export { Outgoing, type OutgoingOptions } from './outgoing.js'
export { isGlobalUnicast } from './networks.js'
