/** What a user reads of the browser that a session was begun with. */

/** In this order: browsers name those that they descend from as well. */
const families = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//]
] as const

/**
 * The family of a user agent, of a short list: nothing of the header itself is stored or shown.
 *
 * ```js
 * agentFamily('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') // 'Firefox'
 * ```
 * @param header the header `User-Agent`
 * @returns undefined for one that is not known
 */
export const agentFamily = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : families.find(([, pattern]) => pattern.test(header.slice(0, 1000)))?.[0]
