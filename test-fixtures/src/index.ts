/** The check of answers against their description. */
export * from './checked-answers/index.js'
