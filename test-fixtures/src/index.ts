/** Helpers for tests: the suite that every connector passes, the check of answers against their description. */
export * from './checked-answers/index.js'
export * from './connector-suite/index.js'
