/** Id and secret of a client in the header `Authorization: Basic` (O-085). */

/** What a header may mean: id and secret. */
export interface IdAndSecret {
  readonly id: string
  readonly secret: string
}

/**
 * The meanings of a Basic header, the likeliest first; undefined for another scheme. RFC 6749 (section 2.3.1) has both
 * parts form-encoded, and that is the first meaning. `curl -u`, axios and many others send them as they are, which is
 * the second, where it is another.
 *
 * ```js
 * basicCredentials(`Basic ${btoa('shop:a%2Bb')}`, true)
 * // [{ id: 'shop', secret: 'a+b' }, { id: 'shop', secret: 'a%2Bb' }]
 * ```
 * @param allowsRaw whether the second meaning counts
 * @returns an empty list for a header that means nothing
 */
export function basicCredentials (header: string, allowsRaw: boolean): readonly IdAndSecret[] | undefined {
  const [, encoded] = /^basic ([^]*)$/i.exec(header) ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  if (at < 1) return []
  const raw = { id: text.slice(0, at), secret: text.slice(at + 1) }
  const decoded = formDecoded(raw)
  if (decoded === undefined) return allowsRaw ? [raw] : []
  const isSame = decoded.id === raw.id && decoded.secret === raw.secret
  return isSame || !allowsRaw ? [decoded] : [decoded, raw]
}

/** Undefined where one of them is not form-encoded. */
function formDecoded ({ id, secret }: IdAndSecret): IdAndSecret | undefined {
  try {
    return { id: decode(id), secret: decode(secret) }
  } catch {
    return undefined
  }
}

/** @throws URIError */
const decode = (text: string): string => /[+%]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text
