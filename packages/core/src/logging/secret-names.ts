/**
 * Which names stand for secrets, whatever their spelling: `access_token`, `accessToken`, `ACCESS%5FTOKEN`,
 * `user[password]` (security.md, S-82).
 */

/** Anywhere in a name: `newPassword`, `password2`, `client_secret`. */
const anywhere = /password|passwd|passphrase|secret|credential/
/**
 * At its end: `refreshToken`, `tokenId` (an access token is its own id), `id_token_hint`, `clientAssertion`,
 * `set-cookie`. `token_type`, `token_type_hint` and `authorization_endpoint` are none.
 */
const atEnd =
  /(?:token|assertion|authorization|cookie|apikey|privatekey|masterkey|codeverifier|jwt|otp|signature)(?:s|ids?|text|value|hint)?$/
const whole: ReadonlySet<string> = new Set(['pwd', 'pin', 'cvc', 'cvv', 'bearer', 'csrf', 'clientkey', 'javascriptkey',
  'windowskey', 'sid', 'sessionid', 'sig'])

/**
 * Whether what has this name is a secret. The name may be encoded, and have brackets or dots: each part counts.
 *
 * ```js
 * isSecretName('password_hash') // true
 * isSecretName('token_type') // false
 * ```
 */
export const isSecretName = (name: string): boolean =>
  partsOf(decoded(name)).some(part => anywhere.test(part) || atEnd.test(part) || whole.has(part))

/** In addresses and forms `code` is what a token is given for; elsewhere it says what went wrong. */
export const isSecretParameter = (name: string): boolean => isSecretName(name) ||
  partsOf(decoded(name)).includes('code')

/** `user[New-Password]` → `user`, `newpassword`; without what spellings differ in. */
const partsOf = (name: string): string[] => name.split(/[[\].]/).map(part => part.toLowerCase().replace(/[^a-z0-9]/g,
  '')).filter(part => part !== '')

/** Decoded as often as it was encoded, within reason. What is malformed stays. */
export function decoded (text: string): string {
  let result = text
  for (let i = 0; i < 3 && result.includes('%'); i++) {
    const once = result.replace(/(?:%[0-9a-f]{2})+/gi, part => Buffer.from(part.replaceAll('%', ''), 'hex').toString())
    if (once === result) break
    result = once
  }
  return result
}
