/** An account as its factors know it. */
import { sha256 } from '@fastback/core/connector'
import type { ModelClass, Row } from '@fastback/core'

/** SHA-256 of a text, base64url: 43 characters. */
export const digest = (text: string): string => sha256(text)

export const idOfUser = (Model: Pick<ModelClass, 'getIdName'>, user: Readonly<Row>): unknown =>
  user[Model.getIdName() ?? 'id']

/**
 * Changes with the password and with the address: what was given out for the account before is nothing then
 * (OI-213). It tells nothing of either.
 *
 * ```js
 * versionOf(user) === challenge.version
 * ```
 */
export const versionOf = ({ password, email }: Readonly<Row>): string =>
  digest(JSON.stringify(['fastback account', password ?? null, email ?? null]))
