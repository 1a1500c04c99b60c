/** A role that a caller is in for some rows only: what a resolver gives in place of true, or `$owner` of many rows. */
import { isRecord, type Where } from '../rows/template.js'

/** Rows for which somebody is in a role. */
export interface RoleRows { readonly where: Where }

/**
 * What a resolver has said: `{ where: { … } }`, with that key alone, is a condition; everything else is yes or no.
 *
 * ```js
 * readRole({ where: { teamId: 7 } }) // { where: { teamId: 7 } }
 * readRole(1) // true
 * ```
 */
export function readRole (said: unknown): boolean | RoleRows {
  if (!isRecord(said) || !isRecord(said.where) || Object.keys(said).length !== 1) return Boolean(said)
  return { where: said.where }
}
