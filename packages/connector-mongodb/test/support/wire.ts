/** MongoDB's wire protocol, as far as the driver speaks it: messages, and the first one in the old form. */
import { BSON, type Document } from 'mongodb'

const operations = { reply: 1, query: 2004, message: 2013 } as const
const headerSize = 16

export interface Request {
  readonly id: number
  readonly isOld: boolean
  readonly command: Document
}

const read = (bytes: Uint8Array): Document => BSON.deserialize(bytes, { promoteBuffers: false, promoteLongs: false })

/** Takes whole messages from the front of what was received. */
export class MessageReader {
  #received = Buffer.alloc(0)

  read (chunk: Buffer): Request[] {
    const requests: Request[] = []
    this.#received = Buffer.concat([this.#received, chunk])
    while (this.#received.length >= headerSize) {
      const size = this.#received.readInt32LE(0)
      if (this.#received.length < size) break
      const message = this.#received.subarray(0, size)
      this.#received = this.#received.subarray(size)
      requests.push(requestOf(message))
    }
    return requests
  }
}

function requestOf (message: Buffer): Request {
  const id = message.readInt32LE(4)
  switch (message.readInt32LE(12)) {
    case operations.query: {
      const nameEnd = message.indexOf(0, headerSize + 4)
      return { id, isOld: true, command: read(message.subarray(nameEnd + 9)) }
    }
    case operations.message:
      return { id, isOld: false, command: commandOf(message.subarray(headerSize + 4)) }
    default:
      throw new Error('a message of a kind that the driver does not send')
  }
}

/** A document, and lists of documents that stand beside it. */
function commandOf (sections: Buffer): Document {
  let command: Document = {}
  const lists: Document = {}
  for (let at = 0; at < sections.length;) {
    const kind = sections[at++]
    const size = sections.readInt32LE(at)
    const section = sections.subarray(at, at + size)
    at += size
    if (kind === 0) command = read(section)
    else {
      const nameEnd = section.indexOf(0, 4)
      lists[section.toString('utf8', 4, nameEnd)] = documentsOf(section.subarray(nameEnd + 1))
    }
  }
  return { ...command, ...lists }
}

function documentsOf (bytes: Buffer): Document[] {
  const documents: Document[] = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readInt32LE(at)
    documents.push(read(bytes.subarray(at, at + size)))
    at += size
  }
  return documents
}

export function writeReply ({ id, isOld }: Request, answer: Document): Buffer {
  const body = BSON.serialize(answer)
  const rest = Buffer.alloc(isOld ? 20 : 5)
  if (isOld) rest.writeInt32LE(1, 16)
  const header = Buffer.alloc(headerSize)
  header.writeInt32LE(headerSize + rest.length + body.length, 0)
  header.writeInt32LE(id, 8)
  header.writeInt32LE(isOld ? operations.reply : operations.message, 12)
  return Buffer.concat([header, rest, body])
}
