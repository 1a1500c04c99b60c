/** Which cell of a grid has the focus, and which is edited. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { nearestCell, type At, type Size } from './grid-moves.js'

export interface Grid {
  readonly table: RefObject<HTMLTableElement | null>
  /** The one cell that the tab key leads to. */
  readonly current: At
  readonly edited: At | undefined
  /** Gives a cell the focus, or the nearest one to where none is. */
  readonly go: (to: At) => void
  /** A cell has got it. */
  readonly focus: (at: At) => void
  readonly edit: (at: At) => void
  /** A cell is edited no more. @param isFocused whether the focus belongs to it again */
  readonly end: (at: At, isFocused: boolean) => void
}

export function useGrid (size: Size): Grid {
  const [at, setAt] = useState<At>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<At | undefined>(undefined)
  const table = useRef<HTMLTableElement>(null)
  const isToFocus = useRef(false)
  useEffect(() => {
    // A list that became shorter, or whose cell was edited, keeps the focus where it can be.
    // The flag stays until the focus is there: this may be about a drawing before the one that it was set for.
    if (!isToFocus.current || edited !== undefined) return
    table.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus()
    isToFocus.current = false
  }, [at, edited])
  return {
    table,
    current: { row: Math.min(at.row, size.rows - 1), column: Math.min(at.column, size.columns - 1) },
    edited,
    go: to => {
      isToFocus.current = true
      setAt(nearestCell(to, size))
    },
    focus: setAt,
    edit: setEdited,
    end: (where, isFocused) => {
      isToFocus.current = isFocused
      if (isFocused) setAt(where)
      // Somebody may edit another cell by then, while this one was being saved.
      setEdited(now => now?.row === where.row && now.column === where.column ? undefined : now)
    }
  }
}
