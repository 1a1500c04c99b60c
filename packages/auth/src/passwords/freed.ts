import { isRemote, type OperationOptions } from '@fastback/core'

/**
 * Whether code in the process sets a password whatever the policy says: `{ skipPasswordPolicy: true }` in the options
 * (OI-266). What comes from a client is never free.
 */
export const isFreed = (options: OperationOptions | undefined): boolean =>
  options?.skipPasswordPolicy === true && !isRemote(options)
