/** A list that is read in pieces, as far as somebody wants to see it. */
import type { ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { Skeleton } from '../../components/skeleton.js'

/** Items of one piece. */
export const pieceSize = 25

export interface Pieces<T> {
  readonly items: readonly T[]
  readonly isReading: boolean
  readonly error: unknown
  /** Takes an item out of those that are shown. */
  readonly remove: (item: T) => void
  /** Stands after the items: what is being read, or the button for more. */
  readonly more: ComponentChild
}

/**
 * Reads the first piece, and more when somebody wants it.
 * @param read gives the piece after so many items
 * @param key of what is read: another one begins anew
 */
export function usePieces<T> (read: (skip: number) => Promise<readonly T[]>, key: string): Pieces<T> {
  const [items, setItems] = useState<readonly T[]>([])
  const [state, setState] = useState<'reading' | 'more' | 'all'>('reading')
  const [error, setError] = useState<unknown>(undefined)
  const next = (from: readonly T[]): (() => void) => {
    let isCurrent = true
    setState('reading')
    read(from.length).then(found => {
      if (!isCurrent) return
      setItems([...from, ...found])
      setState(found.length < pieceSize ? 'all' : 'more')
    }, (failed: unknown) => {
      if (!isCurrent) return
      setError(failed)
      setState('all')
    })
    return () => { isCurrent = false }
  }
  useEffect(() => {
    setItems([])
    setError(undefined)
    return next([])
  }, [key])
  return {
    items, isReading: state === 'reading', error,
    remove: item => { setItems(items.filter(each => each !== item)) },
    more: state === 'reading'
      ? <Skeleton lines={2}/>
      : state === 'more' ? <div class="buttons"><Button kind="quiet" onClick={() => { next(items) }}>Show more</Button></div> : null
  }
}
