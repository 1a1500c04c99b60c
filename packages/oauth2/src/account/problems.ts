/** Why a step with factors did nothing, as pages say it. */
import { OAuthError } from '../errors.js'
import type { Texts } from '../pages/texts/en.js'

/** Texts by the code of the error. */
const problems: Readonly<Record<string, keyof Texts>> = {
  LOGIN_FAILED: 'passwordWrong',
  SECOND_FACTOR_FAILED: 'codeWrong',
  TOTP_EXISTS: 'totpExists',
  PASSKEY_REFUSED: 'passkeyRefused',
  PASSKEY_LIMIT: 'passkeyLimit',
  PASSKEY_NOT_FOUND: 'notFound',
  PASSKEY_NAME_INVALID: 'passkeyNameWrong',
  DEVICE_NOT_FOUND: 'notFound'
}

/**
 * Name of the text for a code that stands in an address; undefined: there is none.
 *
 * ```js
 * problemOf('TOTP_EXISTS') // 'totpExists'
 * problemOf('whatever') // 'tryAgain'
 * ```
 */
export const problemOf = (code: string | undefined): keyof Texts | undefined =>
  code === undefined ? undefined : Object.hasOwn(problems, code) ? problems[code] : 'tryAgain'

/** Code of a refusal that a page tells of; undefined: it is for the page of errors, as too many attempts are. */
export function refusalOf (error: unknown): string | undefined {
  const { statusCode, code } = error as { statusCode?: unknown, code?: unknown }
  if (error instanceof OAuthError || typeof statusCode !== 'number' || typeof code !== 'string') return undefined
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 ? code : undefined
}
