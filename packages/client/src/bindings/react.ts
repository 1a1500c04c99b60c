/** React: rows and the state of the sync as hooks. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ClientMembers, SyncState } from '../client.js'
import type { LiveRows } from '../model-api.js'
import type { Filter } from '../query/filter-types.js'

/** What a live query has come to. */
export interface Live<R> {
  /** Undefined until they are read. */
  readonly rows: R[] | undefined
  readonly error: unknown
}

const nothing: Live<never> = { rows: undefined, error: undefined }

/**
 * The rows of a filter, as they are now and as they become.
 *
 * ```js
 * const { rows = [] } = useLive(client.Note, { where: { done: false }, order: 'title' })
 * ```
 * @param filter is compared by what it says: it may be another object each time
 */
export function useLive<R extends object> (model: LiveRows<R>, filter?: Filter<R>): Live<R> {
  const text = JSON.stringify(filter)
  const asked = useRef(filter)
  asked.current = filter
  const [live, setLive] = useState<Live<R>>(nothing)
  useEffect(() => {
    setLive(nothing)
    return model.live(
      asked.current,
      rows => { setLive({ rows, error: undefined }) },
      { onError: error => { setLive(({ rows }) => ({ rows, error })) } }
    )
  }, [model, text])
  return live
}

/**
 * How it stands with the server: `status`, `pending`, `conflicts` …
 *
 * ```js
 * const { status, pending } = useSyncState(client)
 * ```
 */
export function useSyncState (client: Pick<ClientMembers, 'state'>): SyncState {
  const { state } = client
  return useSyncExternalStore(state.subscribe, () => state.value, () => state.value)
}
