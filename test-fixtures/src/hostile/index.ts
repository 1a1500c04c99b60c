/**
 * The one generator of hostile input: values, bodies, headers, addresses. As fast-check arbitraries, so that failures
 * shrink.
 */
export * from './addresses.js'
export * from './bodies.js'
export * from './headers.js'
export * from './schema-values.js'
export * from './values.js'
