/** Which accounts nobody logs in to, by whatever way in (security.md, S-190). */
import type { ModelClass, Row } from '@fastback/core'

/** Values of a property `status` that close an account. */
const closed: ReadonlySet<string> =
  new Set(['locked', 'disabled', 'inactive', 'suspended', 'blocked', 'banned', 'deleted'])

/**
 * Whether an account is closed, by its `status`, where a page or a grant logs in. A model whose users have no
 * such property has none that is.
 *
 * ```js
 * isLocked({ status: 'Locked' }) // true
 * ```
 */
export const isLocked = ({ status }: Readonly<Row>): boolean =>
  typeof status === 'string' && closed.has(status.toLowerCase())

/**
 * Whether it is closed for the login of the API and for tokens as well: where the setting `statusLocks` of the model
 * says so, since what a `status` says to an application that exists is its own affair.
 *
 * ```js
 * isClosed(User, user) // false without "statusLocks": true
 * ```
 */
export const isClosed = (Model: ModelClass, user: Readonly<Row>): boolean =>
  Model.settings.statusLocks === true && isLocked(user)
