/** What the setting `events` of a model says. */
import type { ModelSettings } from '@fastback/core'

/** What became of a row. */
export type EventOperation = 'create' | 'update' | 'delete' | 'restore'

const operations: readonly EventOperation[] = ['create', 'update', 'delete', 'restore']

/** The setting, written out. */
export interface EventsSetting {
  readonly operations: ReadonlySet<EventOperation>
  /** An update is an event where one of these has changed; undefined: whatever has changed. */
  readonly properties: readonly string[] | undefined
}

interface Written { readonly operations?: readonly EventOperation[], readonly properties?: readonly string[] }

/**
 * What a model's setting says; undefined for models without events.
 *
 * ```js
 * eventsIn({ events: { operations: ['create'] } })?.operations.has('delete') // false
 * ```
 */
export function eventsIn ({ events }: Pick<ModelSettings, 'events'>): EventsSetting | undefined {
  if (events === undefined || events === null || events === false) return undefined
  const written = typeof events === 'object' ? events as Written : {}
  return { operations: new Set(written.operations ?? operations), properties: written.properties }
}
