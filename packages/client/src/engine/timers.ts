/** Waiting: for how long, and without keeping a process of Node's alive. */

/** Milliseconds after a failure: the first time, and at most. */
export interface Retry { readonly first: number, readonly most: number }

/** Twice as long each time, and never all clients at once. */
export const backOff = ({ first, most }: Retry, failures: number): number =>
  Math.min(most, first * 2 ** failures) * (0.5 + Math.random() / 2)

/** Node waits for timers and channels; a client that nobody closes is no reason to. Browsers know no such thing. */
export function unref (waiting: unknown): void {
  (waiting as { unref?: () => void }).unref?.()
}

/** Waits; ends at once where the signal says so. */
export async function pause (wait: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    if (signal.aborted) { resolve(); return }
    const timer = setTimeout(resolve, wait)
    unref(timer)
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve() }, { once: true })
  })
}
