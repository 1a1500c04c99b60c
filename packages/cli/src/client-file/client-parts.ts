/** Which parts of a client an API needs: code for what it does not have would be code that nobody runs. */
import type { OpenApiDocument } from '@fastback/explorer'
import { hasKeyedOperations } from './keys.js'
import type { ClientOperation } from './operations.js'
import { hasRowStates } from './row-states.js'

/** What an API has, where a client has code for it. */
export interface ClientParts {
  /** Live queries. */
  readonly isLive: boolean
  /** Uploads that go on after a cut. */
  readonly isResumable: boolean
  /** Rows with properties that are files. */
  readonly hasFiles: boolean
  /** Lists with pages by cursors. */
  readonly hasPages: boolean
  /** Rows with tags. */
  readonly hasTags: boolean
  /** Operations that take a key by which repeats have their effect once. */
  readonly hasKeys: boolean
}

export function partsOf (operations: readonly ClientOperation[], document: OpenApiDocument): ClientParts {
  // What the entries of the table of operations say, by which the client's code goes.
  const sends = (kind: string): boolean => operations.some(({ entry }) => entry.includes(`'${kind}'`))
  const gives = (kind: string): boolean => operations.some(({ entry }) => entry.endsWith(`'${kind}']`))
  return {
    isLive: gives('live'),
    isResumable: sends('resumable'),
    hasFiles: sends('row'),
    hasPages: gives('page'),
    hasTags: hasRowStates(document),
    hasKeys: hasKeyedOperations(document)
  }
}
