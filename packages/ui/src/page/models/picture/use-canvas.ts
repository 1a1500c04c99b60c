/** Which part of a picture is seen, and how large: moved by dragging and arrow keys, zoomed by the wheel, + and -. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Graph } from './graph.js'

interface Seen {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface Canvas extends Seen {
  /** Of the element that is drawn into. */
  readonly element: { current: SVGSVGElement | null }
  /** Makes it larger or smaller by this factor, about the middle. */
  zoom (factor: number): void
  /** Shows all of it. */
  readonly fit: () => void
  readonly onPointerDown: (event: PointerEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

const [least, most] = [0.15, 2.5]
/** Pixels that an arrow key moves the picture by. */
const step = 60

export function useCanvas (graph: Graph | undefined): Canvas {
  const element = useRef<SVGSVGElement>(null)
  const [seen, setSeen] = useState<Seen>({ x: 0, y: 0, scale: 1 })

  const zoomAt = (factor: number, pointX: number, pointY: number): void => {
    setSeen(({ x, y, scale }) => {
      const next = Math.min(most, Math.max(least, scale * factor))
      const ratio = next / scale
      return { scale: next, x: pointX - (pointX - x) * ratio, y: pointY - (pointY - y) * ratio }
    })
  }
  const fit = (): void => {
    const box = element.current?.getBoundingClientRect()
    if (box === undefined || graph === undefined || graph.width === 0) return
    const scale = Math.min(1, box.width / graph.width, box.height / graph.height)
    const shown = Math.max(least, scale)
    setSeen({
      scale: shown,
      x: (box.width - graph.width * shown) / 2,
      y: Math.max(0, (box.height - graph.height * shown) / 2)
    })
  }
  useEffect(fit, [graph])
  useEffect(() => {
    const { current } = element
    if (current === null) return
    // Not by a property of the component, as those listeners are passive: the page would scroll as well.
    const wheel = (event: WheelEvent): void => {
      event.preventDefault()
      const { left, top } = current.getBoundingClientRect()
      if (event.ctrlKey || event.metaKey || event.deltaMode !== 0 || Math.abs(event.deltaY) >= 50) {
        zoomAt(Math.exp(-event.deltaY / 500), event.clientX - left, event.clientY - top)
      } else setSeen(({ x, y, scale }) => ({ scale, x: x - event.deltaX, y: y - event.deltaY }))
    }
    current.addEventListener('wheel', wheel, { passive: false })
    return () => { current.removeEventListener('wheel', wheel) }
  }, [graph])

  return {
    ...seen,
    element,
    fit,
    zoom (factor) {
      const box = element.current?.getBoundingClientRect()
      zoomAt(factor, (box?.width ?? 0) / 2, (box?.height ?? 0) / 2)
    },
    onPointerDown (event) {
      if (event.button !== 0) return
      const begin = { x: event.clientX, y: event.clientY }
      const { x, y, scale } = seen
      const move = ({ clientX, clientY }: PointerEvent): void => {
        setSeen({ scale, x: x + clientX - begin.x, y: y + clientY - begin.y })
      }
      const end = (): void => {
        window.removeEventListener('pointermove', move)
        window.removeEventListener('pointerup', end)
        window.removeEventListener('pointercancel', end)
      }
      window.addEventListener('pointermove', move)
      window.addEventListener('pointerup', end)
      window.addEventListener('pointercancel', end)
    },
    onKeyDown (event) {
      const ways: Readonly<Record<string, readonly [x: number, y: number]>> = {
        ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step]
      }
      const way = ways[event.key]
      if (way !== undefined) setSeen(({ x, y, scale }) => ({ scale, x: x + way[0], y: y + way[1] }))
      else if (event.key === '+') this.zoom(1.25)
      else if (event.key === '-') this.zoom(1 / 1.25)
      else if (event.key === '0') fit()
      else return
      event.preventDefault()
    }
  }
}
