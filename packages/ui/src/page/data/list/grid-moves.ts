/** How keys move through the cells of a grid. */

/** A cell by its position. */
export interface At { readonly row: number, readonly column: number }

/** How many rows and columns there are. */
export interface Size { readonly rows: number, readonly columns: number }

/** A cell, or the nearest one to where none is. */
export function nearestCell ({ row, column }: At, { rows, columns }: Size): At {
  const within = (position: number, count: number): number => Math.max(0, Math.min(count - 1, position))
  return { row: within(row, rows), column: within(column, columns) }
}

/**
 * Where a key leads from a cell, which may be beyond the edge; undefined for keys that do not move.
 *
 * ```js
 * moveOf({ key: 'End', ctrlKey: false }, { row: 1, column: 0 }, { rows: 5, columns: 3 }) // { row: 1, column: 2 }
 * ```
 */
export function moveOf (
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>, { row, column }: At, { rows, columns }: Size
): At | undefined {
  switch (key) {
    case 'ArrowDown': return { row: row + 1, column }
    case 'ArrowUp': return { row: row - 1, column }
    case 'ArrowLeft': return { row, column: column - 1 }
    case 'ArrowRight': return { row, column: column + 1 }
    case 'Home': return { row: ctrlKey ? 0 : row, column: 0 }
    case 'End': return { row: ctrlKey ? rows - 1 : row, column: columns - 1 }
    default: return undefined
  }
}
