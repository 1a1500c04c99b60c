/** What leads from one list of rows to another: rows that come, change, move and go. */

/** A row of a live query, as its readers see it. */
export interface LiveRow {
  /** Its id as text: no two rows of a list have the same. */
  readonly key: string
  /** The row as JSON. */
  readonly text: string
}

/**
 * One step. Steps are taken one after the other: positions are those of the list as the steps before have left it, and
 * `to` is the position once the row has been taken out at `from`.
 */
export type LiveChange =
  | { readonly type: 'insert', readonly index: number, readonly row: LiveRow }
  | { readonly type: 'update', readonly index: number, readonly row: LiveRow }
  /** `row`: where it has changed as well. */
  | { readonly type: 'move', readonly from: number, readonly to: number, readonly row?: LiveRow }
  | { readonly type: 'remove', readonly index: number }

/**
 * The steps from one list to the other: rows that keep their order among each other are not moved.
 *
 * ```js
 * changesBetween([one, two], [two, three]) // remove 0, insert three at 1
 * ```
 */
export function changesBetween (before: readonly LiveRow[], after: readonly LiveRow[]): LiveChange[] {
  const positions = new Map(after.map(({ key }, position) => [key, position]))
  const changes: LiveChange[] = []
  // From the end: what stands before is where it was.
  for (let index = before.length - 1; index >= 0; index--) {
    if (!positions.has((before[index] as LiveRow).key)) changes.push({ type: 'remove', index })
  }
  const rows = before.filter(({ key }) => positions.has(key))
  const texts = new Map(rows.map(({ key, text }) => [key, text]))
  const staying = longestRise(rows.map(({ key }) => positions.get(key) as number))
  let index = 0
  for (const [position, row] of after.entries()) {
    const { key, text } = row
    if (staying.has(position)) {
      // Rows in between are still to be moved away.
      while (rows[index]?.key !== key) index++
      if (texts.get(key) !== text) changes.push({ type: 'update', index, row })
    } else if (!texts.has(key)) {
      rows.splice(index, 0, row)
      changes.push({ type: 'insert', index, row })
    } else {
      const from = rows.findIndex(each => each.key === key)
      rows.splice(from, 1)
      if (from < index) index--
      rows.splice(index, 0, row)
      changes.push({ type: 'move', from, to: index, ...texts.get(key) === text ? {} : { row } })
    }
    index++
  }
  return changes
}

/** The members of a longest part of the list that rises from one to the next. */
function longestRise (numbers: readonly number[]): ReadonlySet<number> {
  /** By length: where the rise ends that has the smallest end. */
  const ends: number[] = []
  const previous: number[] = []
  for (const [i, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1
      else high = middle
    }
    previous[i] = ends[low - 1] ?? -1
    ends[low] = i
  }
  const rise = new Set<number>()
  for (let i = ends.at(-1) ?? -1; i !== -1; i = previous[i] as number) rise.add(numbers[i] as number)
  return rise
}

/**
 * Steps as JSON.
 *
 * ```js
 * textOfChanges([{ type: 'remove', index: 0 }]) // '[{"type":"remove","index":0}]'
 * ```
 */
export const textOfChanges = (changes: readonly LiveChange[]): string => `[${changes.map(textOfChange).join(',')}]`

function textOfChange (change: LiveChange): string {
  const at = change.type === 'move' ? `"from":${change.from},"to":${change.to}` : `"index":${change.index}`
  const row = change.type !== 'remove' && change.row !== undefined ? `,"row":${change.row.text}` : ''
  return `{"type":"${change.type}",${at}${row}}`
}
