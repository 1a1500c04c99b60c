/** The two forms of every function: with a callback, or giving a promise. */
export { promiseOrCallback, splitCallback } from '@fastback/core/connector'
export type { OperationCallback } from '@fastback/core'
