/**
 * What an id_token says beside its user: written with the code and with each token of its grant, in their member
 * `parameters`, so that whichever process redeems them knows it.
 */
import type { Row } from '@fastback/core'

/** Of an authorization that `openid` was granted in. */
export interface OpenIdContext {
  /** Not repeated at a refresh (OI-60). */
  readonly nonce?: string | undefined
  /** When the user proved who they are, in seconds (OI-98). */
  readonly authTime: number
  readonly acr: string
  readonly amr: readonly string[]
  /** Name of the login for clients (OI-132). */
  readonly sid: string
  /** Claims that were asked for by name, besides those of scopes. */
  readonly idToken?: readonly string[] | undefined
  readonly userinfo?: readonly string[] | undefined
  /** Those among them that the dialog named: they need no scope (OI-81). */
  readonly named?: readonly string[] | undefined
}

/** As later tokens of the grant have it (OI-60). */
export const withoutNonce = ({ nonce: _nonce, ...others }: OpenIdContext): OpenIdContext => others

const name = 'openid'

export interface StoredParameter {
  readonly name: string
  readonly value: string
}

/**
 * As a row has it.
 *
 * ```js
 * storedContext({ authTime: 1, acr: '1fa', amr: ['pwd'], sid: 's' }) // [{ name: 'openid', value: '{"authTime":1,…}' }]
 * ```
 */
export const storedContext = (context: OpenIdContext): StoredParameter[] =>
  [{ name, value: JSON.stringify(context) }]

/**
 * The context of a row of a code or a token; undefined for grants without `openid`.
 *
 * ```js
 * contextOf(row)?.sid
 * ```
 */
export function contextOf ({ parameters }: Readonly<Row>): OpenIdContext | undefined {
  if (!Array.isArray(parameters)) return undefined
  const found = (parameters as StoredParameter[]).find(parameter => parameter.name === name)
  return found === undefined ? undefined : JSON.parse(found.value) as OpenIdContext
}
