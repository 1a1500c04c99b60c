/** What a component reads from the server: while it is read, what came, or why nothing did. */
import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Resource<T> {
  /** What came last; undefined before. */
  readonly value: T | undefined
  readonly error: Error | undefined
  readonly reload: () => void
}

/**
 * Reads when the component appears, and again when one of the keys changes.
 * @param read is called by every key at most once at a time; what comes late, for an earlier key, is dropped
 */
export function useResource<T> (read: () => Promise<T>, keys: readonly unknown[]): Resource<T> {
  const [state, setState] = useState<{ readonly value: T | undefined, readonly error: Error | undefined }>({
    value: undefined, error: undefined
  })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let isCurrent = true
    read().then(
      value => { if (isCurrent) setState({ value, error: undefined }) },
      (error: unknown) => {
        if (isCurrent) setState({ value: undefined, error: error instanceof Error ? error : new Error(String(error)) })
      })
    return () => { isCurrent = false }
  }, [...keys, turn])
  return { ...state, reload: useCallback(() => { setTurn(each => each + 1) }, []) }
}
