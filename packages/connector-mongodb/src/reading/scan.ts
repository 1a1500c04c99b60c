/** Documents of a cursor, batch by batch, with the event loop given back and the request's budget counted. */
import type { Work } from '@fastback/core'
import { charactersOf, inSlices } from '@fastback/core/connector'
import type { FindCursor } from 'mongodb'
import type { Stored } from '../driver.js'

/** Documents of the first batch and of later ones: many small ones come in few messages, large ones do not heap up. */
export const batchSize = 500

/**
 * Hands documents to `take` until it has enough (false), and closes the cursor.
 * @param work what it may cost to look at them
 */
export async function eachDocument (
  cursor: FindCursor<Stored>,
  work: Work | undefined,
  take: (document: Stored) => unknown
): Promise<void> {
  try {
    let more = true
    while (more && await cursor.hasNext()) {
      work?.renew()
      const documents = cursor.readBufferedDocuments()
      await inSlices(
        documents.length,
        i => {
          const document = documents[i] as Stored
          work?.spend(1 + charactersOf(document) / 64)
          more = take(document) !== false
          return more
        },
        work
      )
    }
  } finally {
    await cursor.close()
  }
}
