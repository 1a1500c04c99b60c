/** Which accounts nobody logs in to, by whatever way in (security.md, S-190). */
import type { Row } from '@fastback/core'

/** Values of a property `status` that close an account. */
const closed: ReadonlySet<string> =
  new Set(['locked', 'disabled', 'inactive', 'suspended', 'blocked', 'banned', 'deleted'])

/**
 * Whether an account is closed, by its `status`. A model whose users have no such property has none that is.
 *
 * ```js
 * isLocked({ status: 'Locked' }) // true
 * ```
 */
export const isLocked = ({ status }: Readonly<Row>): boolean =>
  typeof status === 'string' && closed.has(status.toLowerCase())
