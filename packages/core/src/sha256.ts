import crypto, { createHash } from 'node:crypto'

type Encoding = 'hex' | 'base64' | 'base64url'

/**
 * SHA-256 of a text; in one step where Node has it (20.12 and later), which takes a third of the time.
 *
 * ```js
 * sha256('hello') // 'LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 * sha256('hello', 'hex') // '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
 * ```
 * @param encoding of the result. Default: `base64url`
 */
export const sha256: (text: string, encoding?: Encoding) => string = typeof crypto.hash === 'function'
  ? (text, encoding = 'base64url') => crypto.hash('sha256', text, encoding)
  : (text, encoding = 'base64url') => createHash('sha256').update(text).digest(encoding)
