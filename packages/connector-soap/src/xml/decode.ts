/** Bytes of a document as text. */
import { XmlError } from './read-xml.js'

const marks: ReadonlyArray<readonly [encoding: string, bytes: readonly number[]]> = [
  ['utf-8', [0xEF, 0xBB, 0xBF]], ['utf-16le', [0xFF, 0xFE]], ['utf-16be', [0xFE, 0xFF]]
]

/**
 * By its mark, the `charset` of its media type, or what its first line says (RFC 7303, section 3); otherwise UTF-8.
 *
 * ```js
 * decodeXml(Buffer.from('<a/>'), 'text/xml; charset=utf-8') // '<a/>'
 * ```
 * @throws XmlError for an encoding that is not known
 */
export function decodeXml (bytes: Buffer, contentType = ''): string {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]
  const told = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  const written = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1]
  try {
    return new TextDecoder(marked ?? told ?? written ?? 'utf-8').decode(bytes)
  } catch {
    throw new XmlError('it is written in an encoding that is not known')
  }
}
