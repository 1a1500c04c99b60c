/** The check of responses against their description. */
export * from './checked-responses/index.js'
