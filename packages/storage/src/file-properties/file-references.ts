/** What rows have in properties that are files. */
import type { FileReference } from '@fastback/core'

/** The references that a row has, of one file or of a list. */
export function references (value: unknown): FileReference[] {
  return [value ?? []].flat().filter((each): each is FileReference =>
    each !== null && typeof each === 'object' && typeof (each as FileReference).id === 'string' &&
    typeof (each as FileReference).name === 'string')
}
