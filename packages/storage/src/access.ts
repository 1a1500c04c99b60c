import type { FileAccessContext, StorageOptions } from './settings.js'

/** Somebody outside who asks for something; undefined where code of the application asks on its own account. */
export interface Caller {
  readonly principal: FileAccessContext['principal']
}

/**
 * Whether a caller may have a container or file (storage.md, SD-13): by the rule of the application, and by the name of
 * the container where that is its owner's id.
 */
export async function mayHave (
  { fileAccess, containerOwner }: StorageOptions,
  caller: Caller | undefined,
  asked: Omit<FileAccessContext, 'principal'>
): Promise<boolean> {
  if (caller === undefined) return true
  const { principal } = caller
  if (containerOwner === 'userId') {
    const userId = principal?.userId
    if (userId === undefined || userId === null || String(userId) !== asked.container) return false
  }
  return fileAccess === undefined || await fileAccess({ ...asked, principal }) === true
}

/** Whether anything has to be asked at all. */
export const hasOwnRules = ({ fileAccess, containerOwner }: StorageOptions): boolean =>
  fileAccess !== undefined || containerOwner !== undefined
