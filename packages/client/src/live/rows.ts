/** The rows of a live query, as its events make them (packages/docs/live-protocol.md). */

/** One step; steps are taken one after the other. */
export type LiveChange =
  | { readonly type: 'insert' | 'update', readonly index: number, readonly row: object }
  | { readonly type: 'move', readonly from: number, readonly to: number, readonly row?: object }
  | { readonly type: 'remove', readonly index: number }

/**
 * The rows after some steps: a new list, with the same objects for rows that have not changed.
 *
 * ```js
 * afterChanges([one, two], [{ type: 'remove', index: 0 }]) // [two]
 * ```
 */
export function afterChanges<R extends object> (rows: readonly R[], changes: readonly LiveChange[]): R[] {
  const after = [...rows]
  for (const change of changes) {
    switch (change.type) {
      case 'insert': after.splice(change.index, 0, change.row as R); break
      case 'update': after[change.index] = change.row as R; break
      case 'remove': after.splice(change.index, 1); break
      case 'move': {
        const [moved] = after.splice(change.from, 1)
        after.splice(change.to, 0, (change.row ?? moved) as R)
      }
    }
  }
  return after
}
