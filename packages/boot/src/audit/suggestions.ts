/** What could be said by a rule, and is done by code: shown by the audit, no finding, and never changed. */
import type { ModelClass } from '@fastback/core'
import { lineageOf, ownObservers, sourceOf } from '@fastback/core/remote'
import type { FindingLocation } from './finding.js'
import { hookRows } from './hook-rows.js'
import type { Subject } from './subject.js'

export interface Suggestion extends FindingLocation {
  readonly code: 'FBK_AUDIT_HOOK_FOR_ROWS'
  readonly what: string
  /** The part of a rule that says the same; undefined where the hook cannot be read. */
  readonly instead: string | undefined
}

/** `access` hooks of the application's own models that look at the token. */
export const suggestionsOf = ({ models, sources }: Subject): Suggestion[] => models.flatMap(({ Model, name }) =>
  hooksOf(Model).map(hookRows).filter(found => found !== undefined).map(found => ({
    code: 'FBK_AUDIT_HOOK_FOR_ROWS' as const,
    ...sources.model(Model, ['acls']),
    what: found === 'unread'
      ? `An access hook of ${name} looks at the token; what it narrows cannot be read from its text.`
      : `An access hook of ${name} narrows rows by the token. Rules can say that, and are explained and tested.`,
    instead: found === 'unread' ? undefined : `"rows": ${spaced(found.rows)}`
  })))

const hooksOf = (Model: ModelClass): string[] =>
  lineageOf(Model).filter(each => sourceOf(each) !== undefined).flatMap(each => ownObservers(each, 'access')).map(String)

const spaced = (rows: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(rows).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')} }`
