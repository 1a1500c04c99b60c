/** Text as it is written into XML. */
import { XmlError } from './read-xml.js'

const written: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;', '\n': '&#10;', '\t': '&#9;'
}

// XML 1.0, production 2: what no document can hold, not even as a reference.
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** @throws XmlError for characters that XML cannot hold */
function checked (text: string): string {
  if (unwritable.test(text)) throw new XmlError('a text holds a character that XML cannot hold')
  return text
}

/**
 * The text between tags.
 *
 * ```js
 * escapeText('a < b & c') // 'a &lt; b &amp; c'
 * ```
 * @throws XmlError for characters that XML cannot hold
 */
export const escapeText = (text: string): string =>
  checked(text).replaceAll(/[&<>\r]/g, each => written[each] as string)

/**
 * The value of an attribute, between double quotes.
 * @throws XmlError for characters that XML cannot hold
 */
export const escapeAttribute = (text: string): string =>
  checked(text).replaceAll(/[&<>"\r\n\t]/g, each => written[each] as string)
