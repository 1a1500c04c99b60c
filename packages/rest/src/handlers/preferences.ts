/** What a request says that it would like: `Prefer: count=exact, explain` (RFC 7240). */

/**
 * Whether one of the preferences of a request is of this form.
 *
 * ```js
 * prefers('respond-async, count="exact"', /^count="?exact"?$/) // true
 * ```
 */
export const prefers = (prefer: string | string[] | undefined, form: RegExp): boolean =>
  prefer !== undefined &&
  [prefer].flat().some(line => line.split(/[,;]/).some(preference => form.test(preference.trim())))
