/** Codes and refresh tokens that belong to a key: what their rows say, whether the option `dpop` is still on or not. */
import type { Row } from '@fastback/core'
import { InvalidDpopProof, InvalidGrant } from '../errors.js'
import type { StoredParameter } from '../openid/context.js'

const name = 'dpop_jkt'

/** The key that an authorization request named, as the row of its code has it (OI-157). */
export const storedKey = (jkt: string | undefined): StoredParameter[] =>
  jkt === undefined ? [] : [{ name, value: jkt }]

/**
 * Compares the key of a token request with the one that the authorization request named.
 *
 * ```js
 * checkNamedKey(row, wishes.jkt)
 * ```
 * @param row of the code
 * @param jkt of the proof; undefined: there is none
 * @throws InvalidDpopProof without a proof, InvalidGrant for another key
 */
export function checkNamedKey ({ parameters }: Readonly<Row>, jkt: string | undefined): void {
  const named = Array.isArray(parameters)
    ? (parameters as StoredParameter[]).find(parameter => parameter.name === name)?.value
    : undefined
  compare(named, jkt)
}

/**
 * The same for the refresh token of a public client (OI-155).
 * @param row of the tokens
 * @throws InvalidDpopProof without a proof, InvalidGrant for another key
 */
export const checkBoundKey = (row: Readonly<Row>, jkt: string | undefined): void => { compare(row.jkt, jkt) }

function compare (bound: unknown, jkt: string | undefined): void {
  if (bound === undefined || bound === null || bound === jkt) return
  if (jkt === undefined) throw new InvalidDpopProof('A DPoP proof is needed.')
  throw new InvalidGrant('The DPoP proof is of another key.')
}
