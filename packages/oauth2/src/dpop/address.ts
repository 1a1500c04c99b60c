/** Addresses as proofs name them (RFC 9449, section 4.3): compared without query and fragment, in one spelling. */

/**
 * The one spelling of an address; undefined for a text that is none.
 *
 * ```js
 * addressOf('HTTPS://Op.Example:443/a%7Eb?x#y') // 'https://op.example/a~b'
 * ```
 */
export function addressOf (text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, username, password, pathname } = new URL(text)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return undefined
  return origin + plain(pathname)
}

/** RFC 3986, section 6.2.2: escapes in capitals, and none for what needs none. */
const plain = (path: string): string => path.replace(/%[0-9a-f]{2}/gi, escape => {
  const letter = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[A-Za-z0-9\-._~]/.test(letter) ? letter : escape.toUpperCase()
})
