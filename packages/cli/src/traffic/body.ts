/** From the bytes of a message to what a recording keeps of them, and back. */
import { createHash } from 'node:crypto'
import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib'
import type { RecordedBody } from './exchange.js'

/** Bytes as they pass by: kept up to a limit, counted and hashed beyond it. */
export class Collector {
  readonly #chunks: Buffer[] = []
  readonly #hash = createHash('sha256')
  readonly #limit: number
  #bytes = 0

  /** @param limit bytes that are kept */
  constructor (limit: number) {
    this.#limit = limit
  }

  add (chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
    if (this.#bytes <= this.#limit) this.#chunks.push(chunk)
    else this.#chunks.length = 0
  }

  /** What is kept of them; undefined of none. To be asked once. */
  body (kind: MessageKind): RecordedBody | undefined {
    if (this.#bytes === 0) return undefined
    if (this.#bytes > this.#limit) return { sha256: this.#hash.digest('hex'), bytes: this.#bytes }
    return bodyOf(Buffer.concat(this.#chunks), kind, this.#limit)
  }
}

export interface MessageKind {
  readonly type: string | undefined
  readonly encoding: string | undefined
  /** A request is sent again, so that its bytes are kept. */
  readonly of: 'request' | 'response'
}

function bodyOf (raw: Buffer, { type = '', encoding, of }: MessageKind, limit: number): RecordedBody {
  const bytes = decoded(raw, encoding, limit)
  const digest = (): RecordedBody => of === 'request'
    ? { base64: raw.toString('base64') }
    : { sha256: createHash('sha256').update(bytes ?? raw).digest('hex'), bytes: (bytes ?? raw).length }
  // What a client has compressed is sent again as it was.
  if (bytes === undefined || (of === 'request' && bytes !== raw)) return digest()
  if (/^multipart\//i.test(type) && of === 'request') return { latin1: bytes.toString('latin1') }
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) return digest()
  if (/[/+]json\b/i.test(type) || type === '') {
    try {
      return { json: JSON.parse(text) as unknown }
    } catch {
      return { text }
    }
  }
  return /^text\/|urlencoded|xml|javascript|yaml|x-ndjson/i.test(type) ? { text } : digest()
}

/** Undefined where it cannot be decoded, or would be larger than the limit. */
function decoded (bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Buffer | undefined {
  try {
    switch (encoding?.trim().toLowerCase() ?? '') {
      case '': case 'identity': return bytes
      case 'gzip': case 'x-gzip': return unzipSync(bytes, { maxOutputLength })
      case 'deflate': return inflateSync(bytes, { maxOutputLength })
      case 'br': return brotliDecompressSync(bytes, { maxOutputLength })
      default: return undefined
    }
  } catch {
    return undefined
  }
}

/** The bytes that a recorded body is sent as; undefined of one of which only the digest was kept. */
export function bytesOf (body: RecordedBody): Buffer | undefined {
  if ('json' in body) return Buffer.from(JSON.stringify(body.json))
  if ('text' in body) return Buffer.from(body.text)
  if ('latin1' in body) return Buffer.from(body.latin1, 'latin1')
  return 'base64' in body ? Buffer.from(body.base64, 'base64') : undefined
}
