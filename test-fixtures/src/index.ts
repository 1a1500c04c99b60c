/** The check of answers against their description. */
export * from './checked-responses/index.js'
