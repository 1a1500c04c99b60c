/** Which rows of a page are selected: one by one, or a range with the shift key. */

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** The position that a range goes out from. */
  readonly last: number
}

export const noSelection: Selection = { ids: new Set<string>([]), last: -1 }

/**
 * The selection after a row was selected, or is so no longer.
 *
 * ```js
 * selected({ ids: new Set(['1']), last: 0 }, ['1', '2', '3'], 2, true).ids // Set { '1', '2', '3' }
 * ```
 * @param isRange the rows between go the same way
 */
export function selected (
  { ids, last }: Selection, all: readonly string[], index: number, isRange: boolean
): Selection {
  const now = new Set(ids)
  const id = all[index]
  if (id === undefined) return { ids, last }
  const isOn = !ids.has(id)
  const [from, to] = isRange && last >= 0 ? [Math.min(last, index), Math.max(last, index)] : [index, index]
  for (const each of all.slice(from, to + 1)) {
    if (isOn) now.add(each)
    else now.delete(each)
  }
  return { ids: now, last: index }
}

/** All rows, or none where all are selected. */
export const allSelected = ({ ids }: Selection, all: readonly string[]): Selection =>
  ({ ids: all.every(id => ids.has(id)) ? new Set() : new Set(all), last: -1 })
