/** The same for many things, a few at a time, with what failed. */

export interface Failed<T> { readonly item: T, readonly error: unknown }

export interface Batch<T> {
  readonly items: readonly T[]
  readonly work: (item: T) => Promise<unknown>
  readonly atOnce?: number
  /** Called with how many are done. */
  readonly onProgress?: (done: number) => void
  /** Ends it after those that have begun. */
  readonly signal?: AbortSignal
}

/**
 * Does the work for each item; a failure does not stop the others.
 *
 * ```js
 * const { done, failed } = await eachOf({ items: ids, work: async id => { await remove(id) } })
 * ```
 */
export async function eachOf<T> (
  { items, work, atOnce = 4, onProgress = () => {}, signal }: Batch<T>
): Promise<{ readonly done: readonly T[], readonly failed: ReadonlyArray<Failed<T>> }> {
  const done: T[] = []
  const failed: Array<Failed<T>> = []
  let next = 0
  const runner = async (): Promise<void> => {
    while (next < items.length && signal?.aborted !== true) {
      const item = items[next++] as T
      try {
        await work(item)
        done.push(item)
      } catch (error) {
        failed.push({ item, error })
      }
      onProgress(done.length + failed.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runner))
  return { done, failed }
}
