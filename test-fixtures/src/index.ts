/** Helpers for tests: the suite that every connector passes. */
export * from './connector-suite/index.js'
