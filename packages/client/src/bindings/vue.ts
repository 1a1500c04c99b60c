/** Vue: rows and the state of the sync as refs. */
import { onScopeDispose, shallowRef, toValue, watch, type MaybeRefOrGetter, type ShallowRef } from 'vue'
import type { ClientMembers, SyncState } from '../client.js'
import type { LiveRows } from '../model-api.js'
import type { Filter } from '../query/filter-types.js'

/** What a live query has come to. */
export interface Live<R> {
  /** Undefined until they are read. */
  readonly rows: Readonly<ShallowRef<R[] | undefined>>
  readonly error: Readonly<ShallowRef<unknown>>
}

/**
 * The rows of a filter, as they are now and as they become, until the scope (mostly the component) ends.
 *
 * ```js
 * const { rows } = useLive(client.Note, () => ({ where: { done: showsDone.value }, order: 'title' }))
 * ```
 * @param filter a value, a ref or a getter: other rows where it says something else
 */
export function useLive<R extends object> (
  model: LiveRows<R>, filter?: MaybeRefOrGetter<Filter<R> | undefined>
): Live<R> {
  const rows = shallowRef<R[]>()
  const error = shallowRef<unknown>()
  let stop = (): void => {}
  watch(() => JSON.stringify(toValue(filter)), () => {
    stop()
    rows.value = error.value = undefined
    const found = (given: R[]): void => {
      rows.value = given
      error.value = undefined
    }
    stop = model.live(toValue(filter), found, { onError: given => { error.value = given } })
  }, { immediate: true })
  onScopeDispose(() => { stop() })
  return { rows, error }
}

/**
 * How it stands with the server: `status`, `pending`, `conflicts` …
 *
 * ```js
 * const state = useSyncState(client)
 * ```
 */
export function useSyncState ({ state }: Pick<ClientMembers, 'state'>): Readonly<ShallowRef<SyncState>> {
  const current = shallowRef(state.value)
  onScopeDispose(state.subscribe(value => { current.value = value }))
  return current
}
