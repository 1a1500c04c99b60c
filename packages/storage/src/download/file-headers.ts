import contentDisposition from 'content-disposition'
import { contentType } from 'mime-types'
import path from 'node:path'

/** The type of a file by the extension of its name (storage.md, ST-40). */
export const typeOf = (name: string): string => {
  const extension = path.extname(name)
  return (extension !== '' && contentType(extension)) || 'application/octet-stream'
}

/** Types that do nothing when a browser shows them (storage.md, SS-05). */
const harmless = /^(?:image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)(?:;|$)/

/**
 * Headers that keep a stored file from acting as a page of this origin (storage.md, SS-05).
 *
 * ```js
 * safeHeaders('page.html', 'text/html', 'auto')['content-disposition'] // 'attachment; filename="page.html"'
 * ```
 */
export function safeHeaders (
  name: string, type: string, disposition: 'auto' | 'attachment' | 'inline'
): Record<string, string> {
  const isInline = disposition === 'inline' || (disposition === 'auto' && harmless.test(type))
  return {
    'content-disposition': contentDisposition(name, {
      type: isInline ? 'inline' : 'attachment',
      // Without it the library writes Latin-1 as it is.
      fallback: name.replace(/[^\x20-\x7e]/g, '?')
    }),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff'
  }
}
