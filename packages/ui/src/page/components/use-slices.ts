import { useEffect, useState } from 'preact/hooks'

/** How many of many things are drawn by now: some at first, and more with each frame, so that none takes long. */
export function useSlices (count: number, step: number): number {
  const [drawn, setDrawn] = useState(step)
  useEffect(() => {
    if (drawn >= count) return
    const frame = window.requestAnimationFrame(() => { setDrawn(drawn + step) })
    return () => { window.cancelAnimationFrame(frame) }
  }, [drawn, count])
  return Math.min(drawn, count)
}
