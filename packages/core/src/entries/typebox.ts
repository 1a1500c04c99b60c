/**
 * `@fastback/core/typebox`: TypeBox as core has it. Bundles of the packages take it from here (`.ci/bundle.mjs`), so
 * that its many modules are one, and once in a process. Code imports it by its own name.
 */
export * from '@sinclair/typebox'
