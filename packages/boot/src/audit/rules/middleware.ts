/** Entries of middleware.json that are switched on, by what they are. */
import type { JSONPath } from 'jsonc-parser'
import { isRecord } from '../../load/is-record.js'
import type { MiddlewareConfig } from '../../load/middleware-config.js'
import type { FindingLocation } from '../finding.js'
import type { FolderSubject } from '../subject.js'

export interface Entry extends MiddlewareConfig {
  place (...keys: JSONPath): FindingLocation
}

/** @param names as they are written in middleware.json */
export function entriesOf (
  { configuration: { middleware }, sources }: FolderSubject,
  ...names: readonly string[]
): Entry[] {
  return middleware.entries
    .filter(({ written }) => names.includes(written))
    .map(entry => ({
      ...entry,
      place: (...keys) => sources.config('middleware', [entry.phase, entry.written, ...keys])
    }))
}

/** The object of options that most middleware takes. */
export const optionsAt = ({ params: [first] }: MiddlewareConfig): Readonly<Record<string, unknown>> =>
  isRecord(first) ? first : {}
