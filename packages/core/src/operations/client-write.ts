/** A write of a client: what it is for, and when a value that it sends is no change at all. */
import { isDeepStrictEqual } from 'node:util'
import type { FoundViolation } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { RowRule } from '../interfaces/row-rules.js'
import type { Row } from '../properties/types.js'
import { plain } from './stored-inner-rows.js'
import { coerceChanges } from './validate.js'

/** What a client does with the data, and what is known of the row that they are for. */
export interface ClientWrite {
  /** A replacement keeps what the client may not say. */
  readonly kind: 'create' | 'update' | 'replace'
  /** The row as it is; undefined where it is not there, or the data are for many. */
  readonly stored?: Readonly<Row> | undefined
  /** The properties that rules let the caller set; undefined: all. */
  readonly writes?: RowRule['writes']
  /** Those that rules let the caller read; undefined: all. */
  readonly reads?: RowRule['reads']
}

/** What a client may not see is no change that they repeat: whether it was right would tell the value. */
export const isSeen = (model: CompiledModel, name: string, reads: ClientWrite['reads']): boolean =>
  reads?.(name) !== false && model.propertyByName.get(name)?.hidden !== true

/** Whether the client sends what the row has, as a response showed it. */
export function isSame (model: CompiledModel, name: string, sent: unknown, stored: unknown): boolean {
  const has = stored ?? null
  if (sent === null || has === null) return sent === null && has === null
  const violations: FoundViolation[] = []
  const { [name]: converted } = coerceChanges(model, { [name]: sent }, violations)
  return violations.length === 0 && isDeepStrictEqual(plain(converted), plain(has))
}
