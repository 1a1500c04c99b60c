/** Whether the first bytes of a file fit its declared type (storage.md, SS-06). */

/** Bytes that are looked at. */
export const sniffedBytes = 4096

const ascii = (text: string): readonly number[] => [...Buffer.from(text, 'latin1')]

interface Signature { readonly at?: number, readonly bytes: readonly number[] }

/** What files of a type begin with, or have at an offset. */
const signatures: Readonly<Record<string, readonly Signature[]>> = {
  'image/png': [{ bytes: [0x89, ...ascii('PNG\r\n\x1a\n')] }],
  'image/jpeg': [{ bytes: [0xff, 0xd8, 0xff] }],
  'image/gif': [{ bytes: ascii('GIF87a') }, { bytes: ascii('GIF89a') }],
  'image/webp': [{ at: 8, bytes: ascii('WEBP') }],
  'image/avif': [{ at: 4, bytes: ascii('ftypavi') }],
  'image/bmp': [{ bytes: ascii('BM') }],
  'image/tiff': [{ bytes: [0x49, 0x49, 0x2a, 0] }, { bytes: [0x4d, 0x4d, 0, 0x2a] }],
  'application/pdf': [{ bytes: ascii('%PDF-') }],
  'application/zip': [{ bytes: ascii('PK\x03\x04') }, { bytes: ascii('PK\x05\x06') }],
  'application/gzip': [{ bytes: [0x1f, 0x8b] }],
  'video/mp4': [{ at: 4, bytes: ascii('ftyp') }],
  'video/webm': [{ bytes: [0x1a, 0x45, 0xdf, 0xa3] }],
  'audio/mpeg': [{ bytes: ascii('ID3') }, { bytes: [0xff, 0xfb] }, { bytes: [0xff, 0xf3] }, { bytes: [0xff, 0xf2] }],
  'audio/wav': [{ at: 8, bytes: ascii('WAVE') }],
  'audio/ogg': [{ bytes: ascii('OggS') }],
  'video/ogg': [{ bytes: ascii('OggS') }]
}

/** What makes a browser take a text for a page or a drawing. */
const markup = /^<(?:!doctype|html|head|body|script|iframe|svg|\?xml|img|style|title|a\s|table|div|p>)/i

/**
 * Whether the content can be of the declared type: the signature of the type, where there is one; and no markup in what
 * is declared as a text or an image.
 *
 * ```js
 * fits('image/png', Buffer.from('<svg onload=…>')) // false
 * ```
 * @param type without parameters
 * @param head the first 4 KiB of the file, or all of it
 */
export function fits (type: string, head: Buffer): boolean {
  const expected = signatures[type]
  if (expected !== undefined) {
    return expected.some(({ at = 0, bytes }) => bytes.every((byte, i) => head[at + i] === byte))
  }
  if (type === 'text/plain' || type === 'text/csv' || (type.startsWith('image/') && type !== 'image/svg+xml')) {
    return !markup.test(contentOf(head.toString('utf8')))
  }
  return true
}

/** A text from where it says something: without blanks and comments at its beginning, read past once (S-92). */
function contentOf (text: string): string {
  for (let rest = text.trimStart(); ; rest = rest.trimStart()) {
    if (!rest.startsWith('<!--')) return rest
    const end = rest.indexOf('-->', 4)
    if (end === -1) return rest
    rest = rest.slice(end + 3)
  }
}
